import type { Route, Rule } from '../core/index.ts'
import type { Condition } from '../pattern/index.ts'
import { inWords } from './words.ts'

/** What a rule is about, as short as can be: `git push`; write, path .env; turn.stop. */
export function aboutOf(rule: Rule | Route, root: string): string {
  if ('pattern' in rule && rule.pattern !== undefined) return rule.pattern
  const leaves = leavesOf(rule.when)
  const rest = leaves.filter(one => !isUsual(one)).map(one => inShort(one, root))
  return rest.length > 0 ? rest.join(', ') : 'every call'
}

const leavesOf = (when: Condition): readonly Condition[] => ('all' in when ? when.all.flatMap(leavesOf) : [when])

/** Most rules are about calls that are yet to come: nobody has to be told. */
const isUsual = (one: Condition): boolean =>
  'key' in one && one.key === 'event' && one.in.every(kind => kind === 'tool.before' || kind === 'permission.request')

/** A command, a page and an action speak for themselves; of a long list the first is named. */
export function inShort(one: Condition, root: string): string {
  if ('all' in one) return one.all.map(part => inShort(part, root)).join(', ')
  if ('any' in one) {
    const parts = one.any.filter(part => !isEmpty(part))
    const isAlone = parts.length === 1
    return parts
      .map(part =>
        isAlone || !('all' in part) || part.all.length < 2 ? inShort(part, root) : `(${inShort(part, root)})`,
      )
      .join(' | ')
  }
  if (!('key' in one)) return inWords(one, root)
  const said = PLAIN.has(one.key) ? inWords(one, root).slice(one.key.length + 1) : inWords(one, root)
  const [first = '', ...more] = said.split(' | ')
  return more.length > MOST_NAMED ? `${first} and ${more.length} more` : said
}

/** Nothing can meet it. */
export const isEmpty = (one: Condition): boolean =>
  ('in' in one && one.in.length === 0) ||
  ('any' in one && one.any.every(isEmpty)) ||
  ('all' in one && one.all.some(isEmpty))

const MOST_NAMED = 2
const PLAIN: ReadonlySet<string> = new Set(['event', 'command', 'url', 'action', 'tool'])
