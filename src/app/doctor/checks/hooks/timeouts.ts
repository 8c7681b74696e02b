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
  look: one => one.agents.flatMap(agent => ownHooksOf(agent).flatMap(hook => checkTimeout(hook, agent, one))),
}

const HOUR_MS = 3_600_000
/** A timeout up to this number was probably meant in seconds. */
const MAX_PLAUSIBLE_SECONDS = 600

function checkTimeout(hook: RegisteredHook, agent: InstalledAgent, one: DoctorContext): readonly DoctorFinding[] {
  const { client, checkup } = agent
  const { timeoutMs, timeout } = hook
  const isEnd = /session_?end/i.test(hook.event)
  if (timeoutMs === undefined || timeoutMs <= 0 || isEnd) return []
  const { unit } = checkup.timeout
  const needed = neededMs(one)
  const other = unit === 'ms' ? Number(timeout) * 1000 : Number(timeout) / 1000
  const found = (id: string, cost: string, saw: string): readonly DoctorFinding[] => [
    {
      ...{ id, weight: 'problem', client: client.id, file: hook.file, line: hook.line, cause: `${id} ${hook.file}` },
      ...{ cost, saw, fix: repairCommandFor(agent, hook) },
    },
  ]
  const name = unit === 'ms' ? 'milliseconds' : 'seconds'
  const late = 'an answer comes too late: the call passes unchecked'
  if (unit === 'ms' && timeoutMs <= MAX_PLAUSIBLE_SECONDS && other >= needed)
    return found('TIMEOUT-UNIT', late, `timeout ${timeout} is in ${name} here`)
  if (unit === 's' && timeoutMs >= HOUR_MS / 2 && other >= 1)
    return found(
      'TIMEOUT-UNIT',
      `a hook that hangs holds the agent for ${formatHours(timeoutMs)}`,
      `timeout ${timeout} is in ${name} here`,
    )
  if (timeoutMs < needed)
    return found('TIMEOUT-SHORT', late, `timeout ${timeout} (${name}); it needs ${inUnit(needed, unit)} here`)
  if (timeoutMs > HOUR_MS)
    return found(
      'TIMEOUT-LONG',
      `a hook that hangs holds the agent for ${formatHours(timeoutMs)}`,
      `timeout ${timeout} (${name})`,
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
