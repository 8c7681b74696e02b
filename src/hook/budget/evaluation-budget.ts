import {
  type Action,
  actionsOf,
  type Condition,
  type EvaluationTools,
  type Event,
  type Gate,
  isShell,
  type Layer,
  leavesOf,
  matchAllowLists,
  type Program,
  type Regex,
  type Rule,
} from '../../engine/index.ts'
import { fieldText } from '../../lib/json.ts'
import {
  type BudgetOwner,
  budgetOwnerOf,
  type Policy,
  type PolicyCost,
  PROMPT_FIELD,
  WRITTEN_TEXT,
} from '../../policy/index.ts'
import type { PreparedEvent } from '../services/hook-services.ts'
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
    within: policy => withoutGates(policy, isLeftOut, isRefusable(event)),
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

const TOO_MUCH = 'it takes too long to evaluate this call'

interface Room {
  readonly state: 'whole' | 'veiled' | 'left out'
  /** absent: regexes of built-in packs are not counted */
  readonly regex?: MeteredRegex
}

function roomFor(side: BudgetOwner, weight: PolicyCost, extent: EventSize, regex: Regex): Room {
  if (side === 'built-in') return { state: 'whole' }
  const most = side === 'project' ? PROJECT_NS : OWN_NS
  const metered = new MeteredRegex(regex, most / STEP_NS)
  const isFine = (size: EventSize): boolean => evaluationCostOf(weight, size).rest <= most
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
  if (state === 'left out')
    return [`${whose} was skipped for this call: ${TOO_MUCH}. The other policies were evaluated.`]
  if (state === 'veiled')
    return [`this call has too many parts for ${whose}: it counts as a command that cannot be parsed`]
  return isSpent ? [`the regexes of ${whose} take too long for this call: the rest of the text is unknown`] : []
}

/**
 * The cost of evaluating an event with some gates, in nanoseconds of an ordinary machine. An upper bound from counts, not from a clock: the
 * same event costs the same everywhere. `regexes` are separate, because they are metered again while they run.
 */
interface EvaluationCost {
  readonly regexes: number
  readonly rest: number
}

/** The sizes of an event that determine its cost. */
interface EventSize {
  readonly acts: number
  readonly urls: number
  /** length of the actions' texts: URLs and assigned values */
  readonly actText: number
  readonly paths: number
  readonly pathLength: number
  readonly words: number
  /** length of a field's text; for a name with a leading space, the longest possible text */
  readonly textOf: (field: string) => number
}

function eventSizeOf({ call, prompt, ...event }: Event, payload: number): EventSize {
  const actions = actionsOf({ ...event, ...(call && { call }) })
  const sum = (of: (action: Action) => number): number => actions.reduce((all, action) => all + of(action), 0)
  return {
    acts: actions.length,
    urls: sum(({ url }) => (url === undefined ? 0 : 1)),
    actText: sum(({ url, assigns }) => Math.min(url?.length ?? 0, LONGEST_URL) + (assigns ? ASSIGNED : 0)),
    paths: sum(({ place }) => (place ? 1 : 0)),
    pathLength: sum(({ place }) => place?.lexical?.length ?? 0),
    words: sum(({ words }) => words?.length ?? 0),
    textOf: field => {
      if (field === PROMPT_FIELD) return prompt?.text.length ?? 0
      if (field === WRITTEN_TEXT) return actions.some(({ action }) => action === 'write') ? payload : 0
      if (field.startsWith(' ')) return payload
      return fieldText(call?.input, field)?.length ?? 0
    },
  }
}

const LONGEST_URL = 8192
/** Assumed length of the values that a line assigns to variables. */
const ASSIGNED = 100
/** Regexes read only this much of a longer text, unless it is what a file gets. */
const LONGEST_READ = 50_000
const TEST_NS = 30

function evaluationCostOf(weight: PolicyCost, extent: EventSize): EvaluationCost {
  const { acts, urls, actText, paths, pathLength, words, textOf } = extent
  let regexes = weight.actRegexes * actText
  let finds = 0
  for (const [field, cost] of Object.entries(weight.texts)) {
    const length = textOf(field)
    regexes += cost.instructions * (field === WRITTEN_TEXT ? length : Math.min(length, LONGEST_READ))
    finds += cost.finds * (TEST_NS + length / 2)
  }
  return {
    regexes: STEP_NS * regexes,
    rest:
      weight.fixed +
      TEST_NS * weight.tests * acts +
      weight.commands * (TEST_NS * acts + 3 * words) +
      20 * weight.words * words +
      weight.plainPaths * (200 * paths + 3 * pathLength) +
      5 * weight.starredPaths * pathLength +
      TEST_NS * weight.routes * urls +
      finds,
  }
}

/** Whether `allow` lists clear every part of this call, in a policy that uses them. Only for the record: no decision depends on it. */
function isAllowListed({ kind, call }: Event, program: Program, regex: Regex): boolean {
  if (kind !== 'tool.before' || !call || call.acts.length === 0 || program.allow.length === 0) return false
  const layers = layersOf(program)
  const tools = { regex, fill: (value: string) => value }
  return (
    layers.length > 0 &&
    call.acts.every(action => !action.opaque && matchAllowLists(program.allow, layers, action, tools) === 'true')
  )
}

/** The layers whose lists the rules use. Cached, since the daemon evaluates the same program again and again. */
function layersOf(program: Program): readonly Layer[] {
  const known = layersByProgram.get(program)
  if (known) return known
  const rules: readonly Rule[] = program.gates.flatMap(({ rules, routes }) => [...rules, ...(routes?.list ?? [])])
  const layers = [
    ...new Set(rules.flatMap(({ when, unless }) => [...layersIn(when), ...(unless ? layersIn(unless) : [])])),
  ]
  layersByProgram.set(program, layers)
  return layers
}
const layersByProgram = new WeakMap<Program, readonly Layer[]>()

const layersIn = (condition: Condition): readonly Layer[] =>
  leavesOf(condition).flatMap(leaf => (leaf.key === 'whitelisted' ? leaf.layers : []))
