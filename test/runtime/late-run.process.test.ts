import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { BIN, type Sandbox, withSandbox } from '../support/sandbox.ts'

const POLICY = `
gates:
  tests:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true }, context: committing is open now }
      - { from: open, to: closed, when: { event: tool.before, action: [write, delete] } }
    rules:
      - while: closed
        when: { event: tool.before, command: git commit }
        then: deny
        message: tests first
        suggest: npm test
`
const RUN = 'signalbox run -- npm test'

/** An agent whose shell tool gives a command back before it has ended, as Claude Code's does after two minutes. */
class Agent {
  #calls = 0
  constructor(
    readonly sandbox: Sandbox,
    readonly session = 's',
  ) {
    const bin = join(sandbox.folder, 'bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(sandbox.project, 'package.json'), '{}')
    this.#program(join(bin, 'npm'), 'echo "ran $*"; exit $EXIT')
    this.#program(join(bin, 'signalbox'), `exec "${process.execPath}" "${BIN}" "$@"`)
  }

  #program(file: string, text: string): void {
    writeFileSync(file, `#!/bin/sh\n${text}\n`)
    chmodSync(file, 0o755)
  }

  shell(line: string): string {
    const { folder, home, project: cwd } = this.sandbox
    const env = { PATH: `${folder}/bin:/usr/bin:/bin`, HOME: home, SIGNALBOX_HOME: home }
    return execFileSync('/bin/bash', ['-c', `{ ${line}\n} 2>&1 || true`], { cwd, env, encoding: 'utf8' })
  }

  async #hook(payload: object): Promise<string> {
    const base = { session_id: this.session, cwd: '/home/dev/proj' }
    const { stdout } = await this.sandbox.hookInProcess('claude-code', JSON.stringify({ ...base, ...payload }))
    if (stdout === '') return ''
    const { permissionDecisionReason, additionalContext } = JSON.parse(stdout).hookSpecificOutput ?? {}
    return permissionDecisionReason ?? additionalContext ?? ''
  }

  /** The call, and its end. */
  async call(tool: string, input: object, response: object = { stdout: '', stderr: '' }): Promise<string> {
    const call = { tool_name: tool, tool_input: input, tool_use_id: `t${this.#calls++}` }
    const refused = await this.#hook({ hook_event_name: 'PreToolUse', ...call })
    if (refused.includes('tests first')) return refused
    return this.#hook({ hook_event_name: 'PostToolUse', ...call, tool_response: response })
  }

  /** A command that goes on behind its call. */
  async begin(command: string, input = {}): Promise<void> {
    const response = { stdout: '', stderr: '', interrupted: false, backgroundTaskId: 'b1' }
    await this.call('Bash', { command, ...input }, response)
  }

  commit = (): Promise<string> => this.call('Bash', { command: 'git commit -m x' })
  write = (): Promise<string> => this.call('Write', { file_path: '/home/dev/proj/a.txt', content: 'x' })
}

const withAgent = (work: (agent: Agent) => Promise<void>) =>
  withSandbox({ user: POLICY }, sandbox => work(new Agent(sandbox)))

const refused = (text: string) => expect(text).toContain('tests first')
const forgetLeft = ({ sandbox }: Agent) => rmSync(join(sandbox.home, 'state/runs'), { recursive: true })

