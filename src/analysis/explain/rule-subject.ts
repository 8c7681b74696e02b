import type { Condition, Route, Rule } from '../../engine/index.ts'
import { describeCondition } from './condition-text.ts'

/** A short text for what a rule matches: `git push`; write, path .env; turn.stop. */
export function describeRuleSubject(rule: Rule | Route, root: string): string {
  if ('pattern' in rule && rule.pattern !== undefined) return rule.pattern
  const leaves = conjunctsOf(rule.when)
  const rest = leaves.filter(leaf => !isBeforeCallEvent(leaf)).map(leaf => summarizeCondition(leaf, root))
  return rest.length > 0 ? rest.join(', ') : 'every call'
}

const conjunctsOf = (when: Condition): readonly Condition[] => ('all' in when ? when.all.flatMap(conjunctsOf) : [when])

/** Most rules match calls before they run, so the text leaves this condition out. */
const isBeforeCallEvent = (condition: Condition): boolean =>
  'key' in condition &&
  condition.key === 'event' &&
  condition.in.every(kind => kind === 'tool.before' || kind === 'permission.request')

/** Leaves out the key where the value explains itself (`command`, `url`, `action`), and shortens long lists to their first value. */
export function summarizeCondition(condition: Condition, root: string): string {
  if ('all' in condition) return condition.all.map(part => summarizeCondition(part, root)).join(', ')
  if ('any' in condition) {
    const parts = condition.any.filter(part => !isUnsatisfiable(part))
    const isAlone = parts.length === 1
    return parts
      .map(part =>
        isAlone || !('all' in part) || part.all.length < 2
          ? summarizeCondition(part, root)
          : `(${summarizeCondition(part, root)})`,
      )
      .join(' | ')
  }
  if (!('key' in condition)) return describeCondition(condition, root)
  const text = SELF_EXPLANATORY_KEYS.has(condition.key)
    ? describeCondition(condition, root).slice(condition.key.length + 1)
    : describeCondition(condition, root)
  const [first = '', ...more] = text.split(' | ')
  return more.length > MAX_NAMED_VALUES ? `${first} and ${more.length} more` : text
}

/** No event can match the condition. */
export const isUnsatisfiable = (condition: Condition): boolean =>
  ('in' in condition && condition.in.length === 0) ||
  ('any' in condition && condition.any.every(isUnsatisfiable)) ||
  ('all' in condition && condition.all.some(isUnsatisfiable))

const MAX_NAMED_VALUES = 2
const SELF_EXPLANATORY_KEYS: ReadonlySet<string> = new Set(['event', 'command', 'url', 'action', 'tool'])
