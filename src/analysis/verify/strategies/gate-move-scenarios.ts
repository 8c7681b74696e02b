import type { Event, EventKind, Gate, GateState, Program, Regex, Transition } from '../../../engine/index.ts'
import type { Json } from '../../../lib/json.ts'
import { atomsOf, gatesReadBy } from '../abstraction/condition-atoms.ts'
import { DependencyGraph } from '../abstraction/cone-of-influence.ts'
import { collectConstants, type PolicyConstants } from '../abstraction/input-partitioning/policy-constants.ts'
import { createSampleCalls } from '../abstraction/input-partitioning/sample-calls.ts'
import { MayMustEvaluator } from '../abstraction/may-must-evaluator.ts'
import type { ShorthandEvent } from '../abstraction/residual-condition.ts'
import { type AgentAction, mayTriggerTransition } from '../system/agent-action.ts'
import { clientProfilesOf, type VerifierClient } from '../system/client-profile.ts'

/** Events that may move a gate, from the beginning of an action to its end, in the shorthand of policy tests. */
export interface GateMoveScenario {
  /** id of the transition that the scenario is built for */
  readonly transition: string
  /** kind of the event that triggers it; absent for a clock transition */
  readonly event?: EventKind
  readonly actor: string
  readonly steps: readonly ShorthandEvent[]
  /** the call is approved by a person */
  readonly approved: boolean
  /** the line to type, if it differs from the line in the transition */
  readonly line?: string
}

export interface GateMoveOptions {
  readonly program: Program
  readonly client: VerifierClient
  readonly regex: Regex
  readonly root: string
  parseEvent(short: ShorthandEvent): Event | null
  /** type of an agent that is already running */
  readonly live?: string | undefined
}

/** Scenarios of one transition; further ones are redundant. */
const MAX_SCENARIOS = 24

/** Builds scenarios from the gate's own conditions. The caller has to simulate them to see whether they are allowed and move the gate. */
export function findGateMoveScenarios(
  gate: Gate,
  to: GateState,
  options: GateMoveOptions,
): readonly GateMoveScenario[] {
  const { program, client, regex, root, live } = options
  const own = { ...program, gates: [gate, ...gatesReadBy(gate, program)] }
  const [profile] = clientProfilesOf([client], own)
  if (!profile) return []
  const constants = collectConstants(own, regex, root)
  const mayMust = new MayMustEvaluator(own, regex, root)
  const agents = [...new Set([...(live === undefined ? [] : [live]), ...constants.agents])]
  const dependencies = new DependencyGraph(
    own,
    profile,
    createSampleCalls(own, constants, options),
    { ...constants, agents },
    mayMust,
  )
  const preference = (actor: string): number => (actor === live ? 0 : actor === 'main' ? 1 : 2)
  const actions = [...dependencies.movers(gate, to)].sort((a, b) => preference(a.actor) - preference(b.actor))
  return gate.transitions
    .filter(transition => transition.to === to)
    .flatMap(transition => {
      const byAction = actions.flatMap(action =>
        action.events
          .filter(event => mayTriggerTransition(transition, event, mayMust, action.call?.isApproved))
          .flatMap(event => scenariosForAction(action, event, transition, constants, live)),
      )
      return [...byAction, ...passiveScenarios(transition, constants)].slice(0, MAX_SCENARIOS)
    })
}

const CALL_ID = 'tried'

