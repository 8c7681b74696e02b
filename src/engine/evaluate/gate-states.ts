import { turnsOf } from '../match/counter.ts'
import { type Caller, callerKey } from '../model/caller.ts'
import type { Gate } from '../model/gate.ts'
import type { GateMove, GateTimestamp, GateVariables, Session } from '../model/session.ts'
import type { GateState } from '../model/vocabulary.ts'

/** The gates' variables while one event is evaluated. They are written to a new session only at the end. */
export class GateStates {
  constructor(
    private readonly session: Session,
    private readonly caller: Caller,
    private readonly now: number,
    private readonly changed = new Map<string, { gate: Gate; memory: GateVariables }>(),
  ) {}

  copy = (): GateStates => new GateStates(this.session, this.caller, this.now, new Map(this.changed))

  of = (gate: Gate): GateVariables => {
    const key = this.key(gate)
    const saved = gate.scope === 'project' ? this.session.shared : this.session.gates
    return this.changed.get(key)?.memory ?? saved[key] ?? this.stamp(gate)
  }

  /** A turn of any session counts as a turn of every gate with scope `project`. */
  beginTurn(gates: readonly Gate[]): void {
    for (const gate of gates.filter(one => one.scope === 'project' && this.session.shared[one.id]))
      this.set(gate, { ...this.of(gate), turns: turnsOf(this.of(gate)) + 1 })
  }

  set(gate: Gate, memory: GateVariables): void {
    this.changed.set(this.key(gate), { gate, memory })
  }

  /** Self-transitions reset `opened` or `closed`, not `changed`. */
  apply(gate: Gate, { to, captured }: GateMove): void {
    const { fired, problem, ...memory } = this.of(gate)
    const mark = this.mark(memory.operations, gate.scope === 'project' ? turnsOf(memory) : undefined)
    this.set(gate, {
      ...memory,
      state: to,
      ...marked(to, mark),
      ...(to === memory.state ? fired && { fired } : { changed: mark }),
      ...(captured ? { captured: { ...memory.captured, [captured.name]: captured.value } } : problem && { problem }),
    })
  }

  /** The session's two maps of gate variables, with the changes of this event. */
  written = (): Pick<Session, 'gates' | 'shared'> => ({
    gates: this.added(this.session.gates, false),
    shared: this.added(this.session.shared, true),
  })

  private added(to: Session['gates'], isShared: boolean): Session['gates'] {
    const own = [...this.changed].filter(([, { gate }]) => (gate.scope === 'project') === isShared)
    return own.length === 0 ? to : { ...to, ...Object.fromEntries(own.map(([key, { memory }]) => [key, memory])) }
  }

  /** The first event that a gate sees sets its initial state and timestamps. */
  private stamp(gate: Gate): GateVariables {
    const mark = this.mark(0)
    const begun = { operations: 0, changed: mark, ...(gate.scope === 'project' && { turns: mark.turn }) }
    if (gate.initial === undefined) return { state: 'open', ...begun }
    const memory: GateVariables = { state: gate.initial, ...begun, ...marked(gate.initial, mark) }
    this.set(gate, memory)
    return memory
  }

  private key = (gate: Gate): string => (gate.scope === 'agent' ? `${gate.id}@${callerKey(this.caller)}` : gate.id)

  private mark = (operations: number, turn = this.session.turn): GateTimestamp => ({ at: this.now, turn, operations })
}

const marked = (state: GateState, mark: GateTimestamp) => (state === 'open' ? { opened: mark } : { closed: mark })
