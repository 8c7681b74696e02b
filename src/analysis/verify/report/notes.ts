import { type Condition, capabilityOf, type EventKind, type Gate, matchesToolName } from '../../../engine/index.ts'
import type { Policy } from '../../../policy/index.ts'
import { rulesOf } from '../abstraction/condition-atoms.ts'
import { isReportingEvent, type VerifierClient } from '../system/client-profile.ts'

/** Parts of the policy that the verification does not cover; with any of them the policy is not proven. */
export function uncoveredParts({ gates, hooks }: Policy, undecided: readonly string[]): readonly string[] {
  const own = userGatesIn(gates)
  const code = own.filter(gate => gate.code !== undefined).map(gate => gate.name)
  const long = own.filter(gate => (gate.routes?.list.length ?? 0) > MAX_VERIFIED_ROUTES).map(gate => gate.name)
  return [
    ...(code.length > 0 ? [`the code of ${code.join(', ')} may do anything`] : []),
    ...(hooks.length > 0 ? [`${hookCountText(hooks.length)} of your own may deny anything`] : []),
    ...(long.length > 0 ? [`too many routes to try each: ${long.join(', ')}`] : []),
    ...(undecided.length > 0 ? [`no event could be generated for ${undecided.join(', ')}`] : []),
  ]
}

const hookCountText = (count: number): string => (count === 1 ? 'a hook' : `${count} hooks`)

/** Routes of one gate; longer tables are treated as data. */
export const MAX_VERIFIED_ROUTES = 3000

/** Notes about features that the policy uses and some clients lack. */
export const clientLimitationNotes = ({ gates }: Policy, clients: readonly VerifierClient[]): readonly string[] => [
  ...userGatesIn(gates).flatMap(gate => missingEventNotes(gate, clients)),
  ...askBecomesDenyNotes(userGatesIn(gates), clients),
]

const userGatesIn = (gates: readonly Gate[]): readonly Gate[] => gates.filter(gate => gate.layer !== 'built-in')

const locationSuffix = (at: string | undefined): string => (at === undefined ? '' : ` (${at})`)

/** Transitions and rules about events or tool calls that a client does not send. */
function missingEventNotes(gate: Gate, clients: readonly VerifierClient[]): readonly string[] {
  const parts = [...gate.transitions.filter(transition => !transition.clock), ...rulesOf(gate)]
  return parts.flatMap(({ id, events, when, at }) => {
    const never = (on: readonly VerifierClient[], lack: string): readonly string[] =>
      on.length === 0
        ? []
        : [
            `${gate.name}/${id} never matches on ${on.map(client => client.id).join(', ')}: it does not send ${lack}${locationSuffix(at)}`,
          ]
    const lacking = clients.filter(client => !events.some(kind => isReportingEvent(client, kind)))
    const tools = toolNamesIn(when)
    const raisesNoEvent = ({ toolsWithoutEvents = [] }: VerifierClient): boolean =>
      tools.length > 0 &&
      tools.every(tool => toolsWithoutEvents.some(toolsWithoutEvent => matchesToolName(toolsWithoutEvent, tool)))
    return [
      ...never(lacking, [...new Set<EventKind>(events)].map(kind => `\`${kind}\``).join(', ')),
      ...never(
        clients.filter(client => !lacking.includes(client) && raisesNoEvent(client)),
        `calls of ${tools.map(tool => `\`${tool}\``).join(', ')}`,
      ),
    ]
  })
}

/** The tools that the condition is limited to, if any. */
const toolNamesIn = (when: Condition): readonly string[] =>
  ('all' in when ? when.all : [when]).flatMap(condition =>
    'key' in condition && condition.key === 'tool' ? condition.in : [],
  )

/** Rules with `then: ask` on clients that cannot ask a person: there it becomes a refusal. */
function askBecomesDenyNotes(gates: readonly Gate[], clients: readonly VerifierClient[]): readonly string[] {
  const asking = gates.flatMap(gate =>
    rulesOf(gate).flatMap(({ id, then, events, at }) =>
      then === 'ask' ? { name: `${gate.name}/${id}`, events, at } : [],
    ),
  )
  const by = new Map<string, string[]>()
  for (const { name, events, at } of asking) {
    const on = clients.filter(({ capabilities }) =>
      events.some(kind => {
        const { can } = capabilityOf(capabilities, kind)
        return can.includes('deny') && !can.includes('ask')
      }),
    )
    const key = on.map(client => client.id).join(', ')
    if (key !== '') by.set(key, [...(by.get(key) ?? []), `${name}${locationSuffix(at)}`])
  }
  return [...by].map(([on, names]) => `\`then: ask\` denies on ${on}, which cannot ask the user: ${names.join(', ')}`)
}
