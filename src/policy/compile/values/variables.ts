import { COUNTER_NAMES, LAYERS } from '../../../engine/index.ts'
import { didYouMean } from '../../../lib/did-you-mean.ts'
import { isObject, type JsonObject } from '../../../lib/json.ts'
import { type CompileContext, type DocumentKey, type ReferableGate, reportError } from '../context.ts'
import { type CountdownReader, remainingCounters } from './countdown.ts'

/** Variables that the engine fills in from the matched action and the gate's counters. */
const ENGINE_VARIABLES = [
  'tool',
  'path',
  'command',
  'url',
  'caller',
  'agent',
  'gate',
  'rule',
  'pattern',
  'problem',
  'suggest',
  'spawn.tool',
  'spawn.field',
]

/** The owner of a text: its gate (whose captures come first), named URL parts, and whether it has `suggest`. */
export interface TextOwner extends CountdownReader {
  readonly gate: string
  readonly named: readonly string[]
  readonly suggests: boolean
  readonly isRoute?: boolean
}

const MAX_SUGGESTED_NAMES = 24
const inBraces = (name: string): string => `{${name}}`

const VARIABLE = /\{\{|\{(\??)([a-zA-Z][\w./-]*)\}/g

/** Fills in options and adds the gate id to captures. Reports an unknown name as an error. */
export function resolveVariables(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  text: string,
  textOwner: TextOwner,
): string {
  if (!isBalanced(text))
    reportError(context, holder, key, 'a part `{?name}` has no end', { help: 'write `{/}` where the part ends' })
  return text.replace(VARIABLE, (whole: string, mark: string | undefined, name: string | undefined) => {
    if (name === 'suggest' && !textOwner.suggests && !textOwner.named.includes(name))
      reportError(context, holder, key, '`{suggest}` is empty: there is no `suggest` here', {
        help: 'add `suggest: …` to the rule or route, or write the command into the text',
      })
    if (name === undefined || textOwner.named.includes(name) || ENGINE_VARIABLES.includes(name)) return whole
    if (COUNTER_NAMES.includes(name)) return whole
    if (name === 'remaining') return `{${mark}${resolveRemaining(context, holder, key, textOwner)}}`
    const option = context.unit.options.get(name)
    // options have constant values, so they are filled in now
    if (option !== undefined && !mark) return option.replaceAll('{', '{{')
    const capture = findCapture(context, name, textOwner.gate)
    if (capture) return `{${mark}${capture}}`
    const own = [...textOwner.named, ...context.unit.options.keys(), ...captureNames(context)]
    const all = [...ENGINE_VARIABLES, 'operations', 'turns', 'seconds', 'remaining', ...own]
    const help = didYouMean(name, [...all, ...COUNTER_NAMES], inBraces)
    const known = all.slice(0, MAX_SUGGESTED_NAMES).map(inBraces).join(' ')
    reportError(context, holder, key, `unknown variable \`{${name}}\``, {
      help: help ?? `there are ${known}; \`{{\` is a brace`,
    })
    return whole
  })
}

/** Whether each `{?name}` has its `{/}`. */
function isBalanced(text: string): boolean {
  let depth = 0
  for (const [whole] of text.matchAll(/\{\{|\{\?[a-zA-Z][\w./-]*\}|\{\/\}/g)) {
    if (whole === '{/}') depth -= depth > 0 ? 1 : 0
    else if (whole !== '{{') depth += 1
  }
  return depth === 0
}

/** The counter that `{remaining}` means in this text: `operations.opened.50`. */
function resolveRemaining(context: CompileContext, holder: object, key: DocumentKey, textOwner: TextOwner): string {
  const gate = context.names.find(name => name.id === textOwner.gate)
  const [counter, ...more] = remainingCounters(gate?.countdowns() ?? [], textOwner)
  if (counter !== undefined && more.length === 0) return counter
  const { states = [] } = textOwner
  const [state] = states.length === 1 ? states : []
  const where = textOwner.rule === undefined ? 'transition' : 'transition and no other rule'
  if (counter === undefined)
    reportError(
      context,
      holder,
      key,
      `\`{remaining}\` counts down to nothing: no ${where} of this gate uses \`since\`${state ? ` while it is ${state}` : ''}`,
      { help: 'add a transition such as `when: { since: { opened: { operations: 50 } } }`' },
    )
  else {
    const [first = '', second = ''] = [counter, ...more].map(one => inBraces(one.replace(/\.[^.]*$/, '')))
    const which = first === second ? `\`${first}\` with two limits` : `\`${first}\` or \`${second}\``
    reportError(context, holder, key, `\`{remaining}\` is not one number here: it could be what is left of ${which}`, {
      help: 'write the number that you mean, or give each counter a gate of its own',
    })
  }
  return 'remaining'
}

/** In a condition, only captures can be filled in. */
export function resolveCaptures(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  value: string,
  gate: string,
): string {
  return value.replace(VARIABLE, (whole: string, mark: string | undefined, name: string | undefined) => {
    if (name === undefined || mark) return whole
    const capture = findCapture(context, name, gate)
    if (capture) return `{${capture}}`
    const help =
      didYouMean(name, captureNames(context), inBraces) ?? 'only captures can be used here: `{gate.name.field}`'
    reportError(context, holder, key, `unknown variable \`{${name}}\``, { help })
    return whole
  })
}

/** Resolves `gate.name.field`, or `name.field` of the own gate, to `layer/gate.name.field`; undefined if there is none. */
export function findCapture(context: CompileContext, written: string, gate: string): string | undefined {
  const parts = written.split('.')
  const [first = '', second = ''] = parts
  const other = findGate(context, first)
  if (other && hasCaptureField(other, second, parts.slice(2))) return `${other.id}.${parts.slice(1).join('.')}`
  const own = context.names.find(name => name.id === gate)
  return own && hasCaptureField(own, first, parts.slice(1)) ? `${own.id}.${written}` : undefined
}

function hasCaptureField(gate: ReferableGate, capture: string, fields: readonly string[]): boolean {
  const schema = gate.captures.get(capture)
  return schema !== undefined && (schema === null || schemaHasField(schema, fields))
}

/** A schema with `properties` has only these fields; a schema without may have any field. */
function schemaHasField(schema: JsonObject, [field, ...rest]: readonly string[]): boolean {
  if (field === undefined || !isObject(schema.properties)) return true
  const inner = schema.properties[field]
  return isObject(inner) && schemaHasField(inner, rest)
}

export const captureNames = (context: CompileContext): readonly string[] =>
  context.names.flatMap(gate =>
    [...gate.captures].flatMap(([name, schema]) => {
      const fields = isObject(schema?.properties) ? Object.keys(schema.properties) : []
      return fields.flatMap(field => [`${name}.${field}`, `${gate.name}.${name}.${field}`])
    }),
  )

/**
 * Finds a gate by name: the layer's own gate first, then the nearest stronger layer, then the strongest weaker layer. So a repository
 * cannot replace a gate that a stronger layer refers to.
 */
export function findGate(context: CompileContext, name: string): ReferableGate | undefined {
  const { prefix, layer } = context.unit
  const own = LAYERS.indexOf(layer)
  // strongest layer first
  const same = context.names.filter(gate => gate.name === name)
  return (
    same.find(gate => gate.id === `${prefix}/${name}`) ??
    same.findLast(gate => LAYERS.indexOf(gate.layer) >= own) ??
    same[0]
  )
}
