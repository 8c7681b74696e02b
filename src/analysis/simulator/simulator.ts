import type { Client } from '../../clients/index.ts'
import {
  type EvaluationInput,
  type EvaluationResult,
  type EvaluationTools,
  type Event,
  evaluate,
  type Session,
} from '../../engine/index.ts'
import * as shell from '../../engine/shell/index.ts'
import { gatherFacts, suggestionConflicts, withActions } from '../../hook/index.ts'
import type { Policy } from '../../policy/index.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The policy, the client and the machine that a simulator plays events with. */
export interface SimulatorOptions {
  readonly program: Policy
  readonly client: Pick<Client, 'capabilities'>
  readonly root: string
  readonly home: string
  /** variables that conditions on `env` see; absent: none is set */
  readonly env?: Environment
  /** the files that are there, absolute, beside those that the session wrote: `disk` asks the disk; absent: unknown */
  readonly files?: readonly string[] | 'disk'
  /** `judge` may be a memoised `judgeGate`: replay plays the same lines again and again */
  readonly tools: Pick<EvaluationTools, 'regex' | 'codeGates' | 'judge'>
}

/** Where a simulation begins. */
export interface SimulationStart {
  readonly session: Session
  /** milliseconds since 1970 */
  readonly now: number
  /** absent: no other session shares its project gates */
  readonly shared?: SharedStates
}

/** The states of the project's gates, which all sessions of the project share. */
export class SharedStates {
  constructor(public gates: Session['shared'] = {}) {}
}

/** What is known about one event besides the event itself. */
export interface EventFacts {
  /** instead of the simulator's own */
  readonly env?: Environment
  /** the call carries a valid approval */
  readonly approved?: boolean
}

/** One event with its outcome, the next states and the record, and with what they were computed from. */
export interface PlayedEvent extends EvaluationResult {
  readonly input: EvaluationInput
  readonly tools: EvaluationTools
}

/**
 * Plays the events of one session in memory, with the real engine. Nothing is stored, and time passes only when the caller sets it.
 * Policy tests, `explain`, `replay`, the playground and the public API all play events with it.
 */
export class Simulator {
  /** milliseconds since 1970; the caller moves it */
  now: number
  readonly #options: SimulatorOptions
  readonly #tools: EvaluationTools
  readonly #shared: SharedStates
  #session: Session

  constructor(options: SimulatorOptions, { session, now, shared }: SimulationStart) {
    this.#options = options
    const { root, home, program } = options
    const place = { root, home, program, cwd: root, shell: () => shell }
    this.#tools = {
      conflicts: (...asked) => suggestionConflicts(event => withActions(event, place), ...asked),
      ...options.tools,
    }
    this.#shared = shared ?? new SharedStates(session.shared)
    this.#session = session
    this.now = now
  }

  get program(): Policy {
    return this.#options.program
  }

  get root(): string {
    return this.#options.root
  }

  get regex(): EvaluationTools['regex'] {
    return this.#tools.regex
  }

  /** The states before the next event. */
  get session(): Session {
    const { gates } = this.#shared
    // Usually no other session changed the shared gates: reuse the session object.
    return this.#session.shared === gates ? this.#session : { ...this.#session, shared: gates }
  }

  /** Continues from these states. */
  set session(session: Session) {
    this.#session = session
  }

  /** Evaluates the event and goes on to the states that it leaves. */
  play(event: Event, facts?: EventFacts): PlayedEvent {
    const played = this.preview(event, facts)
    this.#session = played.session
    this.#shared.gates = played.session.shared
    return played
  }

  /** Evaluates the event and stays where it is. */
  preview(event: Event, facts?: EventFacts): PlayedEvent {
    const input = this.#inputFor(event, facts)
    const { outcome, session, record } = evaluate(input, this.#tools)
    return { outcome, session, record, input, tools: this.#tools }
  }

  wait(seconds: number): void {
    this.now += seconds * 1000
  }

  /** An independent simulator at the same point, with other options or states if they are given. */
  fork({ session = this.session, ...changes }: Partial<SimulatorOptions> & { session?: Session } = {}): Simulator {
    return new Simulator({ ...this.#options, ...changes }, { session, now: this.now })
  }

  #inputFor(event: Event, { env = this.#options.env ?? {}, approved }: EventFacts = {}): EvaluationInput {
    const { program, root, home, client, files } = this.#options
    const facts = gatherFacts(event, program, {
      now: this.now,
      env,
      root,
      home,
      ...(approved !== undefined && { approved }),
      ...(files !== 'disk' && { isThere: path => files && isThereIn(path, files, this.session) }),
    })
    return { event, session: this.session, program, facts, capabilities: client.capabilities }
  }
}

const isThereIn = (path: string, files: readonly string[], { files: known = {} }: Session): boolean =>
  files.some(file => file === path || file.startsWith(`${path}/`)) || known[path]?.includes('w') === true

/** A call that was denied does not happen, and neither do the later events of its payload. */
export const isDeniedCall = ({ input: { event }, outcome }: PlayedEvent): boolean =>
  event.kind === 'tool.before' && outcome.decision === 'deny'