describe('a command that outlasts its call', () => {
  it.each([
    ['is moved to the background', {}],
    ['is begun there', { run_in_background: true }],
  ])('opens the gate when it ends, though nobody reads its output, where it %s', (_, input) =>
    withAgent(async agent => {
      await agent.begin(RUN, input)
      const told = await agent.commit()
      refused(told)
      expect(told).toContain(
        `Your last run, \`${RUN}\`, is still running. The gate opens when it succeeds: wait until it ends and read its output, then try again. If it was stopped, give it a longer timeout.`,
      )
      agent.shell(RUN)
      expect(await agent.commit()).not.toContain('tests first')
    }),
  )

  it.each(['TaskOutput', 'BashOutput', 'Read', 'Bash'])('opens it when its end is read by %s', tool =>
    withAgent(async agent => {
      await agent.begin(RUN)
      const output = agent.shell(RUN)
      // a sandbox may keep `signalbox run` from leaving its word
      forgetLeft(agent)
      refused(await agent.commit())
      const said = await agent.call(tool, { command: 'cat /tmp/b1.output', file_path: '/tmp/b1.output' }, { output })
      expect(said).toContain('committing is open now')
      expect(await agent.commit()).not.toContain('tests first')
    }),
  )

  it('does not open it if it fails, and the agent is told', () =>
    withAgent(async agent => {
      await agent.begin(RUN)
      agent.shell(`EXIT=1 ${RUN}`)
      const told = await agent.commit()
      refused(told)
      expect(told).toContain('did not count: it failed.')
    }))

  it('counts once', () =>
    withAgent(async agent => {
      await agent.begin(RUN)
      const output = agent.shell(RUN)
      expect(await agent.commit()).not.toContain('tests first')
      await agent.write()
      refused(await agent.commit())
      await agent.call('Read', { file_path: '/tmp/b1.output' }, { output })
      refused(await agent.commit())
    }))

  it('does not count for a gate that is closed by a call made meanwhile', () =>
    withAgent(async agent => {
      await agent.begin(RUN)
      await agent.write()
      agent.shell(RUN)
      const told = await agent.commit()
      refused(told)
      expect(told).toContain('did not count: a call that was made while it ran closed the gate. Run it again.')
      await agent.begin(RUN)
      agent.shell(RUN)
      expect(await agent.commit()).not.toContain('tests first')
    }))

  it('counts though other calls were made, or refused', () =>
    withAgent(async agent => {
      await agent.begin(RUN)
      refused(await agent.commit())
      await agent.call('Bash', { command: 'ls' })
      agent.shell(RUN)
      await agent.write()
      refused(await agent.commit())
      await agent.begin(RUN)
      agent.shell(RUN)
      await agent.call('Bash', { command: 'ls' })
      expect(await agent.commit()).not.toContain('tests first')
    }))
})

describe('what is no end of it', () => {
  const stays = (name: string, work: (agent: Agent) => Promise<void>) =>
    it(name, () =>
      withAgent(async agent => {
        await work(agent)
        refused(await agent.commit())
      }),
    )
  const HOUR = 3_600_000

  stays('a run before it', async agent => {
    const output = agent.shell(RUN)
    await agent.begin(RUN)
    await agent.call('Read', { file_path: '/tmp/b1.output' }, { output })
  })
  stays('a run of a call that was refused, or that nobody saw', async agent => {
    const output = agent.shell(RUN)
    await agent.call('Read', { file_path: '/tmp/b1.output' }, { output })
  })
  stays('a run that began long after it', async agent => {
    await agent.begin(RUN)
    // a script that nobody sees runs it, when the other one is gone
    const clock = join(agent.sandbox.folder, 'later.cjs')
    writeFileSync(clock, `const now = Date.now; Date.now = () => now() + ${HOUR}`)
    const output = agent.shell(`NODE_OPTIONS="--require ${clock}" ${RUN}`)
    expect(output).toMatch(/signalbox run: exit 0 \[/)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * HOUR })
    try {
      await agent.call('Read', { file_path: '/tmp/b1.output' }, { output })
      refused(await agent.commit())
    } finally {
      vi.useRealTimers()
    }
  })
  stays('another command', async agent => {
    await agent.begin(RUN)
    const output = agent.shell('signalbox run -- true')
    await agent.call('Read', { file_path: '/tmp/b1.output' }, { output })
  })
  stays('its line with another status', async agent => {
    await agent.begin(RUN)
    const output = agent.shell(`EXIT=1 ${RUN}`).replace('exit 1', 'exit 0')
    forgetLeft(agent)
    await agent.call('Read', { file_path: '/tmp/b1.output' }, { output })
  })
  stays('a line that somebody wrote into the state folder', async agent => {
    await agent.begin(RUN)
    agent.shell(`EXIT=1 ${RUN}`)
    const folder = join(agent.sandbox.home, 'state/runs')
    for (const name of readdirSync(folder))
      writeFileSync(
        join(folder, name),
        `signalbox run: exit 0 [${Date.now().toString(36)}.1.00000000.${'A'.repeat(22)}]\n`,
      )
  })
  stays('that of another session', async agent => {
    const other = new Agent(agent.sandbox, 'other')
    await other.begin(RUN)
    agent.shell(RUN)
  })
})

it('the line that `signalbox run` leaves is used by one session only', () =>
  withAgent(async agent => {
    const other = new Agent(agent.sandbox, 'other')
    await agent.begin(RUN)
    await other.begin(RUN)
    agent.shell(RUN)
    expect(await agent.commit()).not.toContain('tests first')
    refused(await other.commit())
  }))

