import { type DaemonStatus, isDaemonOff, queryDaemon } from '../../../../hook/daemon/index.ts'
import { BUILD, foldersOf } from '../../../../hook/index.ts'
import { commandNameHere } from '../../../install/index.ts'
import type { Command } from '../../command.ts'
import { installPathsOf } from '../../environment.ts'
import { readStoredVerification } from '../check/stored-verification.ts'
import { DEADLOCK_KINDS } from '../check/verification.ts'

export const daemonStatusCommand: Command = {
  name: 'daemon status',
  summary: 'Show whether the daemon runs, its memory and its metrics address.',
  usage: '[--json]',
  example: 'signalbox daemon status',
  options: { json: { type: 'boolean', about: 'the same as JSON' } },
  async run({ values, terminal }) {
    const me = commandNameHere(installPathsOf(terminal))
    const status = await queryDaemon(foldersOf(terminal.env).state, 'status')
    if (values.json) terminal.out(`${JSON.stringify({ running: status !== undefined, ...status }, null, 2)}\n`)
    else if (status)
      terminal.out(
        `${daemonStatusLines(status, 'RUNNING', me, foldersWithDeadlocks(status, foldersOf(terminal.env).state)).join('\n')}\n`,
      )
    else {
      terminal.out('NOT RUNNING  hooks work without it, about 50 ms slower per call\n')
      terminal.out(isDaemonOff(terminal.env) ? 'Off   because of SIGNALBOX_DAEMON\n' : `Next  ${me} daemon start\n`)
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
    `  answered  ${answered.toLocaleString('en')} ${answered === 1 ? 'event' : 'events'}; ${policies} ${policies === 1 ? 'policy' : 'policies'} loaded, ${Math.round(rss / 1e6)} MB`,
    `  program   ${version} on Node ${node}${build === BUILD ? '' : ', not the build of this program; the next hook call replaces it'}`,
    ...(metrics ? [`  metrics   ${metricsText(metrics)}`] : []),
    ...(stuck.length > 0
      ? [`  ALARM     an agent can get stuck in the policy in ${stuck.join(', ')}; run ${me} check there`]
      : []),
    `Next  ${me} daemon logs`,
  ]
}

export const metricsText = ({ address, setting, problem, isOpen }: NonNullable<DaemonStatus['metrics']>): string =>
  problem === undefined
    ? `${address}${isOpen ? '' : ', starting'}`
    : `NOT SERVED at ${address ?? setting}: ${problem}; it tries again`

function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
