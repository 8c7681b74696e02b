import type { Gate, Transition } from '../../../engine/index.ts'
import {
  type AgentAction,
  actionForCall,
  mayGateRefuse,
  mayTriggerTransition,
  mustTriggerTransition,
} from '../system/agent-action.ts'
import type { ClientProfile } from '../system/client-profile.ts'
import { atomsOf, rulesOf } from './condition-atoms.ts'
import { favourableGateStates } from './favourable-states.ts'
import type { MayMustEvaluator } from './may-must-evaluator.ts'
import { hasOperationCounter, mayCountEvent } from './operation-counters.ts'
import type { CallParser, SampleCall } from './residual-condition.ts'

/** Concurrency to explore: lines with several commands, calls that overlap with others, a second session. */
export interface ConcurrentScenarios {
  readonly combinedLines: readonly SampleCall[]
  readonly asyncCalls: readonly SampleCall[]
  /** the gates include a `scope: project` gate: a second session may begin and see its state */
  readonly hasSecondSession: boolean
  /** scenarios that may matter and are not explored */
  readonly unexplored: readonly string[]
}

export const NO_CONCURRENCY: ConcurrentScenarios = {
  combinedLines: [],
  asyncCalls: [],
  hasSecondSession: false,
  unexplored: [],
}

interface ConcurrencyOptions {
  readonly profile: ClientProfile
  readonly mayMust: MayMustEvaluator
  readonly parser: CallParser
  /** one representative for each class of calls that the gates cannot distinguish */
  readonly calls: readonly SampleCall[]
  readonly agents: readonly string[]
}

/** A call and the gates it may leave worse (closed, or open where closed is needed): at its beginning, and at its end. */
interface ClosingCall {
  readonly call: SampleCall
  readonly action: AgentAction
  readonly closedAtBegin: readonly Gate[]
  readonly closedAtEnd: readonly Gate[]
  /** gates that may refuse the call */
  readonly refusers: readonly Gate[]
  /** the end worsens one gate, and the beginning improved or read another: in between, other calls may move that gate back */
  readonly isInterruptible: boolean
  /** an ending worsens one gate without another that would have refused the call: in between, other calls may worsen that one */
  readonly isRefusedTooLate: boolean
}

const MAX_COMBINED_LINES = 26
const MAX_ASYNC_CALLS = 6

/**
 * If one closing prevents the next call, both calls at once reach more states than one after the other. Otherwise both orders lead
 * to the same state and need not be explored.
 */
export function findConcurrentScenarios(gates: ReadonlySet<Gate>, options: ConcurrencyOptions): ConcurrentScenarios {
  const stateful = [...gates].filter(gate => gate.initial !== undefined)
  const closers = ['main', ...options.agents].flatMap(actor =>
    options.calls.flatMap(call => toClosingCalls(call, actor, stateful, options)),
  )
  const [lines, left] = combineCalls(closers)
  const late = closers.filter(mayEndLate)
  const calls = unique(late.filter(({ action }) => action.actor === 'main').map(closer => closer.call))
  return {
    combinedLines: lines.flatMap(each => joinIntoLine(each, options.parser)),
    asyncCalls: calls.slice(0, MAX_ASYNC_CALLS),
    hasSecondSession: stateful.some(gate => gate.scope === 'project'),
    unexplored: [
      ...(left > 0 ? [`of ${lines.length + left} lines with several actions, only ${lines.length} were tried`] : []),
      ...(calls.length > MAX_ASYNC_CALLS
        ? [`of ${calls.length} calls that may keep running, only ${MAX_ASYNC_CALLS} were tried`]
        : []),
      ...(needsThreeConcurrentCalls(closers, late) ? ['three concurrent calls were not explored'] : []),
      ...(late.some(closer => isAgentSpecificCall(closer, late))
        ? ['calls of agents that keep running were not explored']
        : []),
    ],
  }
}

const unique = <T>(list: readonly T[]): readonly T[] => [...new Set(list)]

