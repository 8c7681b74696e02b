import type { Gate } from '../core/index.ts'
import type { Call, CallTools } from './call.ts'
import { callDeed, type Deed, mayHappen, mayRefuse } from './deed.ts'
import type { Oracle } from './possible.ts'
import type { View } from './view.ts'

/** What can happen at once: lines that do several things, calls whose end comes while others are made, another session. */
export interface AtOnce {
  readonly lines: readonly Call[]
  readonly late: readonly Call[]
  /** a gate of the project's is among them: another session may begin with it as it is */
  readonly shares: boolean
}

interface AtOnceParts {
  readonly view: View
  readonly oracle: Oracle
  readonly tools: CallTools
  readonly calls: readonly Call[]
}

/** A call, and the gates it may close: as it begins, and as it ends. */
interface Closer {
  readonly call: Call
  readonly deed: Deed
  readonly begins: readonly Gate[]
  readonly ends: readonly Gate[]
}

const MOST_LINES = 24
const MOST_LATE = 6

/**
 * Where one closing keeps the next from happening, both at once get further than one after the other. Where it does not,
 * they come to the same, and need not be tried.
 */
export function atOnce(gates: ReadonlySet<Gate>, { view, oracle, tools, calls }: AtOnceParts): AtOnce {
  const stateful = [...gates].filter(gate => gate.initial !== undefined)
  const closers = calls.flatMap(call => closerOf(call, stateful, view, oracle))
  const refuses = (gate: Gate, { deed, call }: Closer): boolean => {
    const [begin] = deed.events
    return begin !== undefined && mayRefuse(gate, begin, oracle, view, call.approved)
  }
  const closed = ({ begins, ends }: Closer): readonly Gate[] => [...begins, ...ends]
  const inTheWay = (one: Closer, other: Closer): boolean => closed(one).some(gate => refuses(gate, other))
  const simple = closers.filter(({ call }) => isSimple(call))
  const pairs = simple.flatMap((one, at) =>
    simple
      .slice(at + 1)
      .filter(other => inTheWay(one, other) || inTheWay(other, one))
      .map(other => [one, other]),
  )
  const whole = new Set(pairs.flat())
  const chosen = whole.size > 2 ? [[...whole], ...pairs] : pairs
  const lines = chosen.slice(0, MOST_LINES).flatMap(each => lineOf(each, tools))
  const late = closers.filter(one =>
    stateful.some(gate => !one.ends.includes(gate) && one.ends.length > 0 && refuses(gate, one)),
  )
  return {
    lines,
    late: late.slice(0, MOST_LATE).map(one => one.call),
    shares: stateful.some(gate => gate.scope === 'project'),
  }
}

export const isAnything = ({ lines, late, shares }: AtOnce): boolean => lines.length + late.length > 0 || shares

function closerOf(call: Call, gates: readonly Gate[], view: View, oracle: Oracle): readonly Closer[] {
  if (call.spawns !== undefined || (call.witnessed && view.reportsStatus)) return []
  const deed = callDeed(call, 'main', view)
  const closedBy = (isEnd: boolean): readonly Gate[] =>
    gates.filter(gate =>
      gate.transitions.some(
        step =>
          step.to === 'closed' &&
          deed.events.some(
            event => isEnd === (event.kind !== 'tool.before') && mayHappen(step, event, oracle, call.approved),
          ),
      ),
    )
  const [begins, ends] = [closedBy(false), closedBy(true)]
  return begins.length + ends.length === 0 ? [] : [{ call, deed, begins, ends }]
}

const isSimple = ({ short, witnessed, approved }: Call): boolean =>
  typeof short.shell === 'string' && !witnessed && !approved && !/[;&|]/.test(short.shell)

function lineOf(closers: readonly Closer[], { read }: CallTools): readonly Call[] {
  const short = { shell: closers.map(({ call }) => String(call.short.shell)).join(' && ') }
  const before = read(short)
  return before?.call ? [{ short, before, approved: false, witnessed: false }] : []
}
