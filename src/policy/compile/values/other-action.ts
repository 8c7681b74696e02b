import type { Condition } from '../../../engine/index.ts'
import type { ConditionDoc } from '../../schema/condition.ts'
import { type CompileContext, reportErrorAtKey } from '../context.ts'

type Leaf = Extract<Condition, { readonly key: string }>

/** What one action of a call can be told apart by from its others. The rest is the same for all actions of a call. */
const ACTION_KEYS: ReadonlySet<string> = new Set<Leaf['key']>([
  ...(['action', 'command', 'words', 'path', 'file', 'url', 'agent', 'succeeded', 'assigns', 'whitelisted'] as const),
])

/** Reports what cannot stand in `with`: keys about the call, and another `with`. */
export function checkOtherAction(context: CompileContext, doc: ConditionDoc, condition: Condition): Condition {
  const strange = [...new Set(keysOf(condition))].filter(key => !ACTION_KEYS.has(key))
  for (const key of strange)
    reportErrorAtKey(context, doc, 'with', `\`with\` is about one action, and \`${key}\` is not`, {
      help:
        key === 'with'
          ? 'put both into `all`: a list of conditions with one `with` each'
          : `write \`${key}\` beside \`with\``,
    })
  return { with: condition }
}

function keysOf(condition: Condition): readonly string[] {
  if ('all' in condition) return condition.all.flatMap(keysOf)
  if ('any' in condition) return condition.any.flatMap(keysOf)
  if ('not' in condition) return keysOf(condition.not)
  return 'with' in condition ? ['with'] : [condition.key]
}
