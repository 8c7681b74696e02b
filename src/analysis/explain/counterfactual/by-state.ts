import type { GateState } from '../../../engine/index.ts'
import { type Decision, type EventRecord, type Gate, proposeTransitions } from '../../../engine/index.ts'
import { describeFileTrigger, describeTrigger } from '../trigger-text.ts'
import {
  ASK_NOTE,
  type CandidateMove,
  type CounterfactualCandidate,
  type CounterfactualTools,
  describeCounterfactual,
  describeDecision,
  type EventAtPoint,
  type PlannedMove,
} from './counterfactual.ts'

interface MoveSequence {
  readonly done: readonly PlannedMove[]
  readonly decision: Decision
  /** indexes in `done` of moves that a person must confirm */
  readonly asks?: readonly number[]
}

/** Longest sequence of moves. */
const MAX_MOVES = 4
/** Sequences played for one event. */
const MAX_PLAYED_SEQUENCES = 400

/** Finds gate states that change the decision, reaches each by moves possible from here, and evaluates the event again there. */
export function findCounterfactualsByState(
  point: EventAtPoint,
  tools: CounterfactualTools,
): readonly CounterfactualCandidate[] {
  const { simulator, event } = point
  const now = simulator.preview(event)
  const search = new GateMoveSearch(point, tools, now.outcome.decision)
  const asked = isRefused(now.outcome.decision) ? refusingGatesOf(now.record) : new Set<string>()
  const { evaluation } = proposeTransitions(now.input, now.tools)
  return simulator.program.gates.flatMap(gate => {
    if (gate.initial === undefined) return []
    const memory = evaluation.memories.of(gate)
    const to: GateState = memory.state === 'open' ? 'closed' : 'open'
    const memories = evaluation.memories.copy()
    memories.set(gate, { ...memory, state: to })
    const session = { ...simulator.session, ...memories.written() }
    const { decision } = simulator.fork({ session }).preview(event).outcome
    const isOne = decision !== now.outcome.decision
    if (!isOne && !(asked.size > 1 && asked.has(gate.id))) return []
    const found = findMoveSequences(search, gate, to)
    if (found.length > 0) return toCandidates(found, simulator.root)
    const isPersons = isOne && to === 'open' && gate.opens === 'human'
    return isPersons ? [{ by: 'state', decision, ...humanOnlyCandidate(gate, decision) }] : []
  })
}

/** The candidate for a gate that only a person can open: there is no move to play. */
function humanOnlyCandidate({ name }: Gate, decision: Decision): Pick<CounterfactualCandidate, 'change' | 'text'> {
  const change = `while ${name} is open`
  return { change, text: `${change} ${describeDecision(decision)}; only a person opens it` }
}

/** For each transition, the first move sequence that changes the decision. */
function findMoveSequences(search: GateMoveSearch, gate: Gate, to: GateState): readonly MoveSequence[] {
  const moves = search.ways(gate, to)
  const transitions = [...new Set(moves.map(move => move.transition))]
  return transitions.flatMap(id => {
    const own = moves.filter(move => move.transition === id)
    for (let most = 1; most <= MAX_MOVES; most++)
      for (const move of own) {
        const found = search.find([{ gate, to, move: move }], most)
        if (found) return [found]
      }
    return []
  })
}

/** Joins sequences with the same decision into one line. */
function toCandidates(found: readonly MoveSequence[], root: string): readonly CounterfactualCandidate[] {
  const single = found.filter(sequence => sequence.done.length === 1)
  // If single moves suffice, longer sequences are not reported.
  const shown = single.length > 0 ? single : found.slice(0, 1)
  const byDecision = new Map<Decision, MoveSequence[]>()
  for (const sequence of shown)
    byDecision.set(sequence.decision, [...(byDecision.get(sequence.decision) ?? []), sequence])
  return [...byDecision].map(([decision, same]) => {
    const steps = same.map(({ done, asks }) =>
      done.map((move, at) => `${describeMove(move, root)}${asks?.includes(at) ? ASK_NOTE : ''}`).join(', then '),
    )
    const last = same[0]?.done.at(-1)
    const verb = (move: PlannedMove): string => `${move.to === 'open' ? 'opens' : 'closes'} ${move.gate.name}`
    const what = single.length > 0 && last ? `${steps.join(', or ')} ${verb(last)}` : steps.join(', or ')
    return {
      by: 'state',
      decision,
      change: what,
      text: describeCounterfactual(what, decision),
      done: same[0]?.done ?? [],
    }
  })
}

