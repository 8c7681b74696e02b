import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Reply } from '../../src/clients/index.ts'
import { DECISIONS, type Decision } from '../../src/engine/index.ts'
import { capture } from '../support/clients/captures.ts'
import { type Understood, understood } from '../support/clients/replies.ts'
import { type Sandbox, withSandbox } from '../support/sandbox.ts'
import { adopted, policyOf } from './adopting.ts'

/** Keeps what it was given under its name, and answers with a file that was prepared. */
const SCRIPT = `name=$1; cat > "$OUT/$name.in"; env -0 | sort -z > "$OUT/$name.env"; pwd > "$OUT/$name.cwd"
cat "$OUT/$name.out"; cat "$OUT/$name.err" >&2; exit "$(cat "$OUT/$name.code")"`

interface Says {
  readonly stdout?: object | string
  readonly stderr?: string
  readonly exitCode?: number
}

interface Case {
  readonly client: string
  /** the recorded payload */
  readonly payload: string
  readonly event: string
  /** how each of the hooks answers, by the client's own rules */
  readonly says: readonly Says[]
}

const hso = (hookEventName: string, more: object): Says => ({
  stdout: { hookSpecificOutput: { hookEventName, ...more } },
})
const permission = (decision: string, reason: string, more: object = {}): Says =>
  hso('PreToolUse', { permissionDecision: decision, permissionDecisionReason: reason, ...more })
const blocks = (reason: string): Says => ({ stdout: { decision: 'block', reason } })
const exits2 = (stderr: string): Says => ({ exitCode: 2, stderr })
const quiet: Says = {}

const claude = (payload: string, ...says: Says[]): Case => ({
  client: 'claude-code',
  payload: `claude-code-2.1.325/${payload}`,
  event: payload.split('.')[0] ?? '',
  says,
})
const on =
  (client: string, folder: string) =>
  (payload: string, ...says: Says[]): Case => ({
    client,
    payload: `${folder}/${payload}`,
    event: payload.split('.')[0] ?? '',
    says,
  })
const gemini = on('gemini-cli', 'gemini-cli-0.61.0')
const codex = on('codex-cli', 'codex-cli-0.166.0')
const qwen = on('qwen-code', 'qwen-code-0.24.4')
const copilot = on('copilot-cli', 'copilot-cli-1.0.102')
const cursor = on('cursor', 'cursor-documented')

const CASES: readonly Case[] = [
  claude('PreToolUse.Bash', quiet, quiet),
  claude('PreToolUse.Bash', permission('deny', 'not here'), quiet),
  claude('PreToolUse.Bash', exits2('not there'), permission('allow', 'fine')),
  claude('PreToolUse.Bash', permission('deny', 'one'), exits2('two')),
  claude('PreToolUse.Bash', permission('ask', 'sure?'), permission('allow', 'yes')),
  claude('PreToolUse.Bash', permission('allow', 'yes'), quiet),
  claude(
    'PreToolUse.Bash',
    hso('PreToolUse', { additionalContext: 'A' }),
    hso('PreToolUse', { additionalContext: 'B' }),
  ),
  claude('PreToolUse.Write', blocks('old words'), { exitCode: 1, stderr: 'broken' }),
  claude('PreToolUse.Bash', { stdout: { systemMessage: 'look' } }),
  claude('PostToolUse.Bash', blocks('format first'), hso('PostToolUse', { additionalContext: 'C' })),
  claude('PostToolUse.Write', exits2('lint failed')),
  claude('PostToolUseFailure.Bash', hso('PostToolUseFailure', { additionalContext: 'D' })),
  claude('UserPromptSubmit', { stdout: 'plain words' }, hso('UserPromptSubmit', { additionalContext: 'E' })),
  claude('UserPromptSubmit', blocks('not today')),
  claude('SessionStart.startup', { stdout: 'welcome' }),
  claude('Stop', blocks('not done'), quiet),
  claude('SubagentStop', exits2('go on')),
  claude('PermissionRequest.Bash', hso('PermissionRequest', { decision: { behavior: 'deny', message: 'no' } })),
  claude('PermissionRequest.Bash', hso('PermissionRequest', { decision: { behavior: 'allow' } })),
  codex('PreToolUse.Bash', permission('deny', 'not here'), quiet),
  codex('PreToolUse.Bash', exits2('not there'), hso('PreToolUse', { additionalContext: 'A' })),
  codex('UserPromptSubmit', { stdout: 'plain words' }),
  codex('Stop', blocks('not done')),
  gemini('BeforeTool.run_shell_command', { stdout: { decision: 'deny', reason: 'not here' } }, quiet),
  gemini('BeforeTool.run_shell_command', exits2('not there'), { stdout: { decision: 'allow' } }),
  gemini('BeforeTool.run_shell_command', { stdout: { decision: 'block', reason: 'one' } }, exits2('two')),
  gemini('BeforeAgent', hso('BeforeAgent', { additionalContext: 'A' }), hso('BeforeAgent', { additionalContext: 'B' })),
  gemini('AfterTool.run_shell_command', hso('AfterTool', { additionalContext: 'C' })),
  gemini('AfterAgent', { stdout: { decision: 'deny', reason: 'not done' } }),
  qwen('PreToolUse.run_shell_command', permission('deny', 'not here'), quiet),
  qwen('PreToolUse.run_shell_command', exits2('not there'), permission('allow', 'fine')),
  qwen('Stop', blocks('not done')),
  copilot('preToolUse.bash', { stdout: { permissionDecision: 'deny', permissionDecisionReason: 'not here' } }),
  copilot('preToolUse.bash', { stdout: { permissionDecision: 'ask', permissionDecisionReason: 'sure?' } }),
  copilot('preToolUse.bash', { stdout: { additionalContext: 'A' } }),
  cursor(
    'preToolUse',
    { stdout: { permission: 'deny', user_message: 'not here' } },
    { stdout: { permission: 'allow' } },
  ),
  cursor('preToolUse', exits2('not there'), { stdout: {} }),
  cursor('stop', { stdout: { followup_message: 'not done' } }),
]

