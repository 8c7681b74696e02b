import { isAbsolute, join } from 'node:path'
import type { Transition } from '../../core/index.ts'
import { isObject, type JsonObject } from '../../pattern/index.ts'
import type { TransitionDoc } from '../schema/gate.ts'
import { type Asker, compileCondition } from './condition.ts'
import { at, type Context, complain, complainOfKey, type Files, label, listOf, warn } from './context.ts'
import { namesEvent, possibleKinds } from './kinds.ts'
import { namedParts } from './rule.ts'
import { compileText } from './text.ts'

export function compileTransition(context: Context, doc: TransitionDoc, id: string, asker: Asker): Transition {
  context.notes.limits?.spend('rules', 1)
  const when = compileCondition(context, doc.when, asker)
  const clock = !namesEvent(when)
  const events = clock ? [] : possibleKinds(when)
  if (!clock && events.length === 0)
    complain(context, doc, 'when', `transition \`${id}\` can never happen: its events exclude each other`)
  const speaker = { gate: asker.id, named: namedParts(when), suggests: false }
  const capture = captureOf(context, doc, id)
  if (doc.invalid && !doc.capture)
    complainOfKey(context, doc, 'invalid', `transition \`${id}\` has \`invalid\` but captures nothing`)
  if (clock && doc.capture)
    complainOfKey(context, doc, 'capture', `transition \`${id}\` names no event to capture from`)
  return {
    id,
    from: listOf(doc.from),
    to: doc.to,
    clock,
    events,
    when,
    ...(doc.message === undefined ? {} : { message: compileText(context, doc, 'message', doc.message, speaker) }),
    ...(doc.context === undefined ? {} : { context: compileText(context, doc, 'context', doc.context, speaker) }),
    ...(capture ? { capture } : {}),
    ...(doc.invalid
      ? {
          invalid: {
            then: doc.invalid.then,
            message: compileText(context, doc.invalid, 'message', doc.invalid.message, speaker),
          },
        }
      : {}),
    at: at(context, doc, 'when'),
  }
}

function captureOf(context: Context, doc: TransitionDoc, id: string): Transition['capture'] | null {
  const { capture } = doc
  if (!capture) return null
  context.notes.limits?.spend('captures', 1)
  const [name, ...more] = Object.keys(capture)
  if (name === undefined || more.length > 0) {
    complainOfKey(context, doc, 'capture', `transition \`${id}\` must capture exactly one thing`)
    return null
  }
  const json = capture[name]?.json
  const schema = readSchema(json, context.unit.folder, context.files)
  if (!schema) {
    const file = typeof json === 'string' ? label(join(context.unit.folder, json), context.input) : name
    complain(context, capture[name] ?? capture, 'json', `\`${file}\` is not a JSON Schema that can be read`)
    return null
  }
  for (const word of unsupported(schema))
    warn(context, doc, 'capture', `\`${word}\` in the schema of \`${name}\` is not checked`)
  return { name, schema }
}

/** Inline, or a file beside the policy. */
export function readSchema(json: unknown, folder: string, files: Files): JsonObject | null {
  if (typeof json !== 'string') return isObject(json) ? json : null
  const text = files.read(isAbsolute(json) ? json : join(folder, json))
  if (text === null) return null
  try {
    const schema: unknown = JSON.parse(text)
    return isObject(schema) ? schema : null
  } catch {
    return null
  }
}

const CHECKED = ['type', 'required', 'properties', 'enum', 'minimum', 'maximum', 'minLength', 'items']
const REMARKS = ['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'additionalProperties']

function unsupported(schema: JsonObject): readonly string[] {
  const own = Object.keys(schema).filter(key => !CHECKED.includes(key) && !REMARKS.includes(key))
  const parts = [...(isObject(schema.properties) ? Object.values(schema.properties) : []), schema.items]
  return [...new Set([...own, ...parts.filter(isObject).flatMap(unsupported)])]
}
