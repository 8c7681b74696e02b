import type { CodeGate } from '../../engine/index.ts'
import type { Policy } from '../../policy/index.ts'
import { approvalLimits } from '../approval/verify-approval.ts'
import { EvaluationPlans, isLongLine } from '../budget/evaluation-budget.ts'
import { type AnalysedEvents, analyseEvents, type EventAnalysisInput } from '../events/prepare-event.ts'
import { RequiresOneShot } from '../failure/requires-one-shot.ts'
import { launcherIn } from '../services/folders.ts'
import type { HookServices } from '../services/hook-services.ts'
import { openCodeGates } from '../subhooks/code-gates.ts'
import type { NamedSubHook } from '../subhooks/sub-hooks.ts'
import type { DecodedPayload } from './decode-payload.ts'
import type { Project } from './resolve-project.ts'

/** The actions of a payload's tool calls, and what their evaluation needs. */
export interface AnalysedPayload extends AnalysedEvents {
  readonly context: EventAnalysisInput
  readonly plans: EvaluationPlans
  readonly codeGates: Readonly<Record<string, CodeGate>>
  readonly time: TimeLimits
}

interface TimeLimits {
  /** for the whole event, in ms */
  readonly allMs: number
  /** what is left for sub-hooks, in ms */
  readonly left: () => number
  /** end of `allMs`, on the wall clock */
  readonly until: number
}

/** Phase 4: turn shell lines and tool inputs into actions, gather facts, and estimate the cost of the evaluation. */
export function analyseActions(
  { call, payload, events }: DecodedPayload,
  { root, policy: { program }, approval }: Project,
  services: HookServices,
  began: number,
): AnalysedPayload {
  // the daemon answers all agents one after the other, so slow events go to a one-shot process
  const isDaemon = call.deadline !== undefined
  if (isDaemon && events.some(isLongLine)) throw new RequiresOneShot('a line that takes long to read')
  const { regex, shell, folders } = services
  const { home, data } = folders
  const place = { root, home, launcher: launcherIn(data) }
  const context = { ...call, payload, events, program, ...approvalLimits(approval), ...place, regex, shell }
  const seen = analyseEvents(context)
  const plans = new EvaluationPlans(program, seen.sent, { payload: call.text.length, regex })
  if (isDaemon && plans.isExpensive) throw new RequiresOneShot('a call that takes long to judge')
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

/** Sub-hooks have their own time in addition to the policy's. Half of the policy's time is kept for the phases after them. */
function timeLimits(
  hooks: readonly NamedSubHook[],
  { settings }: Policy,
  start: { readonly began: number; readonly now: number },
): TimeLimits {
  const allMs = settings.budgetMs + Math.max(0, ...hooks.map(hook => hook.timeoutMs))
  const last = start.began + allMs - settings.budgetMs / 2
  return { allMs, left: () => last - process.uptime() * 1000, until: start.now + allMs }
}
