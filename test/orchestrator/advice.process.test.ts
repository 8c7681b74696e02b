import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { BIN } from '../support/sandbox.ts'
import { Stage } from './stage.ts'

const stages: Stage[] = []
afterEach(() => {
  for (const stage of stages.splice(0)) stage.end()
})

const DECISION = '{"intent":"feature","complexity":"low","workflow_selection":"no workflow","confidence":0.9}'

/** An agent that does what refusals name, step by step, and counts them. */
class Follower {
  readonly reasons: string[] = []
  #calls = 0

  constructor(
    readonly stage: Stage,
    readonly session = 's',
    readonly env: Readonly<Record<string, string>> = {},
  ) {
    stages.push(stage)
  }

  /** The reason of a refusal, else `undefined`. */
  hook(payload: object): string | undefined {
    const input = JSON.stringify({ session_id: this.session, cwd: this.stage.project, ...payload })
    const options = {
      input,
      cwd: this.stage.project,
      env: { ...this.stage.env, ...this.env },
      encoding: 'utf8',
    } as const
    const said = execFileSync(process.execPath, [BIN, 'hook', '--client', 'claude-code'], options)
    const { hookSpecificOutput: reply } = said === '' ? {} : JSON.parse(said)
    if (reply?.permissionDecision !== 'deny') return undefined
    this.reasons.push(reply.permissionDecisionReason)
    return reply.permissionDecisionReason
  }

  call(tool_name: string, tool_input: object, by: object = {}): string | undefined {
    this.#calls += 1
    return this.hook({ hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id: `t${this.#calls}`, ...by })
  }

  /** What it is told to do, first to last, until the file is written or nothing more is told. */
  async write(file: string, by: object = {}): Promise<void> {
    const reason = this.call('Write', { file_path: join(this.stage.project, file), content: 'x' }, by)
    if (reason === undefined) return writeFileSync(join(this.stage.project, file), 'x')
    for (const [, agent, line] of reason.matchAll(/subagent_type `([^`]+)`|run `(signalbox orchestrate[^`]*)`/g)) {
      if (existsSync(join(this.stage.project, file)) || this.reasons.length > 6) return
      if (line) await this.#orchestrate(line, file)
      if (agent) await this.#spawn(agent, file)
    }
    if (!existsSync(join(this.stage.project, file)) && this.reasons.length < 6) await this.write(file, by)
  }

  async #spawn(agent: string, file: string): Promise<void> {
    if (this.call('Agent', { subagent_type: agent, prompt: 'do it' }) !== undefined) return
    const by = { agent_id: 'a1', agent_type: agent }
    if (agent === 'router') this.hook({ hook_event_name: 'SubagentStop', ...by, last_assistant_message: DECISION })
    else await this.write(file, by)
  }

  async #orchestrate(line: string, file: string): Promise<void> {
    if (this.call('Bash', { command: line.replace('<task>', 'write a file') }) !== undefined) return
    const { stage } = this
    const out = join(stage.folder, 'inner.out')
    const hook = stage.hookLine(join(stage.project, file))
    stage.plays('claude', 'claude-ok', { first: `${hook} > '${out}'; grep -q '"deny"' '${out}' || echo x > '${file}'` })
    const { stderr } = await stage.run(['--backend', 'claude', 'write a file'])
    expect(stderr).toContain('▸ claude')
    const said = readFileSync(out, 'utf8')
    if (said.includes('"deny"')) this.reasons.push(JSON.parse(said).hookSpecificOutput.permissionDecisionReason)
  }
}

const repeated = (reason: string): readonly string[] => {
  const sentences = reason.split(/\n|(?<=[.!?])\s+/).filter(one => one.length > 12)
  return sentences.filter((one, at) => sentences.indexOf(one) !== at)
}

it.each([
  ['router-first, orchestrator-boundary, master-orchestrator, tool-routing', 1],
  ['master-orchestrator, orchestrator-boundary, router-first', 1],
  ['orchestrator-boundary, master-orchestrator', 1],
  ['orchestrator-boundary, router-first', 1],
  ['router-first, master-orchestrator', 1],
  ['orchestrator-boundary', 1],
])('with the packs %s the file is written after %d refusal', async (packs, refusals) => {
  const agent = new Follower(new Stage(`use: [${packs}]\n`))
  await agent.write('a.txt')
  expect(existsSync(join(agent.stage.project, 'a.txt'))).toBe(true)
  expect(agent.reasons).toHaveLength(refusals)
  for (const reason of agent.reasons) expect(repeated(reason)).toEqual([])
})

it('what refuses again says so once, and names the step to begin with', async () => {
  const agent = new Follower(new Stage('use: [router-first, orchestrator-boundary, master-orchestrator]\n'))
  const write = () => agent.call('Write', { file_path: join(agent.stage.project, 'a'), content: 'x' }) ?? ''
  const told = [write(), write(), write(), write(), write(), write()]
  for (const reason of told) {
    expect(repeated(reason)).toEqual([])
    expect(reason).toMatch(/^1\. Route first[\s\S]*\n2\. ⛔ This goes through the orchestrator/)
    expect(reason).toContain('The gate "orchestrator-boundary" denies it too, and needs no extra step.')
    expect(reason).not.toContain('modular-builder')
  }
  expect(told[1]?.match(/Denied before/g)).toHaveLength(1)
  expect(told[5]?.match(/stop trying/g)).toHaveLength(1)
})

it('an approval says which gates let its task by', async () => {
  const stage = new Stage('use: [router-first, orchestrator-boundary, master-orchestrator, tool-routing]\n')
  stages.push(stage)
  stage.plays('claude', 'claude-ok')
  const { stdout } = await stage.say('--plan', 'add a login page with a form')
  expect(stdout).toContain('approval  for 30 min; bypasses router-first, orchestrator-boundary, master-orchestrator\n')
  const json = JSON.parse((await stage.say('--plan', '--json', 'add a login page with a form')).stdout)
  expect(json).toMatchObject({
    lifts: [],
    bypassedGates: ['router-first', 'orchestrator-boundary', 'master-orchestrator'],
  })
})
