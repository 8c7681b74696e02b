import type { CandidateMove, CounterfactualTools, MoveSequenceResult } from '../../../../analysis/explain/index.ts'
import { simulatePayload, withShellLine } from '../../../../analysis/policy-test/index.ts'
import {
  FRESH_AGENT,
  findGateMoveScenarios,
  type GateMoveScenario,
  sampleText,
} from '../../../../analysis/verify/index.ts'
import type { Client } from '../../../../clients/index.ts'
import {
  type Caller,
  type Decision,
  type EvaluationInput,
  type EvaluationTools,
  type Event,
  evaluate,
  type Session,
} from '../../../../engine/index.ts'
import { gatherFacts } from '../../../../hook/index.ts'
import { parseEventShorthand } from '../../../../policy/compile/compiler.ts'
import { parseTestStep, type TestStepDoc } from '../../../../policy/parse/policy-tests.ts'
import { describeSteps } from './step-text.ts'

/** A session at one moment. */
interface SessionPoint {
  readonly session: Session
  readonly now: number
  /** a person was asked on the way to this point, and is assumed to have agreed */
  readonly asked?: boolean
}

/** Tries a counterfactual as a policy test would: step by step, as this client reports the steps, with the real engine. */
export function createCounterfactualTools(
  input: EvaluationInput,
  tools: EvaluationTools,
  client: Client,
  home: string,
): CounterfactualTools {
  const { event, facts, program } = input
  const { root } = facts
  const env = Object.fromEntries(
    Object.entries(facts.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const known = { gates: program.gates, env: Object.keys(env) }
  const place = { root, home, client }
  const doings = new Map<CandidateMove, GateMoveScenario>()
  const begin: SessionPoint = { session: input.session, now: facts.now }
  const walk = (steps: readonly object[], from: SessionPoint, approved = false) => played(steps, from, approved)

  function played(
    steps: readonly object[],
    from: SessionPoint,
    approved: boolean,
  ): SessionPoint | { by: string | undefined } {
    let { session, now } = from
    let asked = false
    for (const short of steps) {
      const step = toTestStep(short)
      now += (step?.wait ?? 0) * 1000
      const cast = step && step.wait === undefined ? simulatePayload(step, place) : { events: [] }
      if ('problem' in cast) return { by: undefined }
      for (const one of cast.events.map(told => withSessionOf(told, event))) {
        const seen = gatherFacts(one, known, { now, env, root, home })
        const result = evaluate({ ...input, event: one, session, facts: { ...seen, approved } }, tools)
        if (isPrevented(one, result.outcome.decision)) return { by: result.record.gate }
        asked ||= result.outcome.decision === 'ask'
        session = result.session
      }
    }
    return { session, now, asked }
  }

  const refused = (): SessionPoint => ({ ...begin, session: evaluate(input, tools).session })

  return {
    retyped: line => withShellLine(event, line, place),
    textLike: pattern => sampleText(pattern, tools.regex),
    ways: (gate, to) => {
      const read = (short: object) => {
        const reading = parseEventShorthand({ ...short }, { root, home })
        return 'event' in reading ? reading.event : null
      }
      const live = event.caller.kind === 'agent' ? event.caller.type : undefined
      const found = findGateMoveScenarios(gate, to, { program, client, regex: tools.regex, root, read, live })
      return found.map(doing => {
        const { transition, line, by } = doing
        const who = by === 'main' || by === live || !beginsWithSpawn(doing) ? undefined : agentText(by)
        const step = gate.transitions.find(one => one.id === transition)
        const says = step && describeSteps(doing.steps, step)
        const way: CandidateMove = {
          transition,
          ...(line !== undefined && { line }),
          ...(says !== undefined && { says }),
          ...(who !== undefined && { by: who }),
        }
        doings.set(way, doing)
        return way
      })
    },
    play: (ways): MoveSequenceResult => {
      let at = begin
      const asks: number[] = []
      for (const [nth, way] of ways.entries()) {
        const { steps = [], approved = false } = doings.get(way) ?? {}
        // a new session starts counting at the denied call, so a wait starts from there
        const from = nth === 0 && beginsWithWait(steps) ? refused() : at
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
      const called = from.event.call
        ? { ...from, event: { ...from.event, caller: callerAsReported(caller, client) } }
        : from
      if (agent === undefined) return called
      const start = walk([{ spawn: agent, id: `as ${agent}` }, { starts: agent }], {
        session: from.session,
        now: from.facts.now,
      })
      return 'by' in start ? undefined : { ...called, session: start.session }
    },
  }
}

const beginsWithWait = ([first]: GateMoveScenario['steps']): boolean => first !== undefined && 'wait' in first

/** The scenario begins by spawning an agent. */
const beginsWithSpawn = ({ steps: [first] }: GateMoveScenario): boolean => first !== undefined && 'spawn' in first

const agentText = (by: string): string => (by === FRESH_AGENT ? 'an agent' : `the agent \`${by}\``)

/** A denied call does not happen. A denial after the call (`tool.after`, `tool.failed`) is only a message. */
const isPrevented = ({ kind }: Event, decision: Decision): boolean =>
  decision === 'deny' && kind !== 'tool.after' && kind !== 'tool.failed'

const withSessionOf = (told: Event, { session, client }: Event): Event => ({ ...told, session, client })

/** Clients that mark callers report them; for other clients the caller is inferred. */
const callerAsReported = (caller: Caller, { capabilities }: Client): Caller =>
  capabilities.callers === 'marked' ? caller : { kind: 'unknown' }

function toTestStep(short: object): TestStepDoc | undefined {
  const read = parseTestStep(JSON.stringify(short))
  return 'step' in read ? read.step : undefined
}
