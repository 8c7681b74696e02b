import type { Rule, Text } from '../../core/index.ts'
import { type Condition, type GateState, type Suggest, urlNames } from '../../pattern/index.ts'
import type { RuleDoc, SuggestDoc } from '../schema/gate.ts'
import { type Asker, compileCondition } from './condition.ts'
import { at, type Context, complain, complainOfKey, mayLoosen } from './context.ts'
import { warnOfDeadExemption } from './dead-exemption.ts'
import { beforeByDefault, possibleKinds } from './kinds.ts'
import { warnOfSpelling } from './option-names.ts'
import { warnOfReach } from './reach.ts'
import { groupNames } from './regex.ts'
import { compileText } from './text.ts'
import { resolveVariables, type Speaker } from './variables.ts'

export function compileRule(context: Context, doc: RuleDoc, id: string, asker: Asker): Rule | null {
  context.notes.limits?.spend('rules', 1)
  if (doc.while !== undefined && !asker.stateful)
    complainOfKey(context, doc, 'while', '`while` needs a gate with `initial`: this one keeps no state')
  if (doc.message === undefined && doc.then !== 'allow')
    complain(context, doc, 'then', `\`message\` is missing in rule \`${id}\`: \`then: ${doc.then}\` has to say why`)
  if (doc.unless && Object.keys(doc.unless).length === 0)
    complain(context, doc, 'unless', `\`unless\` of rule \`${id}\` is empty: it would clear everything`)
  const when = beforeByDefault(compileCondition(context, doc.when, asker))
  const events = possibleKinds(when)
  if (events.length === 0)
    complain(context, doc, 'when', `rule \`${id}\` can never fire: its events exclude each other`)
  warnOfReach(context, doc, id, events)
  if (doc.then !== 'allow') warnOfSpelling(context, doc.when)
  const speaker: Speaker = { gate: asker.id, named: namedParts(when), suggests: doc.suggest !== undefined }
  const text = (key: 'message' | 'warning' | 'context'): Text | undefined => {
    const words = doc[key]
    return words === undefined ? undefined : compileText(context, doc, key, words, speaker)
  }
  const warning = text('warning')
  const extra = text('context')
  const state: GateState | undefined = doc.while
  const unless = doc.unless && compileCondition(context, doc.unless, asker)
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
    ...(doc.suggest === undefined ? {} : { suggest: compileSuggest(context, doc, doc.suggest, speaker) }),
    ...(doc.limit === undefined ? {} : { limit: doc.limit }),
    at: at(context, doc, 'when'),
  }
  if (doc.then === 'allow' && !mayLoosen(context, doc, 'then', `rule \`${id}\` allows`)) return null
  return rule
}

/** A shell line may be made of the parts of the URL. */
export function compileSuggest(context: Context, holder: object, doc: SuggestDoc, speaker: Speaker): Suggest {
  if (typeof doc !== 'string') return doc
  if (doc.trim() === '') complain(context, holder, 'suggest', '`suggest` is empty')
  return resolveVariables(context, holder, 'suggest', doc, speaker)
}

/** Names the condition gives to parts of a URL. */
export function namedParts(condition: Condition): readonly string[] {
  if ('all' in condition) return condition.all.flatMap(namedParts)
  if ('any' in condition) return condition.any.flatMap(namedParts)
  if ('not' in condition || condition.key !== 'url') return []
  return condition.in.flatMap(one => ('regex' in one ? groupNames(one.regex) : urlNames(one.template)))
}
