import type { EvaluationTools, Event, Gate } from '../../engine/index.ts'
import { isShell, type Regex } from '../../engine/index.ts'
import { type BudgetOwner, budgetOwnerOf, type Policy, type PolicyCost } from '../../policy/index.ts'
import type { PreparedEvent } from '../events/prepare-event.ts'
import { isAllowListed } from '../facts/allow-listed.ts'
import { type EvaluationCost, type EventSize, evaluationCostOf, eventSizeOf } from './evaluation-cost.ts'
import { MeteredRegex } from './metered-regex.ts'

interface Weighing {
  /** length of the payload in characters */
  readonly payload: number
  readonly regex: Regex
}

/** The plans for a payload's events. Each is created once, even if its event is evaluated several times: it caches regex results. */
export class EvaluationPlans {
  /** an event takes long: it is evaluated before the store's lock is taken */
  readonly isExpensive: boolean
  readonly #plans = new Map<PreparedEvent, Plan | undefined>()
  readonly #cleared = new Map<Event, boolean>()

  constructor(
    private readonly program: Policy,
    sent: readonly PreparedEvent[],
    private readonly weighing: Weighing,
  ) {
    this.isExpensive = sent.some(({ event }) => isHeavy(program, event, weighing))
  }

  of(ready: PreparedEvent): Plan | undefined {
    if (!this.#plans.has(ready)) {
      const { program, weighing } = this
      const plan = isHeavy(program, ready.event, weighing) ? planFor(program, ready.event, weighing) : undefined
      this.#plans.set(ready, plan)
    }
    return this.#plans.get(ready)
  }

  remarks(): readonly string[] {
    return [...new Set([...this.#plans.values()].flatMap(plan => plan?.remarks() ?? []))]
  }

  isWhitelisted(event: Event): boolean {
    const is = this.#cleared.get(event) ?? isAllowListed(event, this.program, this.weighing.regex)
    this.#cleared.set(event, is)
    return is
  }
}

/** How to evaluate an event that would take too long otherwise. */
interface Plan {
  /** the program without the gates that are left out */
  readonly within: (program: Policy) => Policy
  readonly views: EvaluationTools['views']
  /** what to report after the evaluation */
  readonly remarks: () => readonly string[]
}

/** Costs below this are not noticeable: for a project's policies, and for those of the user and the machine. */
const LIGHT_NS = { project: 6_000_000, own: 50_000_000 }
/** Budget for all policies of a project together: an agent of another project may have to wait for them. */
const PROJECT_NS = 60_000_000
/** Budget for each stronger layer. These are never left out: beyond the budget the call is evaluated as opaque. */
const OWN_NS = 400_000_000
const STEP_NS = 20

/** Regexes of built-in packs are known to be cheap: most apply to few calls. They are not counted. */
const allOf = ({ regexes, rest }: EvaluationCost, side: BudgetOwner): number =>
  side === 'built-in' ? rest : regexes + rest

/** A line is parsed before its cost is known, and a long line delays the next event. */
const LONG_LINE = 32_000

export const isLongLine = ({ call }: Event): boolean =>
  call !== undefined &&
  isShell(call.tool) &&
  Object.values(call.input).some(value => typeof value === 'string' && value.length > LONG_LINE)

function isHeavy({ weights = [] }: Policy, event: Event, { payload }: Weighing): boolean {
  const extent = eventSizeOf(event, payload)
  return weights.some(
    ({ side, weight }) =>
      allOf(evaluationCostOf(weight, extent), side) > LIGHT_NS[side === 'project' ? 'project' : 'own'],
  )
}

/**
 * Each layer has its own budget, so that no layer takes the time of a stronger one. Beyond the budget, regexes stop reading and a call with
 * very many actions becomes opaque: conditions on it are unknown. If that is still too expensive, the project's policies are left out.
 */
function planFor(program: Policy, event: Event, { payload, regex }: Weighing): Plan {
  const { weights = [] } = program
  const extent = eventSizeOf(event, payload)
  const veiled = veiledFrom(event)
  const sides = new Map(weights.map(({ side, weight }) => [side, roomFor(side, weight, extent, regex)] as const))
  const isLeftOut = (gate: Gate): boolean => sides.get(budgetOwnerOf(gate))?.state === 'left out'
  return {
    within: one => withoutGates(one, isLeftOut, isRefusable(event)),
    views: (gate, shown) => {
      const room = sides.get(budgetOwnerOf(gate))
      if (room?.state === 'left out') throw new Error(TOO_MUCH)
      return { event: room?.state === 'veiled' ? veiled(shown) : shown, regex: room?.regex ?? regex }
    },
    remarks: () =>
      [...sides].flatMap(([side, { state, regex: metered }]) => remarkOn(side, state, metered?.isSpent ?? false)),
  }
}

const isRefusable = ({ kind }: Event): boolean => kind === 'tool.before' || kind === 'permission.request'

/** Removes the gates that are left out, except one fail-closed gate: its evaluation fails and denies the call. */
function withoutGates(program: Policy, isLeftOut: (gate: Gate) => boolean, refusable: boolean): Policy {
  const left = program.gates.filter(isLeftOut)
  if (left.length === 0) return program
  const refusing = left.find(gate => refusable && gate.onError === 'closed' && gate.mode === 'block')
  return { ...program, gates: program.gates.filter(gate => gate === refusing || !isLeftOut(gate)) }
}

const TOO_MUCH = 'it takes too long to judge this call'

interface Room {
  readonly state: 'whole' | 'veiled' | 'left out'
  /** absent: regexes of built-in packs are not counted */
  readonly regex?: MeteredRegex
}

function roomFor(side: BudgetOwner, weight: PolicyCost, extent: EventSize, regex: Regex): Room {
  if (side === 'built-in') return { state: 'whole' }
  const most = side === 'project' ? PROJECT_NS : OWN_NS
  const metered = new MeteredRegex(regex, most / STEP_NS)
  const isFine = (one: EventSize): boolean => evaluationCostOf(weight, one).rest <= most
  if (isFine(extent)) return { state: 'whole', regex: metered }
  const isVeiled = side !== 'project' || isFine(VEILED(extent))
  return { state: isVeiled ? 'veiled' : 'left out', regex: metered }
}

const VEILED = ({ textOf }: EventSize): EventSize => ({
  acts: 1,
  urls: 0,
  actText: 0,
  paths: 0,
  pathLength: 0,
  words: 0,
  textOf,
})

/** Replaces all actions by one opaque action, as for a line that cannot be parsed. */
function veiledFrom({ call: sent }: Event): (event: Event) => Event {
  const via = sent?.acts[0]?.via
  return event => {
    if (!event.call) return event
    return {
      ...event,
      call: { ...event.call, acts: [{ action: 'other', opaque: true, ...(via !== undefined && { via }) }] },
    }
  }
}

function remarkOn(side: BudgetOwner, state: Room['state'], isSpent: boolean): readonly string[] {
  const whose = side === 'project' ? "the project's policy" : `the ${side} policy`
  if (state === 'left out') return [`${whose} was left out for this call: ${TOO_MUCH}. The other policies were judged.`]
  if (state === 'veiled') return [`this call has too many parts for ${whose}: it was judged as one that cannot be read`]
  return isSpent ? [`the regexes of ${whose} take too long for this call: what they did not read is unknown`] : []
}
