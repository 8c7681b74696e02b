import { join } from 'node:path'
import { CANARY_SESSION } from '../../../engine/index.ts'
import {
  type DoctorContext,
  type DoctorEnvironment,
  hooksThatCanDeny,
  type InstalledAgent,
  type RegisteredHook,
  repairCommandFor,
} from '../context.ts'
import { failureCostOf } from '../failure-cost.ts'
import type { DoctorFinding } from '../finding.ts'
import { hookEnvironmentOf } from '../read/hook-environment.ts'
import { resolveSettingsPath } from '../read/settings-files.ts'
import type { LiveProof } from './live-proof.ts'
import { type ProcessResult, runToEnd } from './process.ts'
import { repeatWithDaemon } from './repeat-with-daemon.ts'
import { ScratchProject } from './scratch-project.ts'

/** For handlers without a timeout; agents wait longer. */
const DEFAULT_TIMEOUT_MS = 30_000

/** Tests each command that can deny a call, once, with a call that the scratch project denies. */
export async function runCommandCanaries(context: DoctorContext): Promise<readonly LiveProof[]> {
  const proofs: LiveProof[] = []
  for (const agent of context.agents) {
    const seen = new Set<string>()
    for (const hook of hooksThatCanDeny(agent)) {
      const key = `${hook.file} ${hook.command}`
      if (seen.has(key)) continue
      seen.add(key)
      proofs.push(await proveCommand(hook, agent, context))
    }
  }
  return proofs
}

async function proveCommand(hook: RegisteredHook, agent: InstalledAgent, context: DoctorContext): Promise<LiveProof> {
  const scratch = new ScratchProject()
  try {
    for (const name of projectPartsUsedBy(hook)) scratch.link(join(context.root, name), join(scratch.project, name))
    // a launcher that looks for the user's copy of the program finds it there
    scratch.link(context.folders.data, join(scratch.state, 'data'))
    // the session id marks a canary, in case the hook uses the real state after all
    const id = `${CANARY_SESSION}${scratch.word}`
    const first = await sendCanary(hook, agent, context, scratch, id)
    let nth = 0
    const again = await repeatWithDaemon(scratch.state, () =>
      sendCanary(hook, agent, context, scratch, `${id}-${++nth}`),
    )
    const failed = [first, again].find(called => called && !called.isDenied)
    const proof = { kind: 'command' as const, client: agent.client.id, title: agent.client.title, ms: first.ended.ms }
    const place = { file: hook.file, line: hook.line, ...(again && { daemonMs: again.ended.ms }) }
    if (!failed) return { ...proof, ...place, verdict: 'denied' }
    return { ...proof, ...place, verdict: 'not-denied', finding: canaryFindingOf(hook, agent, failed, context) }
  } finally {
    scratch.remove()
  }
}

/** Sends one canary, as the agent would. */
async function sendCanary(
  hook: RegisteredHook,
  agent: InstalledAgent,
  context: DoctorContext,
  scratch: ScratchProject,
  id: string,
) {
  const now = new Date(context.now).toISOString()
  const { project: cwd, command, word } = scratch
  const { event, payload } = agent.registering.canary({ command, id, cwd, now })
  const ended = await runToEnd({
    ...launchCommandOf(hook, agent, context.env),
    env: { ...hookEnvironmentOf(agent, hook, context.env, cwd), SIGNALBOX_HOME: scratch.state },
    cwd: workingFolderOf(hook, agent, context) ?? cwd,
    input: JSON.stringify(payload),
    timeoutMs: hook.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  })
  const [first] = agent.client.decode(payload, { event })
  const ran = { exitCode: ended.exitCode ?? 137, stdout: ended.stdout, stderr: ended.stderr }
  const parsed = first ? agent.client.readOutput(ran, first) : { failed: 'its own payload cannot be read' }
  const reason = 'failed' in parsed ? '' : 'reason' in parsed.verdict ? parsed.verdict.reason : ''
  const isRefused = 'verdict' in parsed && parsed.verdict.decision === 'deny' && reason.includes(word)
  return { ended, parsed, isDenied: isRefused && !ended.timedOut }
}

/** How the agent starts the command. */
function launchCommandOf(
  { command, words }: RegisteredHook,
  { checkup }: InstalledAgent,
  env: DoctorEnvironment,
): { command: string; args: readonly string[] } {
  const [program, ...args] = words ?? []
  if (program !== undefined) return { command: program, args }
  switch (checkup.starts.shell) {
    case 'bash':
      return { command: 'bash', args: ['-c', command] }
    case 'user':
      return { command: env.SHELL || '/bin/sh', args: ['-lc', command] }
    default:
      return { command: '/bin/sh', args: ['-c', command] }
  }
}

function workingFolderOf(
  { scope }: RegisteredHook,
  { checkup, client }: InstalledAgent,
  { root, folders, env }: DoctorContext,
): string | undefined {
  const path = checkup.starts.cwd?.[scope]
  return path && resolveSettingsPath(path, { root, home: folders.home, env, moves: client.moves })
}

/** Top-level names in the project that a relative command uses. */
export function projectPartsUsedBy({ command }: RegisteredHook): readonly string[] {
  const relative = [...command.matchAll(/(?:^|[\s"'=])\.?\/?([\w.@-]+)\/[\w./@-]*/g)].map(([, first = '']) => first)
  return [...new Set(['.signalbox', 'node_modules', ...relative])].filter(
    name => name !== '.' && name !== '..' && name !== '',
  )
}

/** A shell's exit code for a command that is not found. */
const NOT_FOUND = 127

function canaryFindingOf(
  hook: RegisteredHook,
  agent: InstalledAgent,
  { ended, parsed }: { readonly ended: ProcessResult; readonly parsed: { readonly failed: string } | object },
  context: DoctorContext,
): DoctorFinding {
  const { timedOut, startError, exitCode, stderr, ms } = ended
  const { client } = agent
  const place = { client: client.id, file: hook.file, line: hook.line, fix: repairCommandFor(agent, hook) }
  const unchecked = `every ${client.title} call passes unchecked`
  if (timedOut)
    return {
      ...place,
      id: 'LIVE-LATE',
      severity: 'problem',
      effect: unchecked,
      found: `no reply to the test call within ${ms} ms`,
    }
  const firstLine = stderr.trim().split('\n')[0] ?? ''
  const why =
    startError ?? ('failed' in parsed ? String(parsed.failed) : firstLine || `exit code ${exitCode} and no output`)
  const isSilent = startError === undefined && !('failed' in parsed) && exitCode === 0
  return {
    ...place,
    id: isSilent ? 'LIVE-NOT-DENIED' : 'LIVE-NO-ANSWER',
    severity: 'problem',
    effect: startError !== undefined || exitCode === NOT_FOUND ? failureCostOf(hook, agent, context) : unchecked,
    found: isSilent
      ? `the test call was not denied${firstLine ? `: ${firstLine}` : ''}`
      : `the test call got no reply: ${why}`,
  }
}
