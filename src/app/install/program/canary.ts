import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Client } from '../../../clients/index.ts'
import { clientSettingsById, type SettingsScope } from '../../../clients/settings.ts'
import { CANARY_SESSION } from '../../../engine/index.ts'
import { isObject } from '../../../lib/json.ts'
import type { InstallPaths } from '../install-paths.ts'
import { type HookRegistration, readRegistrations } from '../settings-file/registrations.ts'

/** A command that agents must never run. Harmless if it is not denied: it only works for a person. */
const CANARY_COMMAND = 'signalbox off'

/** Text of the rule that denies it: a denial without it comes from another hook, or is a failure. */
const DENIAL_TEXT = 'Only people can switch Signalbox'

const TIMEOUT_MS = 15_000
/** The hook uses the same text for its own deadline. */
const NO_ANSWER = 'no reply within'
const TIMEOUT_MESSAGE = `${NO_ANSWER} ${TIMEOUT_MS / 1000} s`

export interface CanaryResult {
  readonly client: string
  readonly scope: SettingsScope
  readonly file: string
  /** the command in the settings file; undefined: there is none */
  readonly command: string | undefined
  /** the call was denied, with the text of the rule */
  readonly denied: boolean
  readonly ms: number
  /** what happened instead of a denial */
  readonly why?: string
  /** the command does not start Signalbox at all */
  readonly isDead?: boolean
}

/** Sends a call that is always denied through the command in the agent's settings, as the agent would. Retries if the hook was too slow. */
export async function runCanary(
  client: Client,
  scope: SettingsScope,
  paths: InstallPaths,
): Promise<CanaryResult | undefined> {
  const first = await probeOnce(client, scope, paths)
  return first?.why !== TIMEOUT_MESSAGE && first?.why?.includes(NO_ANSWER) ? probeOnce(client, scope, paths) : first
}

async function probeOnce(client: Client, scope: SettingsScope, paths: InstallPaths): Promise<CanaryResult | undefined> {
  const found = readRegistrations(client, scope, paths)
  const how = clientSettingsById(client.id)
  if (!found || !how) return undefined
  const cwd = paths.project ?? paths.cwd
  const id = `${CANARY_SESSION}${randomBytes(6).toString('hex')}`
  const { event, payload } = how.canary({ command: CANARY_COMMAND, id, cwd, now: new Date().toISOString() })
  const ours = found.hooks.find(hook => hook.isOurs && (hook.event === event || hook.event === '*'))
  const base = { client: client.id, scope, file: found.file, command: ours?.command }
  if (!ours) return { ...base, denied: false, ms: 0, why: found.problem ?? `the file has no hook for ${event}` }
  // the command may work, but the agent does not load the file
  if (found.problem !== undefined) return { ...base, denied: false, ms: 0, why: found.problem }
  const began = performance.now()
  const send = (input: string) =>
    runProcess(commandWordsOf(ours, event), input, cwd, canaryEnvironmentOf(client, paths, cwd))
  const ran = await send(JSON.stringify(payload))
  const ms = Math.round(performance.now() - began)
  // a timeout may only mean that it is slow
  if (typeof ran === 'string')
    return { ...base, denied: false, ms, why: ran, ...(ran !== TIMEOUT_MESSAGE && { isDead: true }) }
  const [decoded] = client.decode(payload, { event })
  const parsed = decoded ? client.readOutput(ran, decoded) : { failed: 'there is no test call for this agent' }
  const reason = 'verdict' in parsed && parsed.verdict.decision === 'deny' ? parsed.verdict.reason : undefined
  const denied = reason?.includes(DENIAL_TEXT) === true
  const other = reason === undefined ? undefined : `denied, but not by Signalbox: ${reason.split('\n')[0]}`
  const errorLine =
    other ?? (ran.stderr.trim().split('\n')[0] || ('failed' in parsed ? parsed.failed : 'the test call was not denied'))
  if (denied) return { ...base, denied, ms }
  // a person may have disabled the rule that denies it: check whether the hook itself works
  const isDead = reason === undefined && !isSignalboxReply(await send(''))
  return { ...base, denied, ms, why: errorLine, ...(isDead && { isDead }) }
}

/** A shell's exit code for a command that is not found. */
const NOT_FOUND = 127

/** For empty input Signalbox reports that there is no event, or that its deadline passed. */
const isSignalboxReply = (ran: CanaryProcessResult | string): boolean =>
  typeof ran === 'string'
    ? ran === TIMEOUT_MESSAGE
    : ran.exitCode !== NOT_FOUND && `${ran.stdout}${ran.stderr}`.includes('signalbox: ')

/** Agents pass the command to a shell; a plugin starts program and arguments itself. */
function commandWordsOf({ command, handler }: HookRegistration, event: string): readonly string[] {
  if (!isObject(handler) || !Array.isArray(handler.command)) return ['sh', '-c', command]
  const client = /--client (\S+)$/.exec(command)?.[1] ?? ''
  const { onError } = handler
  return [...handler.command.map(String), 'hook', '--client', client, '--event', event, '--on-error', String(onError)]
}

const canaryEnvironmentOf = ({ projectEnv }: Client, { env }: InstallPaths, cwd: string) => ({
  ...env,
  ...(projectEnv && { [projectEnv]: cwd }),
})

interface CanaryProcessResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

function runProcess(
  [program = '', ...args]: readonly string[],
  input: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<CanaryProcessResult | string> {
  return new Promise(done => {
    const child = spawn(program, args, { cwd, env, stdio: 'pipe' })
    const output = { stdout: '', stderr: '' }
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      done(TIMEOUT_MESSAGE)
    }, TIMEOUT_MS)
    child.stdout.on('data', chunk => {
      output.stdout += chunk
    })
    child.stderr.on('data', chunk => {
      output.stderr += chunk
    })
    child.on('error', error => {
      clearTimeout(timer)
      done(error.message)
    })
    child.on('close', code => {
      clearTimeout(timer)
      done({ exitCode: code ?? 1, ...output })
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}
