import type { Client } from '../../clients/index.ts'
import type { Event } from '../../engine/index.ts'
import { type GivenStates, sessionWithStates } from './given-states.ts'
import { SharedStates, Simulator, type SimulatorOptions } from './simulator.ts'

/** When simulated sessions begin: the same in every run, so that results can be compared. */
const SIMULATION_START = Date.UTC(2026, 0, 1)

interface SimulatedSessionsOptions extends SimulatorOptions {
  readonly client: Client
  /** the gates' states at the beginning of every session */
  readonly given: GivenStates
}

/** The sessions of one project with one clock: a simulator for each session, and gates that they share. */
export class SimulatedSessions {
  readonly #simulators = new Map<string, Simulator>()
  readonly #shared = new SharedStates()
  now = SIMULATION_START

  constructor(readonly options: SimulatedSessionsOptions) {}

  wait(seconds: number): void {
    this.now += seconds * 1000
  }

  /** The simulator of the event's session, at the present time. */
  simulatorFor(event: Event, client: Client = this.options.client): Simulator {
    // Sessions of two clients are different even if their ids are equal.
    const key = `${event.client} ${event.session}`
    const simulator = this.#simulators.get(key) ?? this.#begin(event, client)
    this.#simulators.set(key, simulator)
    simulator.now = this.now
    return simulator
  }

  #begin(event: Event, client: Client): Simulator {
    const session = sessionWithStates(event, this.options, this.now)
    this.#shared.gates = { ...session.shared, ...this.#shared.gates }
    return new Simulator({ ...this.options, client }, { session, now: this.now, shared: this.#shared })
  }
}
