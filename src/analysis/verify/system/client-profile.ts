import {
  agentName,
  type Capabilities,
  type Condition,
  capabilityOf,
  type Event,
  type EventKind,
  isShell,
  matchesToolName,
  type Program,
  type PromptSource,
} from '../../../engine/index.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { atomsOf, atomsOfProgram, conditionsOf, rulesOf, triggerEventKinds } from '../abstraction/condition-atoms.ts'
import { countedEventKinds } from '../abstraction/operation-counters.ts'

/** What the verifier knows about a client. */
export interface VerifierClient {
  readonly id: string
  readonly capabilities: Capabilities
  /** events that the client sends without accepting an answer */
  readonly eventsWithoutReply?: readonly EventKind[]
  /** canonical names of tools whose calls send no event */
  readonly toolsWithoutEvents?: readonly string[]
  /** limits of what its payloads contain */
  readonly payloadDetails?: ReportingLimits
}

interface ReportingLimits {
  readonly mcp?: 'tool' | 'nothing'
  readonly untyped?: true
  readonly sources?: readonly PromptSource[]
  readonly fields?: Readonly<Record<string, readonly string[]>>
  readonly mainTypes?: true
}

/** Does the client send events of this kind? It may still not accept an answer. */
export const isReportingEvent = ({ capabilities, eventsWithoutReply = [] }: VerifierClient, kind: EventKind): boolean =>
  kind in capabilities.events || eventsWithoutReply.includes(kind)

/** A group of clients that no condition of the policy can distinguish; the first client represents the group. */
export interface ClientProfile {
  readonly clients: readonly string[]
  readonly capabilities: Capabilities
  readonly reportsExit: boolean
  readonly infersCallers: boolean
  /** payloads of a subagent's calls do not contain its type */
  readonly omitsAgentTypes: boolean
  /** the agent type that the main agent was started as, if any */
  readonly mainType?: string | undefined
  /** can the client make such a call, and does it send an event for it? */
  canSend(call: Event): boolean
  /** can prompts come from this source? */
  hasPromptSource(source: PromptSource): boolean
  sendsEvent(kind: EventKind): boolean
  canRefuse(kind: EventKind): boolean
  canAsk(kind: EventKind): boolean
  /** does the end of this call report its status? */
  reportsStatus(call: Event): boolean
}

/** Event kinds that any rule, transition or counter of the program names. */
export const eventKindsIn = ({ gates }: Program): ReadonlySet<EventKind> =>
  new Set(
    gates.flatMap(gate => [
      ...gate.transitions.flatMap(triggerEventKinds),
      ...rulesOf(gate).flatMap(rule => rule.events),
      ...countedEventKinds(gate),
    ]),
  )

/** Equivalence classes of the calls that a client can send. */
type CallKinds = (client: VerifierClient) => readonly string[]

export function clientProfilesOf(
  clients: readonly VerifierClient[],
  program: Program,
  kindsFor: CallKinds = () => [],
): readonly ClientProfile[] {
  const types = restrictedAgentTypes(program)
  const areTypesAsked = atomsOfProgram(program).some(
    atom => atom.key === 'caller' && !atom.in.every(one => CALLER_KINDS.has(one)),
  )
  const isSourceAsked = atomsOfProgram(program).some(atom => atom.key === 'source')
  const kinds = relevantEventKinds(program)
  const rules = program.gates.flatMap(rulesOf)
  const isEndAsked = kinds.includes('tool.after') || kinds.includes('tool.failed')
  const isOtherAsked = program.gates.flatMap(conditionsOf).some(condition => isAskingNonCommandStatus(condition))
  const groups = new Map<string, VerifierClient[]>()
  for (const client of clients) {
    const { callers, reportsExit, reportsEnd } = client.capabilities
    const capabilitiesByKind = kinds.map(kind => [
      isReportingEvent(client, kind),
      capabilityOf(client.capabilities, kind).can.filter(one => possibleEffectsOn(kind, program).has(one)),
    ])
    const silent = rules.some(({ suggest }) => isSilentOnClient(suggest, client.id))
    const key = JSON.stringify([
      capabilitiesByKind,
      callers === 'inferred',
      isEndAsked && [reportsExit, isOtherAsked && reportsEnd],
      silent,
      areTypesAsked && client.payloadDetails?.untyped,
      isSourceAsked && client.payloadDetails?.sources,
      kindsFor(client),
    ])
    groups.set(key, [...(groups.get(key) ?? []), client])
  }
  return [...groups.values()].flatMap(([first, ...rest]) => {
    if (!first) return []
    const all = [first, ...rest]
    const [typed, ...others] = all.filter(client => client.payloadDetails?.mainTypes)
    return [
      toClientProfile(first, rest),
      ...(typed ? types.map(mainType => ({ ...toClientProfile(typed, others), mainType })) : []),
    ]
  })
}

