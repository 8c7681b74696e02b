import { doingsFor } from '../check/index.ts'
import { clients } from '../clients/index.ts'
import type { Event, Gate } from '../core/index.ts'
import { type GateLink, wayOf } from '../explain/index.ts'
import type { GateState } from '../pattern/index.ts'
import { readShort } from '../policy/compiler.ts'
import type { Policy } from '../policy/index.ts'
import { readStep } from '../policy/tests.ts'
import { regex } from '../runtime/regex.ts'
import { castStep, Stage } from '../trial/index.ts'
import type { Project } from './project.ts'

/** Among more gates than these nobody would follow the arrows. */
const MOST_GATES = 30

/** Who refuses what opens another gate: each way of a transition is played with all gates closed, and with all open. */
export function linksBetween(gates: readonly Gate[], { policy, root, folders }: Project): readonly GateLink[] {
  const [client] = clients
  if (!client || gates.length > MOST_GATES) return []
  const { program } = policy
  const ground = { root, home: folders.home }
  const read = (short: object) => {
    const reading = readShort({ ...short }, ground)
    return 'event' in reading ? reading.event : null
  }
  const eventsOf = (steps: readonly object[]): readonly Event[] =>
    steps.flatMap(short => {
      const step = readStep(JSON.stringify(short))
      const cast =
        'step' in step && step.step.wait === undefined ? castStep(step.step, { ...ground, client }) : undefined
      return cast && 'events' in cast ? cast.events : []
    })
  const refusersOf = (events: readonly Event[], state: GateState): ReadonlyMap<string, string> => {
    const stage = new Stage({ program, client, ...ground, regex, codeGates: {}, given: allIn(state, program) })
    const matches = events.flatMap(event => stage.play(event, {}).result.record.matches)
    return new Map(matches.flatMap(({ gate, rule, effect }) => (effect === 'deny' ? [[gate, rule] as const] : [])))
  }
  return gates.flatMap(gate => {
    const ways = refusingStates(gate).flatMap(state =>
      doingsFor(gate, other(state), { program, client, regex, root, read }),
    )
    return gate.transitions.flatMap(transition => {
      const own = ways.filter(way => way.transition === transition.id).map(way => eventsOf(way.steps))
      if (own.length === 0) return []
      const found = STATES.flatMap(state => commonTo(own.map(events => refusersOf(events, state))))
      const known = new Map(found.filter(([id]) => id !== gate.id && gates.some(one => one.id === id)))
      return [...known].map(([from, rule]) => ({ from, to: gate.id, rule, what: wayOf(transition, root) }))
    })
  })
}

const STATES = ['closed', 'open'] as const
const other = (state: GateState): GateState => (state === 'open' ? 'closed' : 'open')

/** States in which its own rules refuse: what leads out of them is what opens it. */
const refusingStates = ({ initial, rules }: Gate): readonly GateState[] =>
  initial === undefined ? [] : STATES.filter(state => rules.some(rule => rule.while === state && rule.then === 'deny'))

const allIn = (state: GateState, { gates }: Policy): Readonly<Record<string, GateState>> =>
  Object.fromEntries(gates.filter(one => one.initial !== undefined).map(one => [one.id, state]))

/** Gates that refuse each of the ways: with one way left nobody is held up. */
const commonTo = ([first, ...rest]: readonly ReadonlyMap<string, string>[]): readonly (readonly [string, string])[] =>
  [...(first ?? [])].filter(([gate]) => rest.every(one => one.has(gate)))
