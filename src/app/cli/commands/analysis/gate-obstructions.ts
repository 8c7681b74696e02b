import { describeTrigger, type GateObstruction } from '../../../../analysis/explain/index.ts'
import { passingCodeGates, SimulatedSessions, simulatePayload } from '../../../../analysis/simulator/index.ts'
import { findGateMoveScenarios } from '../../../../analysis/verify/index.ts'
import { clients } from '../../../../clients/index.ts'
import type { Event, Gate, GateState } from '../../../../engine/index.ts'
import { regex } from '../../../../hook/services/regex.ts'
import { parseEventShorthand } from '../../../../policy/compile/compiler.ts'
import type { Policy } from '../../../../policy/index.ts'
import { parseTestStep } from '../../../../policy/parse/policy-tests.ts'
import type { ProjectContext } from '../../project.ts'

/** With more gates than this the diagram is unreadable. */
const MAX_GATES = 30

/** Finds gates that deny what opens another gate. Plays each way to open a gate with all gates closed, and with all open. */
export function findGateObstructions(
  gates: readonly Gate[],
  { policy, root, folders }: ProjectContext,
): readonly GateObstruction[] {
  const [client] = clients
  if (!client || gates.length > MAX_GATES) return []
  const { program } = policy
  const place = { root, home: folders.home }
  const tools = { regex, codeGates: passingCodeGates(program) }
  const read = (short: object) => {
    const reading = parseEventShorthand({ ...short }, place)
    return 'event' in reading ? reading.event : null
  }
  const eventsOf = (steps: readonly object[]): readonly Event[] =>
    steps.flatMap(short => {
      const step = parseTestStep(JSON.stringify(short))
      const simulated =
        'step' in step && step.step.wait === undefined ? simulatePayload(step.step, { ...place, client }) : undefined
      return simulated && 'events' in simulated ? simulated.events : []
    })
  const refusersOf = (events: readonly Event[], state: GateState): ReadonlyMap<string, string> => {
    const given = allGatesIn(state, program)
    const sessions = new SimulatedSessions({ program, client, ...place, tools, given })
    const matches = events.flatMap(event => sessions.simulatorFor(event).play(event).record.matches)
    return new Map(matches.flatMap(({ gate, rule, effect }) => (effect === 'deny' ? [[gate, rule] as const] : [])))
  }
  const links = gates.flatMap(gate => {
    const ways = refusingStates(gate).flatMap(state =>
      findGateMoveScenarios(gate, oppositeState(state), { program, client, regex, root, parseEvent: read }),
    )
    return gate.transitions.flatMap(transition => {
      const own = ways
        .filter(scenario => scenario.transition === transition.id)
        .map(scenario => eventsOf(scenario.steps))
      if (own.length === 0) return []
      const found = GATE_STATES.flatMap(state => gatesInAll(own.map(events => refusersOf(events, state))))
      const known = new Map(found.filter(([id]) => id !== gate.id && gates.some(candidate => candidate.id === id)))
      return [...known].map(([from, rule]) => ({ from, to: gate.id, rule, what: describeTrigger(transition, root) }))
    })
  })
  return withoutDuplicates(links)
}

/** Transitions from different states may open a gate by the same call. */
const withoutDuplicates = (links: readonly GateObstruction[]): readonly GateObstruction[] => [
  ...new Map(links.map(link => [JSON.stringify(link), link])).values(),
]

const GATE_STATES = ['closed', 'open'] as const
const oppositeState = (state: GateState): GateState => (state === 'open' ? 'closed' : 'open')

/** States in which the gate's own rules deny. A transition out of such a state opens the gate. */
const refusingStates = ({ initial, rules }: Gate): readonly GateState[] =>
  initial === undefined
    ? []
    : GATE_STATES.filter(state => rules.some(rule => rule.while === state && rule.then === 'deny'))

const allGatesIn = (state: GateState, { gates }: Policy): Readonly<Record<string, GateState>> =>
  Object.fromEntries(gates.filter(gate => gate.initial !== undefined).map(gate => [gate.id, state]))

/** Gates that deny every way. If one way is left, nothing is blocked. */
const gatesInAll = ([first, ...rest]: readonly ReadonlyMap<string, string>[]): readonly (readonly [string, string])[] =>
  [...(first ?? [])].filter(([gate]) => rest.every(candidate => candidate.has(gate)))
