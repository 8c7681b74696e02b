import { CONDITION_KEYS } from '../../schema/condition.ts'
import { type CompileContext, type PolicyUnit, reportWarning, toList } from '../context.ts'

/**
 * Warns of a condition under `define` that no `is` names: it is not compiled, so its mistakes would not show. And of one that is named
 * like a key: `is: path` reads as if it were about paths.
 */
export function warnOfDefinitions(context: CompileContext, { parts }: PolicyUnit): void {
  const { define } = parts
  if (!define) return
  const used = new Set(usedDefinitionsIn([parts.gates, define]))
  for (const name of Object.keys(define).filter(one => CONDITION_KEYS.includes(one)))
    reportWarning(context, define, name, `the definition \`${name}\` has the name of a condition key`, {
      help: `give it a name that says what it matches: \`is: ${name}\` reads like the key`,
    })
  for (const name of Object.keys(define))
    if (!used.has(name))
      reportWarning(context, define, name, `no condition uses the definition \`${name}\``, {
        help: `write \`is: ${name}\` in a condition, or remove it`,
      })
}

function usedDefinitionsIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([key, value]) => [
    ...(key === 'is' ? toList<unknown>(value).filter(name => typeof name === 'string') : []),
    ...usedDefinitionsIn(value),
  ])
}
