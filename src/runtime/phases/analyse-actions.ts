import type { CodeGate } from '../../core/index.ts'
import type { Policy } from '../../policy/index.ts'
import { allowedBy } from '../approved.ts'
import { openCodeGates } from '../code-gates.ts'
import { Elsewhere } from '../elsewhere.ts'
import { isLongLine, Plans } from '../evaluation-budget.ts'
import { launcherIn } from '../folders.ts'
import { type Looking, look, type Sighting } from '../ready.ts'
import type { House } from '../request.ts'
import type { NamedHook } from '../sub-hooks.ts'
import type { DecodedPayload } from './decode-payload.ts'
import type { Project } from './resolve-project.ts'

/** What the calls of a payload do, and what it takes to evaluate them. */
export interface AnalysedPayload extends Sighting {
  readonly context: Looking
  readonly plans: Plans
  readonly codeGates: Readonly<Record<string, CodeGate>>
  readonly time: TimeLimits
}

interface TimeLimits {
  /** for the whole event, in ms */
  readonly allMs: number
  /** what is left for sub-hooks, in ms */
  readonly left: () => number
  /** on the wall clock */
  readonly until: number
}

/** Phase 4: read shell lines and tool inputs as actions, gather facts, and price the evaluation. */
export function analyseActions(
  { call, payload, events }: DecodedPayload,
  { root, policy: { program }, approval }: Project,
  services: House,
  began: number,
): AnalysedPayload {
  // the daemon answers all agents one after the other, so what takes long goes to a one-shot process
  const isDaemon = call.deadline !== undefined
  if (isDaemon && events.some(isLongLine)) throw new Elsewhere('a line that takes long to read')
  const { regex, shell, folders } = services
  const { home, data } = folders
  const place = { root, home, launcher: launcherIn(data) }
  const context = { ...call, payload, events, program, ...allowedBy(approval), ...place, regex, shell }
  const seen = look(context)
  const plans = new Plans(program, seen.sent, { payload: call.text.length, regex })
  if (isDaemon && plans.isExpensive) throw new Elsewhere('a call that takes long to judge')
  const time = timeLimits(seen.hooks, program, { began, now: call.now })
  call.answerBy?.(time.allMs)
  const codeGates = openCodeGates(program, {
    worker: services.codeWorker,
    budgetMs: program.settings.budgetMs,
    lastMs: began + time.allMs,
    stuck: call.stuck,
  })
  return { ...seen, context, plans, codeGates, time }
}

/** Sub-hooks have their own time beside the policy's. Half of the policy's time is kept for what comes after them. */
function timeLimits(
  hooks: readonly NamedHook[],
  { settings }: Policy,
  start: { readonly began: number; readonly now: number },
): TimeLimits {
  const allMs = settings.budgetMs + Math.max(0, ...hooks.map(hook => hook.timeoutMs))
  const last = start.began + allMs - settings.budgetMs / 2
  return { allMs, left: () => last - process.uptime() * 1000, until: start.now + allMs }
}
