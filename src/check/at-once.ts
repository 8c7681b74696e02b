import type { Gate, Transition } from '../core/index.ts'
import { atomsOf, rulesOf } from './atom.ts'
import type { Call, CallTools } from './call.ts'
import { helping } from './cone.ts'
import { isCounting, mayCount } from './counting.ts'
import { callDeed, type Deed, mayHappen, mayRefuse } from './deed.ts'
import type { Oracle } from './possible.ts'
import type { View } from './view.ts'

/** What can happen at once: lines that do several things, calls whose end comes while others are made, another session. */
export interface AtOnce {
  readonly lines: readonly Call[]
  readonly late: readonly Call[]
  /** a gate of the project's is among them: another session may begin with it as it is */
  readonly shares: boolean
  /** what may make a difference, and is not tried */
  readonly untried: readonly string[]
}

interface AtOnceParts {
  readonly view: View
  readonly oracle: Oracle
  readonly tools: CallTools
  /** of those that the gates cannot tell apart, one */
  readonly calls: readonly Call[]
  readonly agents: readonly string[]
}

/** A call, and the gates it may close, or open where somebody needs them closed: as it begins, and as it ends. */
interface Closer {
  readonly call: Call
  readonly deed: Deed
  readonly begins: readonly Gate[]
  readonly ends: readonly Gate[]
  /** those that may refuse it */
  readonly refusers: readonly Gate[]
  /** its end leaves one gate worse while its beginning left another better, or decided about it: by then others may have moved that back */
  readonly isUpset: boolean
}

const MOST_LINES = 26
const MOST_LATE = 6

/**
 * Where one closing keeps the next from happening, both at once get further than one after the other. Where it does not,
 * they come to the same, and need not be tried.
 */
export function atOnce(gates: ReadonlySet<Gate>, parts: AtOnceParts): AtOnce {
  const stateful = [...gates].filter(gate => gate.initial !== undefined)
  const closers = ['main', ...parts.agents].flatMap(by =>
    parts.calls.flatMap(call => closerOf(call, by, stateful, parts)),
  )
  const [lines, left] = linesOf(closers)
  const late = closers.filter(isLate)
  const calls = unique(late.filter(({ deed }) => deed.by === 'main').map(one => one.call))
  return {
    lines: lines.flatMap(each => lineOf(each, parts.tools)),
    late: calls.slice(0, MOST_LATE),
    shares: stateful.some(gate => gate.scope === 'project'),
    untried: [
      ...(left > 0 ? [`of ${lines.length + left} lines that do several things only ${lines.length} were tried`] : []),
      ...(calls.length > MOST_LATE ? [`of ${calls.length} calls that may go on only ${MOST_LATE} were tried`] : []),
      ...(isMoreThanTwo(closers, late) ? ['three calls at once are not played'] : []),
      ...(late.some(one => isOwnOf(one, late)) ? ["an agent's call that goes on is not played"] : []),
    ],
  }
}

const unique = <T>(list: readonly T[]): readonly T[] => [...new Set(list)]

export const isAnything = ({ lines, late, shares, untried }: AtOnce): boolean =>
  lines.length + late.length + untried.length > 0 || shares

const closedBy = ({ begins, ends }: Closer): readonly Gate[] => [...begins, ...ends]

/** What it closes as it ends may come after another gate was closed that would have refused it. */
const isLate = ({ ends, refusers, isUpset }: Closer): boolean =>
  isUpset || (ends.length > 0 && refusers.some(gate => !ends.includes(gate)))

/** Two go on and a third is begun: more than two may close, each refused by what another closes. */
function isMoreThanTwo(closers: readonly Closer[], late: readonly Closer[]): boolean {
  const refused = closers.filter(one =>
    closers.some(other => other.call !== one.call && closedBy(other).some(gate => one.refusers.includes(gate))),
  )
  const going = refused.filter(one => one.deed.by === 'main' && late.includes(one))
  const closed = unique(refused.flatMap(closedBy))
  return unique(refused.map(one => one.call)).length > 2 && going.length > 1 && closed.length > 2
}

/** An agent's, and what comes of it is not what comes of the same call of the main agent. */
function isOwnOf(one: Closer, late: readonly Closer[]): boolean {
  if (one.deed.by === 'main') return false
  const same = late.find(({ call, deed }) => call === one.call && deed.by === 'main')
  const names = (list: readonly Gate[]): string => list.map(gate => gate.id).join()
  return !same || names(same.ends) !== names(one.ends) || names(same.refusers) !== names(one.refusers)
}

