import { type Act, actsOf, type Gate, type Scene, type Walk } from '../core/index.ts'
import { type GateState, isLate } from '../pattern/index.ts'
import { distance, isNear, type Seen, seeCondition } from './condition.ts'
import { actText } from './got.ts'

type Transition = Gate['transitions'][number]

/**
 * What came of a transition. `held`: it would move the gate, but the call was refused or asked about; `invalid`: what it should
 * capture was not accepted; `spoilt`: the same call closes the gate again; `late`: it answers an earlier prompt;
 * `second`: another one of the gate came first.
 */
export type Step =
  | 'moves'
  | 'held'
  | 'invalid'
  | 'spoilt'
  | 'late'
  | 'second'
  | 'near'
  | 'no'
  | 'event'
  | 'state'
  | 'clock'

export interface TransitionSeen {
  readonly transition: string
  readonly from: readonly GateState[]
  readonly to: GateState
  readonly step: Step
  readonly act: string
  readonly when: Seen
  readonly problem?: string
  readonly at?: string
}

/** What is known of the walk that the transitions were looked for in. */
export interface Ways {
  readonly walk: Walk
  readonly proposed: readonly { readonly gate: Gate; readonly transition: Transition; readonly problem?: string }[]
  /** gates that really moved */
  readonly moved: ReadonlySet<string>
}

export function seeTransition(transition: Transition, gate: Gate, scene: Scene, ways: Ways): TransitionSeen {
  const { id, from, to, at } = transition
  const tried = actsOf(scene.event).map(act => ({
    act,
    when: seeCondition(transition.when, act, scene, readingOf(to)),
  }))
  const told = tried.find(one => happens(transition, one.when)) ?? nearest(tried)
  const problem = ways.proposed.find(one => one.transition === transition)?.problem
  return {
    transition: id,
    from,
    to,
    step: stepOf(transition, gate, scene, told.when, ways),
    act: actText(told.act),
    when: told.when,
    ...(problem !== undefined && { problem }),
    ...(at && { at }),
  }
}

/** Opening needs certainty under every reading; closing takes a doubt under any. */
const readingOf = (to: GateState) => (to === 'open' ? 'all' : 'any')

const happens = ({ to }: Transition, { truth }: Seen): boolean =>
  truth === 'true' || (truth === 'unknown' && to === 'closed')

const nearest = (tried: readonly { readonly act: Act; readonly when: Seen }[]) => {
  const [first, ...rest] = tried
  if (!first) throw new Error('an event has an act at least')
  return rest.reduce((best, one) => (distance(one.when, true) < distance(best.when, true) ? one : best), first)
}

function stepOf(transition: Transition, gate: Gate, scene: Scene, when: Seen, { walk, proposed, moved }: Ways): Step {
  const own = proposed.find(one => one.gate === gate)
  if (own?.transition === transition)
    return own.problem !== undefined ? 'invalid' : moved.has(gate.id) ? 'moves' : 'held'
  if (transition.clock)
    return walk.clocked.some(one => one.gate === gate.id && one.to === transition.to) ? 'moves' : 'clock'
  if (!transition.events.includes(scene.event.kind)) return 'event'
  if (!transition.from.includes(scene.own?.state ?? 'open')) return 'state'
  if (!happens(transition, when)) return isNear(when) ? 'near' : 'no'
  if (transition.to === 'open' && isLate(gate, scene.event.began, scene.own?.closed?.turn)) return 'late'
  const isLater = own !== undefined && gate.transitions.indexOf(own.transition) < gate.transitions.indexOf(transition)
  return isLater ? 'second' : 'spoilt'
}
