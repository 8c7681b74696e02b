import { type Capabilities, capabilityOf, type Event, type Program } from '../core/index.ts'
import { type Condition, type EventKind, isShell } from '../pattern/index.ts'
import { conditionsOf, kindsOf, rulesOf } from './atom.ts'
import { kindsCounted } from './counting.ts'

/** A client as the proof is told of it. */
export interface ProofClient {
  readonly id: string
  readonly capabilities: Capabilities
  /** what it tells of and takes no answer to */
  readonly unanswered?: readonly EventKind[]
  /** canonical names of its tools that no event tells of */
  readonly untold?: readonly string[]
}

/** Is it told of such events? That they can be answered is another thing. */
export const tellsOf = ({ capabilities, unanswered = [] }: ProofClient, kind: EventKind): boolean =>
  kind in capabilities.events || unanswered.includes(kind)

/** Clients that agree on all that the policy asks of them: one of them stands for all. */
export interface View {
  readonly clients: readonly string[]
  readonly capabilities: Capabilities
  readonly reportsExit: boolean
  readonly inferred: boolean
  has(kind: EventKind): boolean
  refuses(kind: EventKind): boolean
  asks(kind: EventKind): boolean
  /** does the end of this call say how it went? */
  reports(call: Event): boolean
}

/** The kinds of event that anything in it speaks of. */
export const kindsIn = ({ gates }: Program): ReadonlySet<EventKind> =>
  new Set(
    gates.flatMap(gate => [
      ...gate.transitions.flatMap(kindsOf),
      ...rulesOf(gate).flatMap(one => one.events),
      ...kindsCounted(gate),
    ]),
  )

export function viewsOf(clients: readonly ProofClient[], program: Program): readonly View[] {
  const kinds = kindsAsked(program)
  const rules = program.gates.flatMap(rulesOf)
  const isEndAsked = kinds.includes('tool.after') || kinds.includes('tool.failed')
  const isOtherAsked = program.gates.flatMap(conditionsOf).some(one => asksOther(one))
  const groups = new Map<string, ProofClient[]>()
  for (const client of clients) {
    const { callers, reportsExit, reportsEnd } = client.capabilities
    const seen = kinds.map(kind => [
      tellsOf(client, kind),
      capabilityOf(client.capabilities, kind).can.filter(one => saidOn(kind, program).has(one)),
    ])
    const silent = rules.some(({ suggest }) => isSilent(suggest, client.id))
    const key = JSON.stringify([
      seen,
      callers === 'inferred',
      isEndAsked && [reportsExit, isOtherAsked && reportsEnd],
      silent,
    ])
    groups.set(key, [...(groups.get(key) ?? []), client])
  }
  return [...groups.values()].flatMap(([first, ...rest]) => (first ? [viewOf(first, rest)] : []))
}

/** Does it ask how a call ended that may be no command? */
function asksOther(condition: Condition, isCommand = false): boolean {
  if ('not' in condition) return asksOther(condition.not, isCommand)
  if ('any' in condition) return condition.any.some(one => asksOther(one, isCommand))
  if (!('all' in condition)) return condition.key === 'succeeded' && !isCommand
  const isOfCommand = isCommand || condition.all.some(one => 'key' in one && one.key === 'command')
  return condition.all.some(one => asksOther(one, isOfCommand))
}

/** Those the policy speaks of, and those by which a client tells of the same in another way. */
function kindsAsked(program: Program): readonly EventKind[] {
  const kinds = new Set(kindsIn(program))
  if (kinds.has('tool.after')) kinds.add('tool.failed')
  if (kinds.has('prompt.submit')) kinds.add('agent.start')
  return [...kinds].sort()
}

/** What rules may say to such an event, as far as clients differ in it. An `ask` may have to become a `deny`. */
function saidOn(kind: EventKind, { gates }: Program): ReadonlySet<string> {
  // what has happened is not undone by a refusal: it is words
  if (kind === 'tool.after' || kind === 'tool.failed') return new Set()
  const rules = gates.flatMap(rulesOf).filter(({ events }) => events.includes(kind))
  const invalid = gates.flatMap(gate =>
    gate.transitions.flatMap(one => (one.events.includes(kind) && one.invalid ? one.invalid.then : [])),
  )
  const said = new Set<string>([...rules.flatMap(({ then, unsure }) => [then, unsure]), ...invalid])
  if (said.has('ask')) said.add('deny')
  return new Set([...said].filter(one => one === 'deny' || one === 'ask'))
}

const isSilent = (suggest: unknown, id: string): boolean =>
  typeof suggest === 'object' &&
  suggest !== null &&
  'silent' in suggest &&
  Array.isArray(suggest.silent) &&
  suggest.silent.includes(id)

function viewOf(first: ProofClient, rest: readonly ProofClient[]): View {
  const { capabilities } = first
  const can = (kind: EventKind) => capabilityOf(capabilities, kind).can
  return {
    clients: [first, ...rest].map(one => one.id),
    capabilities,
    reportsExit: capabilities.reportsExit,
    reports: ({ call }) => (isShell(call?.tool ?? '') ? capabilities.reportsExit : capabilities.reportsEnd),
    inferred: capabilities.callers === 'inferred',
    has: kind => tellsOf(first, kind),
    refuses: kind => can(kind).includes('deny'),
    asks: kind => can(kind).includes('ask'),
  }
}
