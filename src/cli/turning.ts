import { type Doing, doingsFor, FRESH_AGENT, textFor } from '../check/index.ts'
import type { Client } from '../clients/index.ts'
import {
  type Caller,
  type Decision,
  type Event,
  evaluate,
  type Input,
  type Session,
  type Tools,
} from '../core/index.ts'
import type { Played, Turning, Way } from '../explain/index.ts'
import { readShort } from '../policy/compiler.ts'
import { readStep, type StepDoc } from '../policy/tests.ts'
import { gatherFacts } from '../runtime/index.ts'
import { castStep, retyped } from '../trial/index.ts'
import { stepWords } from './step-words.ts'

/** Where a session stands. */
interface Point {
  readonly session: Session
  readonly now: number
  /** a person was asked on the way, and is taken to have agreed */
  readonly asked?: boolean
}

/** What would change the answer is done as a test would do it: step by step, as this client tells of it, by the engine itself. */
export function turningOf(input: Input, tools: Tools, client: Client, home: string): Turning {
  const { event, facts, program } = input
  const { root } = facts
  const env = Object.fromEntries(
    Object.entries(facts.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const known = { gates: program.gates, env: Object.keys(env) }
  const place = { root, home, client }
  const doings = new Map<Way, Doing>()
  const begin: Point = { session: input.session, now: facts.now }
  const walk = (steps: readonly object[], from: Point, approved = false) => played(steps, from, approved)

  function played(steps: readonly object[], from: Point, approved: boolean): Point | { by: string | undefined } {
    let { session, now } = from
    let asked = false
    for (const short of steps) {
      const step = asStep(short)
      now += (step?.wait ?? 0) * 1000
      const cast = step && step.wait === undefined ? castStep(step, place) : { events: [] }
      if ('problem' in cast) return { by: undefined }
      for (const one of cast.events.map(told => ofSession(told, event))) {
        const seen = gatherFacts(one, known, { now, env, root, home })
        const result = evaluate({ ...input, event: one, session, facts: { ...seen, approved } }, tools)
        if (isKept(one, result.outcome.decision)) return { by: result.record.gate }
        asked ||= result.outcome.decision === 'ask'
        session = result.session
      }
    }
    return { session, now, asked }
  }

  const refused = (): Point => ({ ...begin, session: evaluate(input, tools).session })

  return {
    retyped: line => retyped(event, line, place),
    textLike: pattern => textFor(pattern, tools.regex),
    ways: (gate, to) => {
      const read = (short: object) => {
        const reading = readShort({ ...short }, { root, home })
        return 'event' in reading ? reading.event : null
      }
      const live = event.caller.kind === 'agent' ? event.caller.type : undefined
      const found = doingsFor(gate, to, { program, client, regex: tools.regex, root, read, live })
      return found.map(doing => {
        const { transition, line, by } = doing
        const who = by === 'main' || by === live || !isAgents(doing) ? undefined : agentWords(by)
        const step = gate.transitions.find(one => one.id === transition)
        const says = step && stepWords(doing.steps, step)
        const way: Way = {
          transition,
          ...(line !== undefined && { line }),
          ...(says !== undefined && { says }),
          ...(who !== undefined && { by: who }),
        }
        doings.set(way, doing)
        return way
      })
    },
    play: (ways): Played => {
      let at = begin
      const asks: number[] = []
      for (const [nth, way] of ways.entries()) {
        const { steps = [], approved = false } = doings.get(way) ?? {}
        // a session that has just begun counts from here: what is asked was refused first
        const from = nth === 0 && isWaited(steps) ? refused() : at
        const next = walk(steps, from, approved)
        if ('by' in next) return { at: nth, by: next.by }
        if (next.asked) asks.push(nth)
        at = next
      }
      const changed = { ...input, session: at.session, facts: { ...facts, now: at.now } }
      return { input: changed, ...(asks.length > 0 && { asks }) }
    },
    as: (caller, from) => {
      const agent = caller.kind === 'agent' ? (caller.type ?? caller.id) : undefined
      const called = from.event.call ? { ...from, event: { ...from.event, caller: toldAs(caller, client) } } : from
      if (agent === undefined) return called
      const start = walk([{ spawn: agent, id: `as ${agent}` }, { starts: agent }], {
        session: from.session,
        now: from.facts.now,
      })
      return 'by' in start ? undefined : { ...called, session: start.session }
    },
  }
}

const isWaited = ([first]: Doing['steps']): boolean => first !== undefined && 'wait' in first

/** It begins with an agent that is spawned for it. */
const isAgents = ({ steps: [first] }: Doing): boolean => first !== undefined && 'spawn' in first

const agentWords = (by: string): string => (by === FRESH_AGENT ? 'an agent' : `the agent \`${by}\``)

/** What is refused does not happen; of what has happened it is only words. */
const isKept = ({ kind }: Event, decision: Decision): boolean =>
  decision === 'deny' && kind !== 'tool.after' && kind !== 'tool.failed'

const ofSession = (told: Event, { session, client }: Event): Event => ({ ...told, session, client })

/** Who calls is known where the client marks it; elsewhere it is inferred. */
const toldAs = (caller: Caller, { capabilities }: Client): Caller =>
  capabilities.callers === 'marked' ? caller : { kind: 'unknown' }

function asStep(short: object): StepDoc | undefined {
  const read = readStep(JSON.stringify(short))
  return 'step' in read ? read.step : undefined
}
