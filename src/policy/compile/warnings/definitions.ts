import { type CompileContext, type PolicyUnit, reportWarning, toList } from '../context.ts'

/** Warns of a condition under `define` that no `is` names: it is not compiled, so its mistakes would not show. */
export function warnOfUnusedDefinitions(context: CompileContext, { parts }: PolicyUnit): void {
  const { define } = parts
  if (!define) return
  const used = new Set(usedDefinitionsIn([parts.gates, define]))
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
