import type {
  CandidateMove,
  CounterfactualTools,
  EventAtPoint,
  MoveSequenceResult,
} from '../../../../analysis/explain/index.ts'
import {
  type PlayedEvent,
  type Simulator,
  simulatePayload,
  withShellLine,
} from '../../../../analysis/simulator/index.ts'
import {
  FRESH_AGENT,
  findGateMoveScenarios,
  type GateMoveScenario,
  sampleText,
} from '../../../../analysis/verify/index.ts'
import type { Client } from '../../../../clients/index.ts'
import type { Caller } from '../../../../engine/index.ts'
import { parseEventShorthand } from '../../../../policy/compile/compiler.ts'
import { parseTestStep, type TestStepDoc } from '../../../../policy/parse/policy-tests.ts'
import { describeScenario } from './scenario-text.ts'

/** All steps happened, and whether a person was asked on the way, who is assumed to have agreed; or the gate that denied a step. */
type PlayedSteps = { readonly asked: boolean } | { readonly by: string | undefined }

/** Tries a counterfactual as a policy test would: step by step, as this client reports the steps, with forks of the simulator. */
export function createCounterfactualTools(
  { simulator, event }: EventAtPoint,
  client: Client,
  home: string,
): CounterfactualTools {
  const { root, program, regex } = simulator
  const place = { root, home, client }
  const doings = new Map<CandidateMove, GateMoveScenario>()

  function play(steps: readonly object[], on: Simulator, approved = false): PlayedSteps {
    let asked = false
    for (const short of steps) {
      const step = toTestStep(short)
      if (step?.wait !== undefined) on.wait(step.wait)
      const cast = step && step.wait === undefined ? simulatePayload(step, place) : { events: [] }
      if ('problem' in cast) return { by: undefined }
      for (const simulated of cast.events) {
        const played = on.play({ ...simulated, session: event.session, client: event.client }, { approved })
        if (isPrevented(played)) return { by: played.record.gate }
        asked ||= played.outcome.decision === 'ask'
      }
    }
    return { asked }
  }

  return {
    retyped: line => withShellLine(event, line, place),
    textLike: pattern => sampleText(pattern, regex),
    movesTo: (gate, to) => {
      const read = (short: object) => {
        const reading = parseEventShorthand({ ...short }, { root, home })
        return 'event' in reading ? reading.event : null
      }
      const live = event.caller.kind === 'agent' ? event.caller.type : undefined
      const found = findGateMoveScenarios(gate, to, { program, client, regex, root, parseEvent: read, live })
      return found.map(doing => {
        const { transition, line, actor: by } = doing
        const who = by === 'main' || by === live || !beginsWithSpawn(doing) ? undefined : agentText(by)
        const step = gate.transitions.find(candidate => candidate.id === transition)
        const decision = step && describeScenario(doing, step, root)
        const move: CandidateMove = {
          transition,
          ...(line !== undefined && { line }),
          ...(decision !== undefined && { decision }),
          ...(who !== undefined && { by: who }),
        }
        doings.set(move, doing)
        return move
      })
    },
    play: (moves): MoveSequenceResult => {
      const on = simulator.fork()
      const asks: number[] = []
      for (const [nth, way] of moves.entries()) {
        const { steps = [], approved = false } = doings.get(way) ?? {}
        // a new session starts counting at the denied call, so a wait starts from there
        if (nth === 0 && beginsWithWait(steps)) on.play(event)
        const done = play(steps, on, approved)
        if ('by' in done) return { at: nth, by: done.by }
        if (done.asked) asks.push(nth)
      }
      return { simulator: on, ...(asks.length > 0 && { asks }) }
    },
    as: (caller, from) => {
      const agent = caller.kind === 'agent' ? (caller.type ?? caller.id) : undefined
      const called = from.event.call
        ? { ...from, event: { ...from.event, caller: callerAsReported(caller, client) } }
        : from
      if (agent === undefined) return called
      const on = from.simulator.fork()
      const start = play([{ spawn: agent, id: `as ${agent}` }, { starts: agent }], on)
      return 'by' in start ? undefined : { ...called, simulator: on, isAsked: start.asked }
    },
  }
}

const beginsWithWait = ([first]: GateMoveScenario['steps']): boolean => first !== undefined && 'wait' in first

/** The scenario begins by spawning an agent. */
const beginsWithSpawn = ({ steps: [first] }: GateMoveScenario): boolean => first !== undefined && 'spawn' in first

const agentText = (by: string): string => (by === FRESH_AGENT ? 'an agent' : `the agent \`${by}\``)

/** A denied call does not happen. A denial after the call (`tool.after`, `tool.failed`) is only a message. */
const isPrevented = ({ input: { event }, outcome }: PlayedEvent): boolean =>
  outcome.decision === 'deny' && event.kind !== 'tool.after' && event.kind !== 'tool.failed'

/** Clients that mark callers report them; for other clients the caller is inferred. */
const callerAsReported = (caller: Caller, { capabilities }: Client): Caller =>
  capabilities.callers === 'marked' ? caller : { kind: 'unknown' }

function toTestStep(short: object): TestStepDoc | undefined {
  const read = parseTestStep(JSON.stringify(short))
  return 'step' in read ? read.step : undefined
}
