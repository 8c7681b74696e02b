import { COUNTER_NAMES, LAYERS } from '../../../engine/index.ts'
import { didYouMean } from '../../../lib/did-you-mean.ts'
import { isObject, type JsonObject } from '../../../lib/json.ts'
import { type CompileContext, type DocumentKey, type GateReference, reportError } from '../context.ts'

/** What core fills in from the act that fired and the gate's counters. */
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

/** Who is speaking: whose captures come first, which parts of a URL have names, and whether `{suggest}` stands for anything. */
export interface TextOwner {
  readonly gate: string
  readonly named: readonly string[]
  readonly suggests: boolean
  readonly isRoute?: boolean
}

const MAX_SUGGESTED_NAMES = 24
const inBraces = (name: string): string => `{${name}}`

const VARIABLE = /\{\{|\{(\??)([a-zA-Z][\w./-]*)\}/g

/** Options are filled in, captures get the id of their gate; a name nobody knows is a load error. */
export function resolveVariables(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  text: string,
  speaker: TextOwner,
): string {
  if (!isBalanced(text))
    reportError(context, holder, key, 'a part `{?name}` has no end', { help: 'write `{/}` where the part ends' })
  return text.replace(VARIABLE, (whole: string, mark: string | undefined, name: string | undefined) => {
    if (name === 'suggest' && !speaker.suggests && !speaker.named.includes(name))
      reportError(context, holder, key, '`{suggest}` stands for nothing: there is no `suggest` here', {
        help: 'add `suggest: …` to the rule or route, or write the command into the text',
      })
    if (name === undefined || speaker.named.includes(name) || ENGINE_VARIABLES.includes(name)) return whole
    if (COUNTER_NAMES.includes(name)) return whole
    if (name === 'remaining') return resolveRemaining(context, holder, key, speaker)
    const option = context.unit.options.get(name)
    // what an option says is known before anything happens
    if (option !== undefined && !mark) return option.replaceAll('{', '{{')
    const capture = findCapture(context, name, speaker.gate)
    if (capture) return `{${mark}${capture}}`
    const own = [...speaker.named, ...context.unit.options.keys(), ...captureNames(context)]
    const all = [...ENGINE_VARIABLES, 'operations', 'turns', 'seconds', 'remaining', ...own]
    const help = didYouMean(name, [...all, ...COUNTER_NAMES], inBraces)
    const known = all.slice(0, MAX_SUGGESTED_NAMES).map(inBraces).join(' ')
    reportError(context, holder, key, `unknown variable \`{${name}}\``, {
      help: help ?? `there are ${known}; \`{{\` is a brace`,
    })
    return whole
  })
}

/** Does each `{?name}` have its `{/}`? */
function isBalanced(text: string): boolean {
  let depth = 0
  for (const [whole] of text.matchAll(/\{\{|\{\?[a-zA-Z][\w./-]*\}|\{\/\}/g)) {
    if (whole === '{/}') depth -= depth > 0 ? 1 : 0
    else if (whole !== '{{') depth += 1
  }
  return depth === 0
}

/** What is left until the first transition of the gate that waits for `since`. */
function resolveRemaining(context: CompileContext, holder: object, key: DocumentKey, { gate }: TextOwner): string {
  const countdown = context.names.find(one => one.id === gate)?.countdown
  if (countdown !== undefined) return `{${countdown}}`
  reportError(context, holder, key, '`{remaining}` stands for nothing: no transition of this gate waits for `since`', {
    help: 'add a transition such as `when: { since: { opened: { operations: 50 } } }`',
  })
  return '{remaining}'
}

/** In a condition only captures can be filled in. */
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
      didYouMean(name, captureNames(context), inBraces) ?? 'only captures can be compared with: `{gate.name.field}`'
    reportError(context, holder, key, `unknown variable \`{${name}}\``, { help })
    return whole
  })
}

/** `gate.name.field`, or `name.field` of the gate itself, as `layer/gate.name.field`; undefined when there is none. */
export function findCapture(context: CompileContext, written: string, gate: string): string | undefined {
  const parts = written.split('.')
  const [first = '', second = ''] = parts
  const other = findGate(context, first)
  if (other && hasCaptureField(other, second, parts.slice(2))) return `${other.id}.${parts.slice(1).join('.')}`
  const own = context.names.find(one => one.id === gate)
  return own && hasCaptureField(own, first, parts.slice(1)) ? `${own.id}.${written}` : undefined
}

function hasCaptureField(gate: GateReference, capture: string, fields: readonly string[]): boolean {
  const schema = gate.captures.get(capture)
  return schema !== undefined && (schema === null || schemaHasField(schema, fields))
}

/** A schema that lists its properties knows its fields; any other may have all. */
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
 * By name: the layer's own first, then the nearest stronger one, then the nearest weaker. A repository must not be able
 * to put a gate of its own in the place of one that a stronger layer meant.
 */
export function findGate(context: CompileContext, name: string): GateReference | undefined {
  const { prefix, layer } = context.unit
  const own = LAYERS.indexOf(layer)
  // strongest first
  const same = context.names.filter(one => one.name === name)
  return (
    same.find(one => one.id === `${prefix}/${name}`) ??
    same.findLast(one => LAYERS.indexOf(one.layer) >= own) ??
    same[0]
  )
}
