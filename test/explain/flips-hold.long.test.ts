import { expect, it } from 'vitest'
import { withStage } from '../support/in-process-command.ts'
import { type InProcessSandbox, withInProcessSandbox } from '../support/in-process-sandbox.ts'

/** A policy of two gates and a rule about callers, the `nth` of many. */
function policyOf(nth: number): string {
  const pick = <T>(list: readonly T[], at: number): T => list[Math.floor(nth / 3 ** at + at) % list.length] as T
  const opener = (at: number): string =>
    pick(
      [
        '{ event: tool.failed, command: make a }',
        '{ event: tool.after, any: [{ command: make b }, { command: make a, succeeded: true }] }',
        '{ event: tool.after, command: make a, succeeded: false }',
        '{ event: agent.stop, agent: reviewer }',
        '{ event: agent.stop, agent: [reviewer, builder] }',
      ],
      at,
    )
  const closer = (at: number): string =>
    pick(
      [
        '{ event: tool.after, command: make b }',
        '{ event: tool.before, action: spawn, agent: builder }',
        '{ event: tool.before, action: write }',
      ],
      at,
    )
  const capture =
    nth % 4 === 1
      ? 'capture: { v: { json: { type: object, required: [verdict], properties: { verdict: { enum: [approve] } } } } }, '
      : ''
  const gate = (name: string, at: number) => `  ${name}:
    initial: closed
    transitions:
      - { from: closed, to: open, ${at === 0 ? capture : ''}when: ${opener(at)} }
      - { from: open, to: closed, when: ${closer(at + 1)} }
    rules:
      - { while: closed, when: { event: tool.before, command: git push${pick(['', ', caller: main', ', caller: builder'], at)} }, then: deny, message: ${name} }
`
  const asks = nth % 2 ? '      - { when: { event: tool.before, command: make }, then: ask, message: sure? }\n' : ''
  const named =
    nth % 3
      ? '      - { when: { event: tool.before, command: git push, caller: builder }, then: deny, message: not you }\n'
      : ''
  const rules = asks + named
  return `gates:\n${gate('one', 0)}${nth % 2 ? gate('two', 2) : ''}${rules && `  more:\n    rules:\n${rules}`}`
}

/** A session of Claude Code: what the hook says to each call. */
class Session {
  #calls = 0
  asked = false

  constructor(readonly sandbox: InProcessSandbox) {}

  async hook(payload: object): Promise<string> {
    const base = { session_id: 's', cwd: '/home/dev/proj' }
    const { stdout } = await this.sandbox.hookInProcess('claude-code', JSON.stringify({ ...base, ...payload }))
    const decision = stdout === '' ? 'pass' : (JSON.parse(stdout).hookSpecificOutput?.permissionDecision ?? 'pass')
    if (decision === 'ask') this.asked = true
    return decision
  }

  async call(tool_name: string, tool_input: object, how: string, by = {}, stdout = ''): Promise<string> {
    this.#calls += 1
    const call = { tool_name, tool_input, tool_use_id: `t${this.#calls}`, ...by }
    const decision = await this.hook({ hook_event_name: 'PreToolUse', ...call })
    if (how === 'succeeds')
      await this.hook({ hook_event_name: 'PostToolUse', ...call, tool_response: { stdout, stderr: '' } })
    if (how === 'fails')
      await this.hook({ hook_event_name: 'PostToolUseFailure', ...call, error: `Exit code 1\n${stdout}` })
    return decision
  }

  /** An agent from its spawn to its end, with what it does between. */
  async agent(agent_type: string, answer = 'done', work: (by: object) => Promise<unknown> = async () => {}) {
    const by = { agent_id: `a${this.#calls}`, agent_type }
    const spawn = {
      tool_name: 'Agent',
      tool_input: { subagent_type: agent_type, prompt: 'go' },
      tool_use_id: `s${agent_type}`,
    }
    expect(await this.hook({ hook_event_name: 'PreToolUse', ...spawn })).not.toBe('deny')
    await this.hook({ hook_event_name: 'SubagentStart', ...by })
    const done = await work(by)
    await this.hook({ hook_event_name: 'SubagentStop', ...by, stop_hook_active: false, last_assistant_message: answer })
    await this.hook({
      ...{ hook_event_name: 'PostToolUse', ...spawn },
      tool_response: { status: 'completed', content: [{ type: 'text', text: answer }] },
    })
    return done
  }

  /** Does what a flip says, then asks; undefined where it says something that this test does not read. */
  async follow(says: string): Promise<string | undefined> {
    const push = (by = {}) => this.call('Bash', { command: 'git push' }, 'begins', by)
    const [change = ''] = says.split(/:? (?:then )?this (?:passes|is )/)
    const caller = /done by (?:the agent `(\w+)`|(any agent|an agent that the policy does not name))/.exec(change)
    for (const part of change
      .replace(/(?:, and )?done by .*/, '')
      .split(/, then |, and /)
      .filter(Boolean)) {
      const line = /`([^`]+)` that (succeeds|fails)(?: and prints `([^`]+)`)?/.exec(part)
      const by = /, by (?:the agent `(\w+)`|an agent),/.exec(part)
      const stop = /the end of the agent `(\w+)`(?:, with the answer `([^`]+)`)?/.exec(part)
      const run = (who = {}) => this.call('Bash', { command: line?.[1] }, line?.[2] ?? '', who, line?.[3])
      if (line && by) await this.agent(by[1] ?? 'zed', 'done', run)
      else if (line) await run()
      else if (stop) await this.agent(stop[1] ?? '', stop[2])
      else return undefined
    }
    if (!caller) return push()
    // any agent is also each that the policy names
    const names = caller[1] ? [caller[1]] : caller[2] === 'any agent' ? ['zed', 'builder', 'reviewer'] : ['zed']
    const said = new Set<unknown>()
    for (const name of names) said.add(await this.agent(name, 'done', push))
    return said.size === 1 ? String([...said][0]) : 'different'
  }
}

it('every flip holds when it is played through the hook', async () => {
  let [played, unread] = [0, 0]
  for (let nth = 0; nth < 20; nth += 1) {
    const policy = policyOf(nth * 7 + 1)
    const flips = await withStage(async stage => {
      stage.put('signalbox.yaml', policy)
      await stage.run(['explain', '--json', 'git push'])
      return JSON.parse(stage.said).counterfactuals as readonly { text: string; decision: string; by: string }[]
    })
    for (const { text: says, decision } of flips) {
      const { got, asked } = await withInProcessSandbox({ project: policy }, async sandbox => {
        const session = new Session(sandbox)
        return { got: await session.follow(says), asked: session.asked }
      })
      if (got === undefined) unread += 1
      else {
        played += 1
        expect({ says, got, policy }).toEqual({ says, got: decision, policy })
        if (decision !== 'ask')
          expect({ says, asked }).toEqual({ says, asked: says.includes('(a person is asked first)') })
      }
    }
  }
  expect(played).toBeGreaterThan(12)
  expect(unread).toBeLessThan(played / 4)
})
