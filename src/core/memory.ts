import type { GateState } from '../pattern/index.ts'
import { type Caller, callerKey } from './caller.ts'
import type { Gate } from './gate.ts'
import type { GateMemory, Mark, Move, Session } from './session.ts'

/** The gates' memories while one event is judged. Written back into a new session at the end, never before. */
export class Memories {
  constructor(
    private readonly session: Session,
    private readonly caller: Caller,
    private readonly now: number,
    private readonly changed = new Map<string, { gate: Gate; memory: GateMemory }>(),
  ) {}

  copy = (): Memories => new Memories(this.session, this.caller, this.now, new Map(this.changed))

  of = (gate: Gate): GateMemory => {
    const key = this.key(gate)
    const saved = gate.scope === 'project' ? this.session.shared : this.session.gates
    return this.changed.get(key)?.memory ?? saved[key] ?? this.stamp(gate)
  }

  set(gate: Gate, memory: GateMemory): void {
    this.changed.set(this.key(gate), { gate, memory })
  }

  /** Self-transitions reset `opened` or `closed`, not `changed`. */
  apply(gate: Gate, { to, captured }: Move): void {
    const { fired, problem, ...memory } = this.of(gate)
    const mark = this.mark(memory.operations)
    this.set(gate, {
      ...memory,
      state: to,
      ...marked(to, mark),
      ...(to === memory.state ? fired && { fired } : { changed: mark }),
      ...(captured ? { captured: { ...memory.captured, [captured.name]: captured.value } } : problem && { problem }),
    })
  }

  /** The session's two records with this event's changes in them. */
  written(): Pick<Session, 'gates' | 'shared'> {
    const { gates, shared } = this.session
    return { gates: this.added(gates, false), shared: this.added(shared, true) }
  }

  private added(to: Session['gates'], isShared: boolean): Session['gates'] {
    const own = [...this.changed].filter(([, { gate }]) => (gate.scope === 'project') === isShared)
    return own.length === 0 ? to : { ...to, ...Object.fromEntries(own.map(([key, { memory }]) => [key, memory])) }
  }

  /** The first event a gate sees stamps its initial state. */
  private stamp(gate: Gate): GateMemory {
    const mark = this.mark(0)
    if (gate.initial === undefined) return { state: 'open', operations: 0, changed: mark }
    const memory: GateMemory = { state: gate.initial, operations: 0, changed: mark, ...marked(gate.initial, mark) }
    this.set(gate, memory)
    return memory
  }

  private key = (gate: Gate): string => (gate.scope === 'agent' ? `${gate.id}@${callerKey(this.caller)}` : gate.id)

  private mark = (operations: number): Mark => ({ at: this.now, turn: this.session.turn, operations })
}

const marked = (state: GateState, mark: Mark) => (state === 'open' ? { opened: mark } : { closed: mark })
