import type { ClientText, Rule } from '../../../engine/index.ts'
import { type Condition, type GateState, type Suggestion, urlNames } from '../../../engine/index.ts'
import type { RuleDoc, SuggestDoc } from '../../schema/gate.ts'
import { type CompileContext, locationLabelOf, mayLoosen, reportError, reportErrorAtKey } from '../context.ts'
import { possibleEventKinds, withDefaultEvent } from '../values/event-kinds.ts'
import { regexGroupNames } from '../values/regex.ts'
import { compileText } from '../values/text.ts'
import { canonicalTool, toolNamesByClient } from '../values/tool-name.ts'
import { resolveVariables, type TextOwner } from '../values/variables.ts'
import { warnOfDeadExemption } from '../warnings/dead-exemption.ts'
import { warnOfUnenforceableRule } from '../warnings/enforceability.ts'
import { warnOfOptionSpelling } from '../warnings/option-spelling.ts'
import { type ConditionOwner, compileCondition } from './condition.ts'

export function compileRule(context: CompileContext, doc: RuleDoc, id: string, owner: ConditionOwner): Rule | null {
  context.notes.limits?.spend('rules', 1)
  if (doc.while !== undefined && !owner.stateful)
    reportErrorAtKey(context, doc, 'while', '`while` needs a gate with `initial`: this one keeps no state')
  if (doc.message === undefined && doc.then !== 'allow')
    reportError(context, doc, 'then', `\`message\` is missing in rule \`${id}\`: \`then: ${doc.then}\` needs a reason`)
  if (doc.unless && Object.keys(doc.unless).length === 0)
    reportError(context, doc, 'unless', `\`unless\` of rule \`${id}\` is empty: it would exempt everything`)
  const when = withDefaultEvent(compileCondition(context, doc.when, owner))
  const events = possibleEventKinds(when)
  if (events.length === 0)
    reportError(context, doc, 'when', `rule \`${id}\` can never match: its events exclude each other`)
  warnOfUnenforceableRule(context, doc, id, events)
  if (doc.then !== 'allow') warnOfOptionSpelling(context, doc.when)
  const textOwner: TextOwner = {
    gate: owner.id,
    named: urlPartNamesOf(when),
    suggests: doc.suggest !== undefined,
    rule: id,
    states: doc.while && [doc.while],
  }
  const text = (key: 'message' | 'warning' | 'context'): ClientText | undefined => {
    const words = doc[key]
    return words === undefined ? undefined : compileText(context, doc, key, words, textOwner)
  }
  const warning = text('warning')
  const extra = text('context')
  const state: GateState | undefined = doc.while
  const unless = doc.unless && compileCondition(context, doc.unless, owner)
  if (unless) warnOfDeadExemption(context, doc, when, unless)
  const rule: Rule = {
    id,
    ...(state ? { while: state } : {}),
    events,
    when,
    ...(unless ? { unless } : {}),
    unsure: doc.unsure ?? 'warn',
    then: doc.then,
    message: text('message') ?? '',
    ...(warning === undefined ? {} : { warning }),
    ...(extra === undefined ? {} : { context: extra }),
    ...(doc.suggest === undefined ? {} : { suggest: compileSuggestion(context, doc, doc.suggest, textOwner) }),
    ...(doc.limit === undefined ? {} : { limit: doc.limit }),
    at: locationLabelOf(context, doc, 'when'),
  }
  if (doc.then === 'allow' && !mayLoosen(context, doc, 'then', `rule \`${id}\` allows`)) return null
  return rule
}

/** A suggested shell line can contain parts of the URL. */
export function compileSuggestion(
  context: CompileContext,
  holder: object,
  doc: SuggestDoc,
  textOwner: TextOwner,
): Suggestion {
  if (typeof doc !== 'string') return 'tool' in doc ? withOwnToolNames(doc, context) : doc
  if (doc.trim() === '') reportError(context, holder, 'suggest', '`suggest` is empty')
  return resolveVariables(context, holder, 'suggest', doc, textOwner)
}

/** Each agent gets the tool name that it knows. */
function withOwnToolNames<S extends { readonly tool: string }>(doc: S, { input }: CompileContext): S {
  const tool = canonicalTool(doc.tool, input.toolNames)
  return { ...doc, tool, names: toolNamesByClient(tool, input.clients) }
}

/** The names that the condition gives to parts of a URL. */
export function urlPartNamesOf(condition: Condition): readonly string[] {
  if ('all' in condition) return condition.all.flatMap(urlPartNamesOf)
  if ('any' in condition) return condition.any.flatMap(urlPartNamesOf)
  if (!('key' in condition) || condition.key !== 'url') return []
  return condition.in.flatMap(pattern =>
    'regex' in pattern ? regexGroupNames(pattern.regex) : urlNames(pattern.template),
  )
}