export const hasConcurrentScenarios = ({
  combinedLines,
  asyncCalls,
  hasSecondSession,
  unexplored,
}: ConcurrentScenarios): boolean => combinedLines.length + asyncCalls.length + unexplored.length > 0 || hasSecondSession

const gatesClosedBy = ({ closedAtBegin, closedAtEnd }: ClosingCall): readonly Gate[] => [
  ...closedAtBegin,
  ...closedAtEnd,
]

const mayEndLate = ({ isInterruptible, isRefusedTooLate }: ClosingCall): boolean => isInterruptible || isRefusedTooLate

/** Three calls at once matter if more than two calls close gates, each refused by a gate that another closes. */
function needsThreeConcurrentCalls(closers: readonly ClosingCall[], late: readonly ClosingCall[]): boolean {
  const refused = closers.filter(closer =>
    closers.some(
      other => other.call !== closer.call && gatesClosedBy(other).some(gate => closer.refusers.includes(gate)),
    ),
  )
  const pending = refused.filter(closer => closer.action.actor === 'main' && late.includes(closer))
  const closed = unique(refused.flatMap(gatesClosedBy))
  return unique(refused.map(closer => closer.call)).length > 2 && pending.length > 1 && closed.length > 2
}

/** A subagent's call that affects other gates than the same call by the main agent. */
function isAgentSpecificCall(closer: ClosingCall, late: readonly ClosingCall[]): boolean {
  if (closer.action.actor === 'main') return false
  const same = late.find(({ call, action }) => call === closer.call && action.actor === 'main')
  const names = (list: readonly Gate[]): string => list.map(gate => gate.id).join()
  return (
    !same || names(same.closedAtEnd) !== names(closer.closedAtEnd) || names(same.refusers) !== names(closer.refusers)
  )
}

/** Combines calls that block each other into lines. Returns the lines, and the number of combinations left out. */
function combineCalls(
  closers: readonly ClosingCall[],
): readonly [lines: readonly (readonly SampleCall[])[], left: number] {
  const simple = closers.filter(({ call }) => isSimpleCommand(call))
  const isRefusedAfter = (closer: ClosingCall, other: ClosingCall): boolean =>
    gatesClosedBy(closer).some(gate => other.refusers.includes(gate))
  const pairs = simple.flatMap((closer, at) =>
    simple
      .slice(at + 1)
      .filter(other => other.call !== closer.call && closer.action.actor === other.action.actor)
      .filter(other => isRefusedAfter(closer, other) || isRefusedAfter(other, closer))
      .map(other => [closer.call, other.call] as const),
  )
  const each = [
    ...new Map(
      pairs.map(pair => [pair.map(call => simple.findIndex(closer => closer.call === call)).join(), pair]),
    ).values(),
  ]
  const calls = unique(pairs.flat())
  const all = 2 ** calls.length - calls.length - 1
  if (pairs.length === 0) return [[], 0]
  if (all <= MAX_COMBINED_LINES) return [subsets(calls).filter(each => each.length > 1), 0]
  const lines = [calls, ...each].slice(0, MAX_COMBINED_LINES)
  return [lines, all - lines.length]
}

const subsets = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: 2 ** list.length }, (_, chosen) => list.filter((_one, at) => (chosen >> at) % 2 === 1))

/** Gates whose closed state helps: it lets a transition open another gate, or a rule not fire. */
const gatesNeededClosed = (gates: readonly Gate[]): ReadonlySet<string> =>
  new Set(
    gates.flatMap(gate => [
      ...gate.transitions.flatMap(({ when, to }) => closedGateIds(favourableGateStates(when, to === 'open'))),
      ...rulesOf(gate).flatMap(({ when, unless, while: during }) => [
        ...closedGateIds(favourableGateStates(when, false)),
        ...(unless ? closedGateIds(favourableGateStates(unless, true)) : []),
        ...(during === 'open' ? [gate.id] : []),
      ]),
    ]),
  )

const closedGateIds = (states: ReturnType<typeof favourableGateStates>): readonly string[] =>
  states.flatMap(([id, state]) => (state === 'closed' ? id : []))