function scenariosForAction(
  action: AgentAction,
  event: Event,
  transition: Transition,
  { answers }: PolicyConstants,
  live: string | undefined,
): readonly GateMoveScenario[] {
  const { actor, call } = action
  const possibleAnswers: readonly (Json | undefined)[] = transition.capture ? answers : [undefined]
  const scenariosOf = (
    stepsFor: (answer: string | undefined) => readonly ShorthandEvent[],
    line?: string,
  ): readonly GateMoveScenario[] =>
    possibleAnswers.map(answer => ({
      ...{
        transition: transition.id,
        event: event.kind,
        actor,
        approved: call?.isApproved === true,
        ...(line !== undefined && { line }),
      },
      steps: stepsFor(answer === undefined ? undefined : JSON.stringify(answer)),
    }))
  if (event.kind === 'turn.stop') return scenariosOf(() => [{ stop: true }])
  if (!call)
    return scenariosOf(answer => (actor === live ? [agentStopStep(actor, answer)] : agentWorkSteps(actor, [], answer)))
  if (action.spawns !== undefined) return scenariosOf(answer => agentWorkSteps(action.spawns ?? '', [], answer))
  const line = String(call.shorthand.shell ?? '').replace(/^signalbox run -- |'/g, '')
  return scenariosOf(
    output => {
      const caller = actor === 'main' ? {} : { as: actor }
      const begin = { ...call.shorthand, ...caller, id: CALL_ID }
      const end = { ...begin, ...callEndStep(event, call.isAttested ? line : undefined), ...(output && { output }) }
      return actor === 'main' || actor === live ? [begin, end] : agentWorkSteps(actor, [begin, end])
    },
    call.isAttested ? String(call.shorthand.shell) : undefined,
  )
}

/** A call that moves the gate at its beginning is taken to succeed. */
function callEndStep({ call }: Event, attestedLine: string | undefined): ShorthandEvent {
  const status = call?.status
  if (attestedLine !== undefined)
    return { after: 'unknown', signed: { [attestedLine]: call?.acts[0]?.ended === 'failed' ? 1 : 0 } }
  return { after: status ?? 'succeeded' }
}

const agentStopStep = (agent: string, answer: string | undefined): ShorthandEvent => ({
  stops: agent,
  ...(answer && { answer }),
})

/** An agent is spawned, works and stops. */
export function agentWorkSteps(
  agent: string,
  work: readonly ShorthandEvent[],
  answer?: string,
): readonly ShorthandEvent[] {
  const spawn = { spawn: agent, id: `${CALL_ID} ${agent}` }
  return [spawn, { starts: agent }, ...work, agentStopStep(agent, answer), { ...spawn, after: 'succeeded' }]
}

/** Scenarios without an agent's call: a prompt, passing time, counted operations or turns. */
function passiveScenarios(transition: Transition, { prompts }: PolicyConstants): readonly GateMoveScenario[] {
  const common = { transition: transition.id, actor: 'person', approved: false }
  if (transition.clock) return [{ ...common, steps: countedSteps(transition) }]
  return transition.events.flatMap((event): readonly GateMoveScenario[] => {
    if (event === 'prompt.submit')
      return prompts.map(({ text, source }) => ({ ...common, event, steps: [{ prompt: text, source }] }))
    return BARE_EVENTS.has(event) ? [{ ...common, event, steps: [{ event }] }] : []
  })
}

const BARE_EVENTS: ReadonlySet<string> = new Set(['session.start', 'session.end', 'compact.before', 'notification'])

/** Counts beyond this are not simulated. */
const MAX_COUNTED_STEPS = 60

function countedSteps({ when }: Transition): readonly ShorthandEvent[] {
  const counters = atomsOf(when).flatMap(atom => (atom.key === 'since' ? atom.counters : []))
  const most = (unit: string): number =>
    Math.max(0, ...counters.filter(counter => counter.unit === unit).map(counter => counter.atLeast))
  const times = (unit: string, steps: readonly ShorthandEvent[]): readonly ShorthandEvent[] =>
    Array.from({ length: Math.min(most(unit), MAX_COUNTED_STEPS) }, () => steps).flat()
  const fillerCall = { shell: 'true', id: CALL_ID }
  return [
    { wait: most('seconds') },
    ...times('operations', [fillerCall, { ...fillerCall, after: 'succeeded' }]),
    ...times('turns', [{ prompt: 'go on' }]),
  ]
}