it('a plain command that outlasts its call proves nothing: the refusal says what to type', () =>
  withAgent(async agent => {
    await agent.begin('npm test')
    const told = await agent.commit()
    refused(told)
    expect(told).toContain(
      'Your last run, `npm test`, did not count: no exit code was reported: it may still be running, or it was stopped. Run `signalbox run -- npm test`: that counts when it ends, in the background too.',
    )
  }))

describe('an agent that is told nothing when its client gives a command back', () => {
  let calls = 0
  const codex = async ({ sandbox }: Agent, event: string, command: string, more = {}): Promise<string> => {
    const id = event === 'PreToolUse' ? ++calls : calls
    const payload = {
      ...{ session_id: 'c', turn_id: 'u', cwd: '/home/dev/proj', hook_event_name: event, model: 'm' },
      ...{ permission_mode: 'bypassPermissions', tool_name: 'Bash', tool_input: { command }, tool_use_id: `c${id}` },
    }
    const { stdout } = await sandbox.hookInProcess('codex-cli', JSON.stringify({ ...payload, ...more }))
    return stdout
  }
  const commits = (agent: Agent): Promise<string> => codex(agent, 'PreToolUse', 'git commit -m x')

  it('hears that the command may still run, and the gate opens when it has ended', () =>
    withAgent(async agent => {
      await codex(agent, 'PreToolUse', RUN)
      const told = await commits(agent)
      refused(told)
      expect(told).toContain(
        'is still running. The gate opens when it succeeds: wait until it ends and read its output',
      )
      agent.shell(RUN)
      expect(await commits(agent)).not.toContain('tests first')
      // its end, read later, is nothing new
      await agent.write()
      expect(await codex(agent, 'PostToolUse', RUN, { tool_use_id: 'c1', tool_response: '' })).toBe('')
    }))

  it('does not open the gate for a command that fails, nor over an edit', () =>
    withAgent(async agent => {
      await codex(agent, 'PreToolUse', RUN)
      agent.shell(`EXIT=3 ${RUN}`)
      expect(await commits(agent)).toContain('did not count: it failed.')
      await codex(agent, 'PreToolUse', RUN)
      await codex(agent, 'PreToolUse', 'echo x > a')
      agent.shell(RUN)
      refused(await commits(agent))
    }))

  it('needs one record of a command whose end comes with its call', () =>
    withAgent(async agent => {
      await codex(agent, 'PreToolUse', RUN)
      const output = agent.shell(RUN)
      await codex(agent, 'PostToolUse', RUN, { tool_response: output })
      expect(await commits(agent)).not.toContain('tests first')
      const { stdout } = await agent.sandbox.run(['log', '--all', '--everywhere', '--json'])
      expect(stdout.split('\n').filter(line => line.includes('"tool.after"'))).toHaveLength(1)
    }))
})

it('a line with a secret is not kept', () =>
  withAgent(async agent => {
    await agent.begin(`API_TOKEN=hunter2hunter2 ${RUN}`)
    agent.shell(RUN)
    refused(await agent.commit())
  }))

it('a line that a pipe or a redirection takes away is found in the state folder', () =>
  withAgent(async agent => {
    const command = `${RUN} 2>/dev/null | head -n 1`
    // the end of the call comes after the run
    const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: 'p1' }
    const payload = { session_id: 's', cwd: '/home/dev/proj', ...call }
    await agent.sandbox.hookInProcess('claude-code', JSON.stringify({ ...payload, hook_event_name: 'PreToolUse' }))
    agent.shell(command)
    const response = { tool_response: { stdout: 'ran test', stderr: '', interrupted: false } }
    const end = { ...payload, hook_event_name: 'PostToolUse', ...response }
    await agent.sandbox.hookInProcess('claude-code', JSON.stringify(end))
    expect(await agent.commit()).not.toContain('tests first')
  }))

it('what was left is removed after two days', () =>
  withAgent(async agent => {
    agent.shell('signalbox run -- true')
    const folder = join(agent.sandbox.home, 'state/runs')
    const [old = ''] = readdirSync(folder)
    agent.shell(`touch -d '3 days ago' '${join(folder, old)}'; signalbox run -- npm test`)
    expect(existsSync(join(folder, old))).toBe(false)
    expect(readdirSync(folder)).toHaveLength(1)
  }))
