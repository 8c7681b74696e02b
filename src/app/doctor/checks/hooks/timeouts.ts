import {
  type DoctorCheck,
  type DoctorContext,
  type InstalledAgent,
  ownHooksOf,
  type RegisteredHook,
  repairCommandFor,
} from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'

/** Agents use seconds or milliseconds: with the wrong unit a reply comes too late, or a hanging hook blocks the agent for an hour. */
export const timeoutsCheck: DoctorCheck = {
  ids: ['TIMEOUT-UNIT', 'TIMEOUT-SHORT', 'TIMEOUT-LONG'],
  about: 'timeouts, in the unit of each agent',
  look: context =>
    context.agents.flatMap(agent => ownHooksOf(agent).flatMap(hook => checkTimeout(hook, agent, context))),
}

const HOUR_MS = 3_600_000
/** A timeout up to this number was probably meant in seconds. */
const MAX_PLAUSIBLE_SECONDS = 600

function checkTimeout(hook: RegisteredHook, agent: InstalledAgent, context: DoctorContext): readonly DoctorFinding[] {
  const { client, checkup } = agent
  const { timeoutMs, timeout } = hook
  const isEnd = /session_?end/i.test(hook.event)
  if (timeoutMs === undefined || timeoutMs <= 0 || isEnd) return []
  const { unit } = checkup.timeout
  const needed = neededMs(context)
  const other = unit === 'ms' ? Number(timeout) * 1000 : Number(timeout) / 1000
  const finding = (id: string, effect: string, found: string): readonly DoctorFinding[] => [
    {
      ...{ id, severity: 'problem', client: client.id, file: hook.file, line: hook.line, cause: `${id} ${hook.file}` },
      ...{ effect, found, fix: repairCommandFor(agent, hook) },
    },
  ]
  const name = unit === 'ms' ? 'milliseconds' : 'seconds'
  const late = 'the reply can come too late, and the call then passes unchecked'
  if (unit === 'ms' && timeoutMs <= MAX_PLAUSIBLE_SECONDS && other >= needed)
    return finding('TIMEOUT-UNIT', late, `the timeout of ${timeout} is in ${name}`)
  if (unit === 's' && timeoutMs >= HOUR_MS / 2 && other >= 1)
    return finding(
      'TIMEOUT-UNIT',
      `a hook that hangs blocks the agent for ${formatHours(timeoutMs)}`,
      `the timeout of ${timeout} is in ${name}`,
    )
  if (timeoutMs < needed)
    return finding(
      'TIMEOUT-SHORT',
      late,
      `the timeout is ${timeout} (${name}); this policy needs ${inUnit(needed, unit)}`,
    )
  if (timeoutMs > HOUR_MS)
    return finding(
      'TIMEOUT-LONG',
      `a hook that hangs blocks the agent for ${formatHours(timeoutMs)}`,
      `the timeout is ${timeout} (${name})`,
    )
  return []
}

/** Signalbox's own time plus that of the longest sub-hook. */
function neededMs({ policy: { program } }: DoctorContext): number {
  return program.settings.budgetMs + Math.max(0, ...program.hooks.map(hook => hook.timeoutMs))
}

const inUnit = (ms: number, unit: 's' | 'ms'): number => (unit === 's' ? Math.ceil(ms / 1000) : ms)

const formatHours = (ms: number): string =>
  ms < HOUR_MS ? `${Math.round(ms / 60_000)} min` : `${(ms / HOUR_MS).toFixed(1)} h`