function describeMove({ gate, move: way }: PlannedMove, root: string): string {
  const step = gate.transitions.find(transition => transition.id === way.transition)
  const isCall = step?.events.every(kind => kind.startsWith('tool.')) === true
  const by = isCall && way.by !== undefined ? `, by ${way.by},` : ''
  const decision = (step && describeFileTrigger(step, root)) ?? way.decision
  if (decision !== undefined) return `${decision}${by}`
  if (way.line !== undefined) return `\`${way.line}\` that succeeds${by}`
  return `${step ? describeTrigger(step, root) : way.transition}${by}`
}

const isRefused = (decision: Decision): boolean => decision === 'deny' || decision === 'ask'

export const refusingGatesOf = ({
  matches,
  decision,
}: Pick<EventRecord, 'matches' | 'decision'>): ReadonlySet<string> =>
  new Set(matches.filter(match => match.effect === decision).map(match => match.gate))

/** Plays move sequences, and adds moves for gates that deny a step or the event itself. */
export class GateMoveSearch {
  readonly #point: EventAtPoint
  readonly #turning: CounterfactualTools
  readonly #now: Decision
  readonly #change: (point: EventAtPoint) => EventAtPoint | undefined
  readonly #ways = new Map<string, readonly CandidateMove[]>()
  #left = MAX_PLAYED_SEQUENCES

  /** `change` is applied after the moves and before the event; undefined if it is denied. */
  constructor(
    point: EventAtPoint,
    tools: CounterfactualTools,
    now: Decision,
    change: (point: EventAtPoint) => EventAtPoint | undefined = same => same,
  ) {
    this.#point = point
    this.#turning = tools
    this.#now = now
    this.#change = change
  }

  ways(gate: Gate, to: GateState): readonly CandidateMove[] {
    const key = `${gate.id} ${to}`
    const known = this.#ways.get(key) ?? this.#turning.movesTo(gate, to)
    this.#ways.set(key, known)
    return known
  }

  /** Plays `done`, opening gates that are in the way first, with at most `most` moves; undefined if the decision stays the same. */
  find(done: readonly PlannedMove[], most: number): MoveSequence | undefined {
    if (this.#left-- <= 0) return undefined
    const { simulator, event } = this.#point
    const played = this.#turning.play(done.map(move => move.move))
    if ('at' in played) {
      const gates = simulator.program.gates.filter(gate => gate.id === played.by)
      return this.#opened(gates, done, played.at, most)
    }
    const changed = this.#change({ simulator: played.simulator, event })
    if (!changed) return undefined
    const { outcome, record } = changed.simulator.preview(changed.event)
    if (outcome.decision !== this.#now)
      return { done, decision: outcome.decision, ...(played.asks && { asks: played.asks }) }
    if (!isRefused(outcome.decision)) return undefined
    const ids = refusingGatesOf(record)
    const gates = simulator.program.gates.filter(gate => ids.has(gate.id))
    return this.#opened(gates, done, done.length, most)
  }

  #opened(gates: readonly Gate[], done: readonly PlannedMove[], at: number, most: number): MoveSequence | undefined {
    if (done.length >= most) return undefined
    for (const gate of gates) {
      if (gate.initial === undefined || done.some(move => move.gate === gate)) continue
      for (const move of this.ways(gate, 'open')) {
        const found = this.find([...done.slice(0, at), { gate, to: 'open', move: move }, ...done.slice(at)], most)
        if (found) return found
      }
    }
    return undefined
  }
}
