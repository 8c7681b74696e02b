import { type Act, actsOf, type Gate, type Route, type Rule, type RuleDecision, type Scene } from '../core/index.ts'
import { findRoutes, type Truth } from '../pattern/index.ts'
import { distance, isNear, type Seen, seeCondition } from './condition.ts'
import { actText } from './got.ts'

/**
 * What came of a rule. `unsure`: it could not be told, and it said what it says then; `exempt`: `unless` cleared every act;
 * `near`: one leaf kept it silent; `before`: an earlier route matched the same act.
 */
export type Fate = 'fires' | 'unsure' | 'lets' | 'exempt' | 'near' | 'no' | 'event' | 'state' | 'limit' | 'before'

export interface RuleSeen {
  readonly rule: string
  readonly kind: 'rule' | 'route'
  readonly says: RuleDecision
  readonly fate: Fate
  /** it would fire but for what `fate` says */
  readonly would: boolean
  /** the act that decided it, or came nearest */
  readonly act: string
  readonly while?: string
  readonly when: Seen
  readonly unless?: Seen
  readonly at?: string
}

interface Tried {
  readonly act: Act
  readonly when: Seen
  readonly unless?: Seen
  readonly truth: Truth
}

/** `unless` needs certainty: what only may be exempt is not. */
function tryAct(rule: Rule, act: Act, scene: Scene): Tried {
  const when = seeCondition(rule.when, act, scene, rule.then === 'allow' ? 'all' : 'any')
  if (!rule.unless) return { act, when, truth: when.truth }
  const unless = seeCondition(rule.unless, act, scene, 'all')
  return { act, when, unless, truth: unless.truth === 'true' ? 'false' : when.truth }
}

export function seeRule(rule: Rule, gate: Gate, scene: Scene): RuleSeen {
  const tried = actsOf(scene.event).map(act => tryAct(rule, act, scene))
  const sure = tried.find(one => one.truth === 'true')
  const doubtful = tried.find(one => one.truth === 'unknown')
  const isSilent = rule.unsure === 'pass' || rule.then === 'allow'
  const fires = sure !== undefined || (doubtful !== undefined && !isSilent)
  const told = sure ?? doubtful ?? tried.find(isExempt) ?? nearest(tried)
  const kept = keptBy(rule, gate, scene)
  const fate = kept ?? (sure ? 'fires' : fires ? 'unsure' : fateOf(told))
  const says = sure || !doubtful || rule.unsure === 'pass' ? rule.then : rule.unsure
  return seenAs(rule, 'rule', told, { fate, says, would: fires })
}

function seenAs(
  rule: Rule,
  kind: RuleSeen['kind'],
  { act, when, unless }: Tried,
  came: Pick<RuleSeen, 'fate' | 'says' | 'would'>,
): RuleSeen {
  return {
    rule: rule.id,
    kind,
    ...came,
    act: actText(act),
    ...(rule.while && { while: rule.while }),
    when,
    ...(unless && { unless }),
    ...(rule.at && { at: rule.at }),
  }
}

const isExempt = ({ when, unless }: Tried): boolean => when.truth !== 'false' && unless?.truth === 'true'

const fateOf = (tried: Tried): Fate =>
  isExempt(tried) ? 'exempt' : tried.when.truth === 'false' && isNear(tried.when) ? 'near' : 'no'

const nearest = (tried: readonly Tried[]): Tried => {
  const [first, ...rest] = tried
  if (!first) throw new Error('an event has an act at least')
  return rest.reduce((best, one) => (distance(one.when, true) < distance(best.when, true) ? one : best), first)
}

/** What keeps a rule from being asked at all. */
function keptBy(rule: Rule, gate: Gate, { event, own }: Scene): 'event' | 'state' | 'limit' | undefined {
  if (!rule.events.includes(event.kind)) return 'event'
  if (rule.while !== undefined && gate.initial !== undefined && rule.while !== own?.state) return 'state'
  return rule.limit !== undefined && (own?.fired?.[rule.id] ?? 0) >= rule.limit ? 'limit' : undefined
}

const MOST_ROUTES = 50

/** For each act the few routes that can match, up to the first that does; then those it kept from being asked. */
export function seeRoutes(gate: Gate, scene: Scene): readonly RuleSeen[] {
  const { list, index } = gate.routes ?? { list: [], index: { hosts: {}, grams: {}, rest: [] } }
  return actsOf(scene.event).flatMap(act => {
    const routes = findRoutes(index, act.url).flatMap(at => list[at] ?? [])
    const end = routes.findIndex(one => !keptBy(one, gate, scene) && tryAct(one, act, scene).truth === 'true')
    return routes
      .slice(0, Math.max(MOST_ROUTES, end + 1))
      .map((route, nth) => seeRoute(route, act, gate, scene, nth, end))
  })
}

function seeRoute(route: Route, act: Act, gate: Gate, scene: Scene, nth: number, end: number): RuleSeen {
  const tried = tryAct(route, act, scene)
  const would = tried.truth === 'true'
  const met = nth === end ? (route.allow ? 'lets' : 'fires') : would ? 'before' : fateOf(tried)
  return seenAs(route, 'route', tried, { fate: keptBy(route, gate, scene) ?? met, says: route.then, would })
}
