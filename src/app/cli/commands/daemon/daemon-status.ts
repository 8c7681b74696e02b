import { type DaemonStatus, isDaemonOff, queryDaemon } from '../../../../hook/daemon/index.ts'
import { BUILD, foldersOf } from '../../../../hook/index.ts'
import { commandNameHere } from '../../../install/index.ts'
import type { Command } from '../../command.ts'
import { installPathsOf } from '../../environment.ts'
import { readStoredVerification } from '../check/stored-verification.ts'
import { DEADLOCK_KINDS } from '../check/verification.ts'

export const daemonStatusCommand: Command = {
  name: 'daemon status',
  summary: 'Whether the daemon runs, and how it fares.',
  usage: '[--json]',
  about: { json: 'the same as JSON' },
  example: 'signalbox daemon status',
  options: { json: { type: 'boolean' } },
  async run({ values, terminal }) {
    const me = commandNameHere(installPathsOf(terminal))
    const status = await queryDaemon(foldersOf(terminal.env).state, 'status')
    if (values.json) terminal.out(`${JSON.stringify({ running: status !== undefined, ...status }, null, 2)}\n`)
    else if (status)
      terminal.out(
        `${daemonStatusLines(status, 'RUNNING', me, foldersWithDeadlocks(status, foldersOf(terminal.env).state)).join('\n')}\n`,
      )
    else {
      terminal.out('NOT RUNNING  each hook is a process of its own, and answers the same\n')
      terminal.out(isDaemonOff(terminal.env) ? 'Off   by SIGNALBOX_DAEMON\n' : `Next  ${me} daemon start\n`)
    }
    return status ? 0 : 1
  },
}

/** Folders whose policy has a known deadlock. */
export const foldersWithDeadlocks = ({ inForce = [] }: DaemonStatus, state: string): readonly string[] =>
  inForce
    .filter(({ hash }) => readStoredVerification(state, hash)?.findings.some(({ kind }) => DEADLOCK_KINDS.has(kind)))
    .map(({ folder }) => folder)

export function daemonStatusLines(
  status: DaemonStatus,
  verdict: string,
  me: string,
  stuck: readonly string[] = [],
): readonly string[] {
  const { pid, upMs, answered, policies, rss, version, node, build, metrics } = status
  return [
    `${verdict}  process ${pid}, for ${formatDuration(upMs)}`,
    `  answered  ${answered.toLocaleString('en')} ${answered === 1 ? 'event' : 'events'}; ${policies} ${policies === 1 ? 'policy' : 'policies'} at hand, ${Math.round(rss / 1e6)} MB`,
    `  program   ${version} on Node ${node}${build === BUILD ? '' : ', another build than this one: it leaves when a hook of this one comes'}`,
    ...(metrics ? [`  metrics   ${metricsText(metrics)}`] : []),
    ...(stuck.length > 0
      ? [`  ALARM     an agent can get stuck in the policy in ${stuck.join(', ')}: ${me} check there`]
      : []),
    `Next  ${me} daemon logs`,
  ]
}

export const metricsText = ({ address, setting, problem, isOpen }: NonNullable<DaemonStatus['metrics']>): string =>
  problem === undefined
    ? `${address}${isOpen ? '' : ', in a moment'}`
    : `NOT TOLD at ${address ?? setting}: ${problem}; it tries again`

function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
