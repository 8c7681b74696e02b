import {
  type Decision,
  type EvaluationInput,
  type EvaluationTools,
  type Event,
  evaluate,
  type Gate,
} from '../../../engine/index.ts'
import { findCounterfactualsByAddition } from './by-addition.ts'
import { findCounterfactualsByCaller, findCounterfactualsByCommand } from './by-call.ts'
import { findCounterfactualsByMessage } from './by-message.ts'
import { findCounterfactualsByState, GateMoveSearch, refusingGatesOf } from './by-state.ts'
import {
  type Counterfactual,
  type CounterfactualCandidate,
  type CounterfactualTools,
  describeCounterfactual,
} from './counterfactual.ts'
import { isLessStrict } from './less-strict.ts'

/** Finds changes that lead to another decision, each played: a gate state, a caller, a small edit of the call. */
export function findCounterfactuals(
  input: EvaluationInput,
  tools: EvaluationTools,
  turning: CounterfactualTools,
): readonly Counterfactual[] {
  const { outcome, record } = evaluate(input, tools)
  const single = findCandidates(input, tools, turning)
  const ids = refusingGatesOf(record)
  const isRefused = outcome.decision === 'deny' || outcome.decision === 'ask'
  if (single.length > 0 || !isRefused || ids.size < 2) return single.map(toCounterfactual)
  const gates = input.program.gates.filter(gate => ids.has(gate.id))
  return combineCandidates(gates, input, tools, turning)
}

const toCounterfactual = ({ by, decision, text }: CounterfactualCandidate): Counterfactual => ({ by, decision, text })

const findCandidates = (
  input: EvaluationInput,
  tools: EvaluationTools,
  turning: CounterfactualTools,
): readonly CounterfactualCandidate[] => [
  ...findCounterfactualsByState(input, tools, turning),
  ...findCounterfactualsByCaller(input, tools, turning),
  ...findCounterfactualsByCommand(input, tools, turning),
  ...findEditCandidates(input, tools, turning),
]

function findEditCandidates(
  input: EvaluationInput,
  tools: EvaluationTools,
  turning: CounterfactualTools,
): readonly CounterfactualCandidate[] {
  const { outcome, record } = evaluate(input, tools)
  if (outcome.decision !== 'deny' && outcome.decision !== 'ask') return []
  const ask = (event: Event): Decision => evaluate({ ...input, event }, tools).outcome.decision
  const asking = { input, now: outcome.decision, refused: record, ask, turning }
  return [...findCounterfactualsByAddition(asking), ...findCounterfactualsByMessage(asking)]
}

/** Combinations played: their number grows quickly with the number of denying gates. */
const MAX_CHOICES = 64

/** For calls that no single change gets through: finds changes for each denying gate alone, and plays them together. */
function combineCandidates(
  gates: readonly Gate[],
  input: EvaluationInput,
  tools: EvaluationTools,
  turning: CounterfactualTools,
): readonly Counterfactual[] {
  const each = gates.map(gate => {
    const others = new Set(gates.filter(one => one !== gate))
    const looking = input.program.gates.map(one => (others.has(one) ? { ...one, mode: 'observe' as const } : one))
    const alone = { ...input, program: { ...input.program, gates: looking } }
    const answered: CounterfactualTools = { ...turning, play: ways => withProgramOf(alone, turning.play(ways)) }
    return findCandidates(alone, tools, answered)
  })
  const now = evaluate(input, tools).outcome.decision
  const flips = candidateCombinations(each).flatMap((choice): readonly Counterfactual[] => {
    const [first] = choice
    const decision = first && evaluateCombination(choice, input, tools, turning, now)
    if (!first || decision === undefined) return []
    const changes = [...new Set(choice.map(one => one.change))].join(', and ')
    return [{ by: first.by, decision, text: describeCounterfactual(changes, decision) }]
  })
  return flips.slice(0, MAX_REPORTED)
}

/** Combinations reported: the reader needs only one. */
const MAX_REPORTED = 3

const withProgramOf = (alone: EvaluationInput, played: ReturnType<CounterfactualTools['play']>): typeof played =>
  'input' in played ? { input: { ...played.input, program: alone.program } } : played

const candidateCombinations = (
  each: readonly (readonly CounterfactualCandidate[])[],
): readonly (readonly CounterfactualCandidate[])[] =>
  each.reduce<readonly (readonly CounterfactualCandidate[])[]>(
    (all, options) => all.flatMap(choice => options.map(one => [...choice, one])).slice(0, MAX_CHOICES),
    [[]],
  )

/** The decision with all changes made and every gate in force; undefined if it is not less strict. */
function evaluateCombination(
  choice: readonly CounterfactualCandidate[],
  input: EvaluationInput,
  tools: EvaluationTools,
  turning: CounterfactualTools,
  now: Decision,
): Decision | undefined {
  const callers = choice.flatMap(one => one.caller ?? [])
  const events = choice.flatMap(one => one.event ?? [])
  if (callers.length > 1 || events.length > 1) return undefined
  const [event = input.event] = events
  const [caller] = callers
  const asked: CounterfactualTools = {
    ...turning,
    play: ways => {
      const played = turning.play(ways)
      if (!('input' in played)) return played
      const changed = { ...played.input, event }
      const input = caller ? turning.as(caller, changed) : changed
      return input ? { input } : { at: ways.length, by: undefined }
    },
  }
  const done = choice.flatMap(one => one.done ?? [])
  const found = new GateMoveSearch(input, tools, asked, now).find(done, done.length)
  return found && isLessStrict(found.decision, now) ? found.decision : undefined
}
