import { filelessEventProblems, findGateByName } from '../analysis/policy-test/index.ts'
import { gateStateIn, playStep, SimulatedSessions } from '../analysis/simulator/index.ts'
import { type Client, clients } from '../clients/index.ts'
import type { Gate, Session } from '../engine/index.ts'
import { checkRegex, regex } from '../hook/services/regex.ts'
import type { Policy } from '../policy/index.ts'
import { parseTestStep, type TestStepDoc } from '../policy/parse/policy-tests.ts'
import type { EvaluateOptions, GateState, Outcome, PolicyEvent, PolicyUnderTest } from '../types/index.ts'
import { codeGatesOf } from './code-gates.ts'
import type { InternalPolicy } from './internals.ts'
import { unknownClient, unknownGate } from './mistakes.ts'
import { outcomeOf } from './outcome.ts'

/** A policy with its sessions in memory: the simulator of policy tests, one event at a time. */
export class Simulation implements PolicyUnderTest {
  readonly #internals: InternalPolicy
  readonly #options: EvaluateOptions
  #sessions: SimulatedSessions
  /** the session of the latest event */
  #latest: Session | undefined

  constructor(internals: InternalPolicy, options: EvaluateOptions) {
    this.#internals = internals
    this.#options = options
    this.#sessions = this.#newSessions()
  }

  event(event: PolicyEvent | string): Outcome {
    const done = playStep(stepOf(event), this.#sessions, this.#options.env ?? {})
    if ('problem' in done) throw new TypeError(`signalbox: ${done.problem}`)
    this.#latest = done.played.at(-1)?.session ?? this.#latest
    return outcomeOf(done, this.#internals.program, this.gates())
  }

  gates(agent?: string): Readonly<Record<string, GateState>> {
    const { gates } = this.#internals.program
    return Object.fromEntries(
      gates.flatMap((gate): readonly [string, GateState][] => {
        const state = this.#stateOf(gate, agent)
        return gate.layer === 'built-in' || state === undefined ? [] : [[gate.name, state]]
      }),
    )
  }

  reset(): void {
    this.#sessions = this.#newSessions()
    this.#latest = undefined
  }

  #stateOf(gate: Gate, agent: string | undefined): GateState | undefined {
    if (gate.initial === undefined) return undefined
    if (this.#latest) return gateStateIn(this.#latest, gate, agent)
    const { given } = this.#sessions.options
    return given[agent === undefined ? gate.id : `${gate.id}@${agent}`] ?? gate.initial
  }

  #newSessions(): SimulatedSessions {
    const { program, root, home } = this.#internals
    const { client, given = {}, code = {} } = this.#options
    return new SimulatedSessions({
      program,
      client: clientNamed(client ?? 'claude-code'),
      root,
      home,
      tools: { regex, codeGates: codeGatesOf(program, code) },
      given: givenIn(program, given),
    })
  }
}

function clientNamed(id: string): Client {
  const client = clients.find(candidate => candidate.id === id)
  if (client) return client
  throw unknownClient(id)
}

/** `succeeded` is a key of conditions that is easily mistaken for a key of events. */
const ENDED = "write `after: 'succeeded'` or `after: 'failed'`"

/** Parses and checks an event as policy tests do: with an unknown key, a test would prove nothing. */
function stepOf(event: PolicyEvent | string): TestStepDoc {
  const written = typeof event === 'string' ? { shell: event } : event
  if (Object.hasOwn(Object(written), 'expect'))
    throw new TypeError('signalbox: `expect` belongs to policy tests in YAML; compare what `event` returns')
  const reading = parseTestStep(JSON.stringify(written) ?? '')
  const problems = 'problem' in reading ? [reading.problem] : filelessEventProblems(reading.step, checkRegex)
  const [first] = problems
  if ('step' in reading && !first) return reading.step
  const { message = 'it is not an event', help, keys, words } = first ?? {}
  const known = words ?? keys
  const isEnded = Object.hasOwn(Object(written), 'succeeded')
  const advice = isEnded ? ENDED : (help ?? (known && `one of ${known.join(', ')}`))
  throw new TypeError(`signalbox: ${message}${advice ? `; ${advice}` : ''}\n  event: ${JSON.stringify(written)}`)
}

/** The given states by gate id. An unknown gate name is an error, because the simulator would ignore it. */
function givenIn({ gates }: Policy, given: Readonly<Record<string, GateState>>): Readonly<Record<string, GateState>> {
  const entries = Object.entries(given).map(([key, state]) => {
    const [name = '', ...agent] = key.split('@')
    const gate = findGateByName(gates, name)
    if (!gate) throw new TypeError(`signalbox: ${unknownGate(name, gates)}`)
    if (gate.initial === undefined)
      throw new TypeError(`signalbox: gate \`${name}\` has no state: it has no \`initial\``)
    if (state !== 'open' && state !== 'closed') throw new TypeError(`signalbox: \`${key}\` must be open or closed`)
    return [[gate.id, ...agent].join('@'), state] as const
  })
  return Object.fromEntries(entries)
}
