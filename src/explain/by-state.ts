import { approach, type Decision, evaluate, type Gate, type Input, type Record, type Tools } from '../core/index.ts'
import type { GateState } from '../pattern/index.ts'
import { type Done, flipped, type Option, type Turning, type Way, wouldBe } from './turning.ts'
import { wayOf } from './way.ts'

interface Found {
  readonly done: readonly Done[]
  readonly decision: Decision
  /** which of it a person is asked about, by index */
  readonly asks?: readonly number[]
}

/** Things that are done one after the other. */
const MOST_DONE = 4
/** Ways that are played for one event. */
const MOST_PLAYED = 400

/** The states that matter: each is reached by something that can be done from here, and the event is asked about again then. */
export function byState(input: Input, tools: Tools, turning: Turning): readonly Option[] {
  const now = evaluate(input, tools)
  const search = new Search(input, tools, turning, now.outcome.decision)
  const asked = isRefused(now.outcome.decision) ? refusing(now.record) : new Set<string>()
  const { walk } = approach(input, tools)
  return input.program.gates.flatMap(gate => {
    if (gate.initial === undefined) return []
    const memory = walk.memories.of(gate)
    const to: GateState = memory.state === 'open' ? 'closed' : 'open'
    const memories = walk.memories.copy()
    memories.set(gate, { ...memory, state: to })
    const session = { ...input.session, ...memories.written() }
    const decision = evaluate({ ...input, session }, tools).outcome.decision
    const isOne = decision !== now.outcome.decision
    if (!isOne && !(asked.size > 1 && asked.has(gate.id))) return []
    const found = reached(search, gate, to)
    if (found.length > 0) return told(found, input)
    const isPersons = isOne && to === 'open' && gate.opens === 'human'
    return isPersons ? [{ by: 'state', decision, ...personsOf(gate, decision) }] : []
  })
}

/** Nothing that could be played. */
function personsOf({ name }: Gate, decision: Decision): Pick<Option, 'change' | 'says'> {
  const change = `while ${name} is open`
  return { change, says: `${change} ${wouldBe(decision)}; only a person opens it` }
}

/** For each transition the first way that holds. */
function reached(search: Search, gate: Gate, to: GateState): readonly Found[] {
  const ways = search.ways(gate, to)
  const transitions = [...new Set(ways.map(way => way.transition))]
  return transitions.flatMap(id => {
    const own = ways.filter(way => way.transition === id)
    for (let most = 1; most <= MOST_DONE; most++)
      for (const way of own) {
        const found = search.find([{ gate, to, way }], most)
        if (found) return [found]
      }
    return []
  })
}

/** Ways of the same length to the same answer are one line. */
function told(found: readonly Found[], input: Input): readonly Option[] {
  const single = found.filter(one => one.done.length === 1)
  // whatever is longer is not worth a word where something shorter does
  const shown = single.length > 0 ? single : found.slice(0, 1)
  const byDecision = new Map<Decision, Found[]>()
  for (const one of shown) byDecision.set(one.decision, [...(byDecision.get(one.decision) ?? []), one])
  return [...byDecision].map(([decision, same]) => {
    const says = same.map(({ done, asks }) =>
      done.map((one, at) => `${wayWords(one, input)}${asks?.includes(at) ? ASKED : ''}`).join(', then '),
    )
    const last = same[0]?.done.at(-1)
    const verb = (one: Done): string => `${one.to === 'open' ? 'opens' : 'closes'} ${one.gate.name}`
    const what = single.length > 0 && last ? `${says.join(', or ')} ${verb(last)}` : says.join(', or ')
    return { by: 'state', decision, change: what, says: flipped(what, decision), done: same[0]?.done ?? [] }
  })
}

const ASKED = ' (a person is asked first)'

function wayWords({ gate, way }: Done, { facts }: Input): string {
  const step = gate.transitions.find(one => one.id === way.transition)
  const isCall = step?.events.every(kind => kind.startsWith('tool.')) === true
  const by = isCall && way.by !== undefined ? `, by ${way.by},` : ''
  if (way.says !== undefined) return `${way.says}${by}`
  if (way.line !== undefined) return `\`${way.line}\` that succeeds${by}`
  return `${step ? wayOf(step, facts.root) : way.transition}${by}`
}

const isRefused = (decision: Decision): boolean => decision === 'deny' || decision === 'ask'

export const refusing = ({ matches, decision }: Pick<Record, 'matches' | 'decision'>): ReadonlySet<string> =>
  new Set(matches.filter(one => one.effect === decision).map(one => one.gate))

/** Plays ways, and what has to be done before or beside them. */
export class Search {
  readonly #input: Input
  readonly #tools: Tools
  readonly #turning: Turning
  readonly #now: Decision
  readonly #ways = new Map<string, readonly Way[]>()
  #left = MOST_PLAYED

  constructor(input: Input, tools: Tools, turning: Turning, now: Decision) {
    this.#input = input
    this.#tools = tools
    this.#turning = turning
    this.#now = now
  }

  ways(gate: Gate, to: GateState): readonly Way[] {
    const key = `${gate.id} ${to}`
    const known = this.#ways.get(key) ?? this.#turning.ways(gate, to)
    this.#ways.set(key, known)
    return known
  }

  /** Another answer once this is done, with whoever is in the way opened first: at most so many things. */
  find(done: readonly Done[], most: number): Found | undefined {
    if (this.#left-- <= 0) return undefined
    const played = this.#turning.play(done.map(one => one.way))
    if ('at' in played) {
      const gates = this.#input.program.gates.filter(gate => gate.id === played.by)
      return this.#opened(gates, done, played.at, most)
    }
    const { outcome, record } = evaluate(played.input, this.#tools)
    if (outcome.decision !== this.#now)
      return { done, decision: outcome.decision, ...(played.asks && { asks: played.asks }) }
    if (!isRefused(outcome.decision)) return undefined
    const ids = refusing(record)
    const gates = this.#input.program.gates.filter(gate => ids.has(gate.id))
    return this.#opened(gates, done, done.length, most)
  }

  #opened(gates: readonly Gate[], done: readonly Done[], at: number, most: number): Found | undefined {
    if (done.length >= most) return undefined
    for (const gate of gates) {
      if (gate.initial === undefined || done.some(one => one.gate === gate)) continue
      for (const way of this.ways(gate, 'open')) {
        const found = this.find([...done.slice(0, at), { gate, to: 'open', way }, ...done.slice(at)], most)
        if (found) return found
      }
    }
    return undefined
  }
}
