import type { Decision, Event, Gate } from '../../../engine/index.ts'
import type { Policy } from '../../../policy/index.ts'
import { findCounterfactualsByAddition } from './by-addition.ts'
import { findCounterfactualsByCaller, findCounterfactualsByCommand } from './by-call.ts'
import { findCounterfactualsByRewording } from './by-rewording.ts'
import { findCounterfactualsByState, GateMoveSearch, refusingGatesOf } from './by-state.ts'
import {
  type Counterfactual,
  type CounterfactualCandidate,
  type CounterfactualTools,
  describeCounterfactual,
  type EventAtPoint,
  type MoveSequenceResult,
} from './counterfactual.ts'
import { isLessStrict } from './less-strict.ts'

/** Finds changes that lead to another decision, each played: a gate state, a caller, a small edit of the call. */
export function findCounterfactuals(point: EventAtPoint, tools: CounterfactualTools): readonly Counterfactual[] {
  const { simulator, event } = point
  const { outcome, record } = simulator.preview(event)
  const single = findCandidates(point, tools)
  const ids = refusingGatesOf(record)
  const isRefused = outcome.decision === 'deny' || outcome.decision === 'ask'
  if (single.length > 0 || !isRefused || ids.size < 2) return single.map(toCounterfactual)
  const gates = simulator.program.gates.filter(gate => ids.has(gate.id))
  return combineCandidates(gates, point, tools)
}

const toCounterfactual = ({ by, decision, text }: CounterfactualCandidate): Counterfactual => ({ by, decision, text })

const findCandidates = (point: EventAtPoint, tools: CounterfactualTools): readonly CounterfactualCandidate[] => [
  ...findCounterfactualsByState(point, tools),
  ...findCounterfactualsByCaller(point, tools),
  ...findCounterfactualsByCommand(point, tools),
  ...findEditCandidates(point, tools),
]

function findEditCandidates(point: EventAtPoint, tools: CounterfactualTools): readonly CounterfactualCandidate[] {
  const { simulator, event } = point
  const { outcome, record } = simulator.preview(event)
  if (outcome.decision !== 'deny' && outcome.decision !== 'ask') return []
  const ask = (changed: Event): Decision => simulator.preview(changed).outcome.decision
  const asking = { point, now: outcome.decision, refused: record, ask, tools }
  return [...findCounterfactualsByAddition(asking), ...findCounterfactualsByRewording(asking)]
}

/** Combinations played: their number grows quickly with the number of denying gates. */
const MAX_CHOICES = 64

/** For calls that no single change gets through: finds changes for each denying gate alone, and plays them together. */
function combineCandidates(
  gates: readonly Gate[],
  point: EventAtPoint,
  tools: CounterfactualTools,
): readonly Counterfactual[] {
  const { simulator, event } = point
  const { program } = simulator
  const each = gates.map(gate => {
    const others = new Set(gates.filter(candidate => candidate !== gate))
    const looking = program.gates.map(item => (others.has(item) ? { ...item, mode: 'observe' as const } : item))
    const alone = { ...program, gates: looking }
    const answered: CounterfactualTools = { ...tools, play: moves => withProgram(alone, tools.play(moves)) }
    return findCandidates({ simulator: simulator.fork({ program: alone }), event }, answered)
  })
  const now = simulator.preview(event).outcome.decision
  const flips = candidateCombinations(each).flatMap((choice): readonly Counterfactual[] => {
    const [first] = choice
    const decision = first && evaluateCombination(choice, point, tools, now)
    if (!first || decision === undefined) return []
    const changes = [...new Set(choice.map(candidate => candidate.change))].join(', and ')
    return [{ by: first.by, decision, text: describeCounterfactual(changes, decision) }]
  })
  return flips.slice(0, MAX_REPORTED)
}

/** Combinations reported: the reader needs only one. */
const MAX_REPORTED = 3

const withProgram = (program: Policy, played: MoveSequenceResult): MoveSequenceResult =>
  'simulator' in played ? { simulator: played.simulator.fork({ program }) } : played

const candidateCombinations = (
  each: readonly (readonly CounterfactualCandidate[])[],
): readonly (readonly CounterfactualCandidate[])[] =>
  each.reduce<readonly (readonly CounterfactualCandidate[])[]>(
    (all, options) => all.flatMap(choice => options.map(option => [...choice, option])).slice(0, MAX_CHOICES),
    [[]],
  )

/** The decision with all changes made and every gate in force; undefined if it is not less strict. */
function evaluateCombination(
  choice: readonly CounterfactualCandidate[],
  point: EventAtPoint,
  tools: CounterfactualTools,
  now: Decision,
): Decision | undefined {
  const callers = choice.flatMap(candidate => candidate.caller ?? [])
  const events = choice.flatMap(candidate => candidate.event ?? [])
  if (callers.length > 1 || events.length > 1) return undefined
  const [event = point.event] = events
  const [caller] = callers
  const changed = { ...point, event }
  const done = choice.flatMap(candidate => candidate.done ?? [])
  const search = new GateMoveSearch(changed, tools, now, at => (caller ? tools.as(caller, at) : at))
  const found = search.find(done, done.length)
  return found && isLessStrict(found.decision, now) ? found.decision : undefined
}