/** Agent types that a denying or asking rule or a closing transition names. */
function restrictedAgentTypes({ gates }: Program): readonly string[] {
  const strict = gates.flatMap(gate => [
    ...gate.transitions.filter(transition => transition.to === 'closed'),
    ...rulesOf(gate).filter(({ then, unsure }) => [then, unsure].some(one => one === 'deny' || one === 'ask')),
  ])
  const atoms = strict.flatMap(({ when }) => atomsOf(when))
  const types = atoms.flatMap(atom => (atom.key === 'caller' ? atom.in.map(agentName) : []))
  return [...new Set(types.filter(name => !CALLER_KINDS.has(name) && !name.includes('{')))].slice(0, MAX_TYPES)
}

const CALLER_KINDS: ReadonlySet<string> = new Set(['main', 'agent', 'unknown'])
const MAX_TYPES = 2

/** Does the client have this tool with these input fields, and does it send such calls? */
export function canSendCall(
  { toolsWithoutEvents = [], payloadDetails = {} }: VerifierClient,
  { call }: Event,
): boolean {
  if (!call) return true
  const { tool, input } = call
  if (toolsWithoutEvents.some(toolsWithoutEvent => matchesToolName(toolsWithoutEvent, tool))) return false
  if (
    /^mcp__/i.test(tool) &&
    (payloadDetails.mcp === 'nothing' || (payloadDetails.mcp === 'tool' && /^mcp__.+__/i.test(tool)))
  )
    return false
  const fields = payloadDetails.fields?.[tool]
  return fields === undefined || Object.keys(input as JsonObject).every(field => fields.includes(field))
}

/** Does the condition test the status of a call that may not be a command? */
function isAskingNonCommandStatus(condition: Condition, isCommand = false): boolean {
  if ('not' in condition) return isAskingNonCommandStatus(condition.not, isCommand)
  if ('any' in condition) return condition.any.some(condition => isAskingNonCommandStatus(condition, isCommand))
  if ('with' in condition) return isAskingNonCommandStatus(condition.with)
  if (!('all' in condition)) return condition.key === 'succeeded' && !isCommand
  const isOfCommand = isCommand || condition.all.some(condition => 'key' in condition && condition.key === 'command')
  return condition.all.some(condition => isAskingNonCommandStatus(condition, isOfCommand))
}

/** Event kinds that the policy names, and kinds by which a client may report the same thing. */
function relevantEventKinds(program: Program): readonly EventKind[] {
  const kinds = new Set(eventKindsIn(program))
  if (kinds.has('tool.after')) kinds.add('tool.failed')
  if (kinds.has('prompt.submit')) kinds.add('agent.start')
  return [...kinds].sort()
}

/** Effects of rules on such an event in which clients may differ. On clients that cannot ask, an `ask` becomes a `deny`. */
function possibleEffectsOn(kind: EventKind, { gates }: Program): ReadonlySet<string> {
  // a refusal after the call cannot undo it: it only adds text
  if (kind === 'tool.after' || kind === 'tool.failed') return new Set()
  const rules = gates.flatMap(rulesOf).filter(({ events }) => events.includes(kind))
  const invalid = gates.flatMap(gate =>
    gate.transitions.flatMap(transition =>
      transition.events.includes(kind) && transition.invalid ? transition.invalid.then : [],
    ),
  )
  const effects = new Set<string>([...rules.flatMap(({ then, unsure }) => [then, unsure]), ...invalid])
  if (effects.has('ask')) effects.add('deny')
  return new Set([...effects].filter(effect => effect === 'deny' || effect === 'ask'))
}

const isSilentOnClient = (suggest: unknown, id: string): boolean =>
  typeof suggest === 'object' &&
  suggest !== null &&
  'silent' in suggest &&
  Array.isArray(suggest.silent) &&
  suggest.silent.includes(id)

function toClientProfile(first: VerifierClient, rest: readonly VerifierClient[]): ClientProfile {
  const { capabilities } = first
  const can = (kind: EventKind) => capabilityOf(capabilities, kind).can
  return {
    clients: [first, ...rest].map(client => client.id),
    capabilities,
    reportsExit: capabilities.reportsExit,
    reportsStatus: ({ call }) => (isShell(call?.tool ?? '') ? capabilities.reportsExit : capabilities.reportsEnd),
    infersCallers: capabilities.callers === 'inferred',
    omitsAgentTypes: first.payloadDetails?.untyped === true,
    canSend: call => canSendCall(first, call),
    hasPromptSource: source => first.payloadDetails?.sources?.includes(source) ?? true,
    sendsEvent: kind => isReportingEvent(first, kind),
    canRefuse: kind => can(kind).includes('deny'),
    canAsk: kind => can(kind).includes('ask'),
  }
}