const settingsOf = ({ client, event, says }: Case, script: string) => {
  const line = (nth: number) => `sh ${script} h${nth}`
  const flat = client === 'cursor' || client === 'copilot-cli'
  const items = says.map((_, nth) =>
    flat
      ? { [client === 'cursor' ? 'command' : 'bash']: line(nth) }
      : { hooks: [{ type: 'command', command: line(nth) }] },
  )
  return { hooks: { [event]: items } }
}

const KEPT = ['in', 'env', 'cwd']
const kept = (folder: string, nth: number): readonly string[] =>
  KEPT.map(what => readFileSync(join(folder, `h${nth}.${what}`), 'utf8'))

/** The one variable that is added, and what a shell sets for itself. */
const withoutOwn = (env = ''): readonly string[] =>
  env.split('\0').filter(line => !/^(SIGNALBOX_INSIDE|_|SHLVL|PWD|OLDPWD)=/.test(line))

function prepare(folder: string, says: readonly Says[]): void {
  for (const [nth, { stdout = '', stderr = '', exitCode = 0 }] of says.entries()) {
    const words = typeof stdout === 'string' ? stdout : JSON.stringify(stdout)
    writeFileSync(join(folder, `h${nth}.out`), words)
    writeFileSync(join(folder, `h${nth}.err`), stderr)
    writeFileSync(join(folder, `h${nth}.code`), String(exitCode))
  }
}

const strictest = (all: readonly Understood[]): Decision =>
  all.map(({ decision }) => decision).sort((a, b) => DECISIONS.indexOf(b) - DECISIONS.indexOf(a))[0] ?? 'pass'

const PLAIN = ['SessionStart', 'UserPromptSubmit']

/** What a client makes of one hook: plain text is context where it is read so, and nothing elsewhere. */
function heard(client: string, event: string, { stdout = '', stderr = '', exitCode = 0 }: Says): Understood {
  const silent = { decision: 'pass' as const, reason: '', context: '', message: '' }
  if (exitCode !== 0 && exitCode !== 2) return silent
  if (typeof stdout === 'string' && stdout !== '')
    return PLAIN.includes(event) ? { ...silent, context: stdout } : silent
  const reply = { exitCode, stdout: stdout === '' ? '' : JSON.stringify(stdout), stderr } as Reply
  return understood(client, reply, event)
}

async function compare(sandbox: Sandbox, one: Case): Promise<void> {
  const { client, payload, event, says } = one
  const { project, home, folder } = sandbox
  const script = join(folder, 'script.sh')
  writeFileSync(script, SCRIPT)
  prepare(folder, says)
  const { taken, remaining } = adopted(client, settingsOf(one, script))
  expect(remaining).toEqual([])
  writeFileSync(join(home, 'signalbox.yaml'), policyOf({ taken, remaining, text: '' }))
  const input = `${JSON.stringify(capture(payload))}\n`.replaceAll('/home/dev/proj', project)
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    SIGNALBOX_HOME: home,
    NO_COLOR: '1',
    OUT: folder,
    MINE: 'a  b',
  }
  // as the client would run them
  const alone = says.map((_, nth) => {
    spawnSync('bash', ['-c', `sh ${script} h${nth}`], { input, env, cwd: project })
    return kept(folder, nth)
  })
  const args = ['hook', '--client', client, ...(client === 'copilot-cli' ? ['--event', event] : [])]
  const { exitCode, stdout, stderr } = await sandbox.run(args, { input, env: { OUT: folder, MINE: 'a  b' } })
  for (const [nth, [was, wasEnv, wasCwd]] of alone.entries()) {
    const [is, isEnv, isCwd] = kept(folder, nth)
    expect({ is, isCwd }).toEqual({ is: was, isCwd: wasCwd })
    expect(withoutOwn(isEnv)).toEqual(withoutOwn(wasEnv))
  }
  const single = says.map(each => heard(client, event, each))
  const merged = understood(client, { exitCode, stdout, stderr: stdout === '' ? stderr : '' } as Reply, event)
  const decision = strictest(single)
  expect(merged.decision).toBe(decision)
  const reasons = single.filter(each => each.decision === decision && decision !== 'pass' && decision !== 'allow')
  for (const { reason } of reasons) expect(merged.reason).toContain(reason.trim())
  const contexts = single.map(({ context }) => context).filter(Boolean)
  expect(merged.context).toBe(contexts.join('\n\n---\n\n'))
  for (const { message } of single) expect(merged.message).toContain(message)
}

describe('adopted hooks get what they got, and the client hears what it heard', () => {
  it.each(CASES.map(one => [`${one.payload} ${JSON.stringify(one.says)}`, one] as const))('%s', (_, one) =>
    withSandbox({ user: '' }, sandbox => compare(sandbox, one)),
  )
})
