import {
  actionsOf,
  type Event,
  fillTemplate,
  type Gate,
  newSession,
  type Regex,
  type Rule,
  type Session,
  suggestionText,
  urlParts,
} from '../../../../engine/index.ts'
import { fieldText, type JsonObject } from '../../../../lib/json.ts'
import type { SuggestionLookup } from '../../abstraction/equivalence-classes.ts'
import { isAttested } from '../../abstraction/input-partitioning/sample-calls.ts'
import type { CallParser, SampleCall, ShorthandEvent } from '../../abstraction/residual-condition.ts'
import { gateIdOf } from '../../system/state/state-keys.ts'

/** The calls that a rule suggests when it fires on this event. */
export function suggestedCalls(
  rule: Rule,
  gate: Gate,
  event: Event,
  session: Session,
  parser: CallParser,
): readonly SampleCall[] {
  const { suggest } = rule
  if (suggest === undefined) return []
  const text = (template: string): string => fillSuggestion(template, rule, gate, event, session, parser.regex)
  const shorthands: readonly ShorthandEvent[] =
    typeof suggest === 'string' || 'line' in suggest
      ? [{ shell: text(suggestionText(suggest, event.client)).replace(/<([^<>|&;]*)>/g, '$1') }]
      : 'agent' in suggest
        ? [suggest.agent].flat().map(agent => ({ spawn: text(agent) }))
        : [{ tool: suggest.tool, ...(suggest.path !== undefined && { path: text(suggest.path) }) }]
  return shorthands.flatMap(short => {
    const before = parser.parseEvent(short)
    return before?.call
      ? [{ shorthand: short, beforeEvent: before, isApproved: false, isAttested: isAttested(short) }]
      : []
  })
}

/** The same for a call without a session, cached; used to build equivalence classes. */
export function createSuggestionLookup(parser: CallParser): SuggestionLookup {
  const known = new Map<Rule, Map<SampleCall, readonly SampleCall[]>>()
  const session = newSession('proof', '/', 0)
  return (rule, gate, call) => {
    const calls = known.get(rule) ?? new Map<SampleCall, readonly SampleCall[]>()
    known.set(rule, calls)
    const found = calls.get(call) ?? suggestedCalls(rule, gate, call.beforeEvent, session, parser)
    calls.set(call, found)
    return found
  }
}

function fillSuggestion(
  template: string,
  rule: Rule,
  gate: Gate,
  event: Event,
  session: Session,
  regex: Regex,
): string {
  const named: Record<string, string> = {}
  for (const act of actionsOf(event)) if (act.url) Object.assign(named, urlParts(rule.when, act.url, regex))
  const [act] = actionsOf(event)
  const plain: Readonly<Record<string, string | undefined>> = {
    ...{ tool: event.call?.tool, command: act?.via, url: act?.url ?? undefined, agent: act?.agent ?? event.agent },
    path: act?.place?.lexical ?? undefined,
    ...named,
  }
  return fillTemplate(template, name => plain[name] ?? capturedValue(session, name, gate) ?? 'some')
}

/** Resolves `layer/gate.name.field`, `gate.name.field` or, for the gate itself, `name.field`. */
function capturedValue({ gates, shared }: Session, name: string, { id, layer }: Gate): string | undefined {
  for (const path of [`${id}.${name}`, name, `${layer}/${name}`])
    for (const [key, variables] of Object.entries({ ...gates, ...shared })) {
      const own = gateIdOf(key)
      const captured: JsonObject = { ...variables.captured }
      const value = path.startsWith(`${own}.`) ? fieldText(captured, path.slice(own.length + 1)) : undefined
      if (value !== undefined) return value
    }
  return undefined
}