function toClosingCalls(
  call: SampleCall,
  actor: string,
  gates: readonly Gate[],
  { profile, mayMust }: ConcurrencyOptions,
): readonly ClosingCall[] {
  if (call.spawns !== undefined || (call.isAttested && profile.reportsExit)) return []
  const action = actionForCall(call, actor, profile)
  const neededClosed = gatesNeededClosed(gates)
  const beginEvents = action.events.filter(({ kind }) => kind === 'tool.before')
  const endEvents = action.events.filter(({ kind }) => kind !== 'tool.before')
  const countedBy = (events: typeof beginEvents): readonly Gate[] =>
    gates.filter(
      gate => hasOperationCounter(gate) && events.some(event => mayCountEvent(gate, event, mayMust, call.isApproved)),
    )
  const movedBy = (
    events: typeof beginEvents,
    isMeant: (transition: Transition, gate: Gate) => boolean,
  ): readonly Gate[] =>
    gates.filter(gate =>
      gate.transitions.some(
        transition =>
          isMeant(transition, gate) &&
          events.some(event => mayTriggerTransition(transition, event, mayMust, call.isApproved)),
      ),
    )
  const isWorse = ({ to }: Transition, { id }: Gate): boolean => to === 'closed' || neededClosed.has(id)
  // … and another transition may move it back
  const isBetter = ({ to }: Transition, { id, transitions }: Gate): boolean =>
    (to === 'open' || neededClosed.has(id)) && transitions.some(transition => transition.to !== to)
  // a counted event may close a gate at the next event, so two overlapping calls can exceed a limit that sequential calls cannot
  const begins = unique([...movedBy(beginEvents, isWorse), ...countedBy(beginEvents)])
  const ends = unique([...movedBy(endEvents, isWorse), ...countedBy(endEvents)])
  if (begins.length + ends.length === 0) return []
  const refusers = gates.filter(gate =>
    beginEvents.some(event => mayGateRefuse(gate, event, mayMust, profile, call.isApproved)),
  )
  const needed = new Set(
    ends.flatMap(gate => gate.transitions.filter(transition => isWorse(transition, gate)).flatMap(gateIdsReadBy)),
  )
  // a success may move one gate, and a failure another
  const isRefusedTooLate = endEvents.some(event => {
    const worsened = unique([...movedBy([event], isWorse), ...countedBy([event])])
    const isSure = (gate: Gate): boolean =>
      countedBy([event]).includes(gate) ||
      gate.transitions.some(
        transition =>
          isWorse(transition, gate) &&
          transition.events.includes(event.kind) &&
          mustTriggerTransition(transition, event, mayMust, call.isApproved),
      )
    return worsened.some(gate => refusers.some(refuser => refuser !== gate && !isSure(refuser)))
  })
  const isUpset =
    movedBy(beginEvents, (_, { id }) => needed.has(id)).length > 0 ||
    movedBy(beginEvents, isBetter).some(gate => ends.some(other => other !== gate))
  return [
    { call, action, closedAtBegin: begins, closedAtEnd: ends, refusers, isInterruptible: isUpset, isRefusedTooLate },
  ]
}

const gateIdsReadBy = ({ when }: Transition): readonly string[] =>
  atomsOf(when).flatMap(atom => (atom.key === 'gate' ? atom.states.map(state => state.gate) : []))

const isSimpleCommand = ({ shorthand, isAttested, isApproved }: SampleCall): boolean =>
  typeof shorthand.shell === 'string' && !isAttested && !isApproved && !/[;&|]/.test(shorthand.shell)

function joinIntoLine(calls: readonly SampleCall[], { parseEvent }: CallParser): readonly SampleCall[] {
  const short = { shell: calls.map(call => String(call.shorthand.shell)).join(' && ') }
  const before = parseEvent(short)
  return before?.call ? [{ shorthand: short, beforeEvent: before, isApproved: false, isAttested: false }] : []
}
