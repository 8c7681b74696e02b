import { didYouMean } from '../../../lib/did-you-mean.ts'
import type { ConditionDoc } from '../../schema/condition.ts'
import { type CompileContext, reportError } from '../context.ts'
import { eachItem } from '../values/value.ts'

/** A condition from `define`, and the context to compile it in. */
export interface DefinedCondition {
  readonly doc: ConditionDoc
  readonly context: CompileContext
}

/** Looks up the names in `is`. A list is OR. A name that is unknown, or defined by itself, is an error. */
export function definedConditionsOf(context: CompileContext, doc: ConditionDoc): readonly DefinedCondition[] {
  const { define = {} } = context.unit.parts
  const { definitions = [] } = context
  return [...eachItem(doc, 'is', doc.is)].flatMap(([name, holder, key]) => {
    if (definitions.includes(name)) {
      const circle = [...definitions.slice(definitions.indexOf(name)), name].map(each => `\`${each}\``)
      reportError(context, holder, key, `\`${name}\` is defined by itself: ${circle.join(' → ')}`)
      return []
    }
    const found = Object.hasOwn(define, name) ? define[name] : undefined
    if (found) return [{ doc: found, context: { ...context, definitions: [...definitions, name] } }]
    const names = Object.keys(define)
    reportError(context, holder, key, `no condition is defined as \`${name}\``, {
      help: didYouMean(name, names) ?? (names.length > 0 ? `there are ${names.join(', ')}` : 'write it under `define`'),
    })
    return []
  })
}