/** Lines of some or of all that are in each other's way, and how many there would be besides. */
function linesOf(closers: readonly Closer[]): readonly [lines: readonly (readonly Call[])[], left: number] {
  const simple = closers.filter(({ call }) => isSimple(call))
  const inTheWay = (one: Closer, other: Closer): boolean => closedBy(one).some(gate => other.refusers.includes(gate))
  const pairs = simple.flatMap((one, at) =>
    simple
      .slice(at + 1)
      .filter(other => other.call !== one.call && one.deed.by === other.deed.by)
      .filter(other => inTheWay(one, other) || inTheWay(other, one))
      .map(other => [one.call, other.call] as const),
  )
  const each = [
    ...new Map(pairs.map(pair => [pair.map(call => simple.findIndex(one => one.call === call)).join(), pair])).values(),
  ]
  const calls = unique(pairs.flat())
  const all = 2 ** calls.length - calls.length - 1
  if (pairs.length === 0) return [[], 0]
  if (all <= MOST_LINES) return [subsets(calls).filter(each => each.length > 1), 0]
  const lines = [calls, ...each].slice(0, MOST_LINES)
  return [lines, all - lines.length]
}

const subsets = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: 2 ** list.length }, (_, chosen) => list.filter((_one, at) => (chosen >> at) % 2 === 1))

/** Gates that help while they are closed: something then opens, or is let through. */
const neededShut = (gates: readonly Gate[]): ReadonlySet<string> =>
  new Set(
    gates.flatMap(gate => [
      ...gate.transitions.flatMap(({ when, to }) => shutIn(helping(when, to === 'open'))),
      ...rulesOf(gate).flatMap(({ when, unless, while: during }) => [
        ...shutIn(helping(when, false)),
        ...(unless ? shutIn(helping(unless, true)) : []),
        ...(during === 'open' ? [gate.id] : []),
      ]),
    ]),
  )

const shutIn = (states: ReturnType<typeof helping>): readonly string[] =>
  states.flatMap(([id, state]) => (state === 'closed' ? id : []))

function closerOf(call: Call, by: string, gates: readonly Gate[], { view, oracle }: AtOnceParts): readonly Closer[] {
  if (call.spawns !== undefined || (call.witnessed && view.reportsExit)) return []
  const deed = callDeed(call, by, view)
  const shut = neededShut(gates)
  const asked = deed.events.filter(({ kind }) => kind === 'tool.before')
  const ended = deed.events.filter(({ kind }) => kind !== 'tool.before')
  const countedBy = (events: typeof asked): readonly Gate[] =>
    gates.filter(gate => isCounting(gate) && events.some(event => mayCount(gate, event, oracle, call.approved)))
  const movedBy = (events: typeof asked, isMeant: (step: Transition, gate: Gate) => boolean): readonly Gate[] =>
    gates.filter(gate =>
      gate.transitions.some(
        step => isMeant(step, gate) && events.some(event => mayHappen(step, event, oracle, call.approved)),
      ),
    )
  const isWorse = ({ to }: Transition, { id }: Gate): boolean => to === 'closed' || shut.has(id)
  // … and something else may move it back
  const isBetter = ({ to }: Transition, { id, transitions }: Gate): boolean =>
    (to === 'open' || shut.has(id)) && transitions.some(one => one.to !== to)
  // what is counted may close a gate with the next event: two at once may be one more than there can be one after the other
  const begins = unique([...movedBy(asked, isWorse), ...countedBy(asked)])
  const ends = unique([...movedBy(ended, isWorse), ...countedBy(ended)])
  if (begins.length + ends.length === 0) return []
  const refusers = gates.filter(gate => asked.some(event => mayRefuse(gate, event, oracle, view, call.approved)))
  const needed = new Set(ends.flatMap(gate => gate.transitions.filter(one => isWorse(one, gate)).flatMap(lookedAtBy)))
  const isUpset =
    movedBy(asked, (_, { id }) => needed.has(id)).length > 0 ||
    movedBy(asked, isBetter).some(gate => ends.some(other => other !== gate))
  return [{ call, deed, begins, ends, refusers, isUpset }]
}

const lookedAtBy = ({ when }: Transition): readonly string[] =>
  atomsOf(when).flatMap(atom => (atom.key === 'gate' ? atom.states.map(one => one.gate) : []))

const isSimple = ({ short, witnessed, approved }: Call): boolean =>
  typeof short.shell === 'string' && !witnessed && !approved && !/[;&|]/.test(short.shell)

function lineOf(calls: readonly Call[], { read }: CallTools): readonly Call[] {
  const short = { shell: calls.map(call => String(call.short.shell)).join(' && ') }
  const before = read(short)
  return before?.call ? [{ short, before, approved: false, witnessed: false }] : []
}
