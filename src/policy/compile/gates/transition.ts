import { isAbsolute, join } from 'node:path'
import type { Transition } from '../../../engine/index.ts'
import { isObject, type JsonObject } from '../../../lib/json.ts'
import type { TransitionDoc } from '../../schema/gate.ts'
import {
  type CompileContext,
  type FileReader,
  fileLabel,
  locationLabelOf,
  reportError,
  reportErrorAtKey,
  reportWarning,
  toList,
} from '../context.ts'
import { namesEvent, possibleEventKinds } from '../values/event-kinds.ts'
import { requireEventOfTransition } from '../values/missing-event.ts'
import { compileText } from '../values/text.ts'
import { type ConditionOwner, compileCondition } from './condition.ts'
import { urlPartNamesOf } from './rule.ts'

export function compileTransition(
  context: CompileContext,
  doc: TransitionDoc,
  id: string,
  owner: ConditionOwner,
): Transition {
  context.notes.limits?.spend('rules', 1)
  const when = compileCondition(context, doc.when, owner)
  const clock = !namesEvent(when)
  const events = clock ? [] : possibleEventKinds(when)
  if (!clock && events.length === 0)
    reportError(context, doc, 'when', `transition \`${id}\` can never happen: its events exclude each other`)
  requireEventOfTransition(context, { doc, id, opens: doc.to === 'open' }, when)
  const textOwner = { gate: owner.id, named: urlPartNamesOf(when), suggests: false, states: [doc.to] }
  const capture = compileCapture(context, doc, id)
  if (doc.invalid && !doc.capture)
    reportErrorAtKey(context, doc, 'invalid', `transition \`${id}\` has \`invalid\` but captures nothing`)
  if (clock && doc.capture)
    reportErrorAtKey(context, doc, 'capture', `transition \`${id}\` names no event to capture from`)
  return {
    id,
    from: toList(doc.from),
    to: doc.to,
    clock,
    events,
    when,
    ...(doc.message === undefined ? {} : { message: compileText(context, doc, 'message', doc.message, textOwner) }),
    ...(doc.context === undefined ? {} : { context: compileText(context, doc, 'context', doc.context, textOwner) }),
    ...(capture ? { capture } : {}),
    ...(doc.invalid
      ? {
          invalid: {
            then: doc.invalid.then,
            message: compileText(context, doc.invalid, 'message', doc.invalid.message, {
              ...textOwner,
              states: toList(doc.from),
            }),
          },
        }
      : {}),
    at: locationLabelOf(context, doc, 'when'),
  }
}

function compileCapture(context: CompileContext, doc: TransitionDoc, id: string): Transition['capture'] | null {
  const { capture } = doc
  if (!capture) return null
  context.notes.limits?.spend('captures', 1)
  const [name, ...more] = Object.keys(capture)
  if (name === undefined || more.length > 0) {
    reportErrorAtKey(context, doc, 'capture', `transition \`${id}\` must capture exactly one thing`)
    return null
  }
  const json = capture[name]?.json
  const schema = readCaptureSchema(json, context.unit.folder, context.files)
  if (!schema) {
    const file = typeof json === 'string' ? fileLabel(join(context.unit.folder, json), context.input) : name
    reportError(context, capture[name] ?? capture, 'json', `\`${file}\` is not a JSON Schema that can be read`)
    return null
  }
  for (const word of unsupportedKeywordsOf(schema))
    reportWarning(context, doc, 'capture', `\`${word}\` in the schema of \`${name}\` is not checked`)
  return { name, schema }
}

/** Reads a schema that is inline or in a file beside the policy. */
export function readCaptureSchema(json: unknown, folder: string, files: FileReader): JsonObject | null {
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

const SUPPORTED_KEYWORDS = ['type', 'required', 'properties', 'enum', 'minimum', 'maximum', 'minLength', 'items']
const ANNOTATION_KEYWORDS = [
  '$schema',
  '$id',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'additionalProperties',
]

function unsupportedKeywordsOf(schema: JsonObject): readonly string[] {
  const own = Object.keys(schema).filter(key => !SUPPORTED_KEYWORDS.includes(key) && !ANNOTATION_KEYWORDS.includes(key))
  const parts = [...(isObject(schema.properties) ? Object.values(schema.properties) : []), schema.items]
  return [...new Set([...own, ...parts.filter(isObject).flatMap(unsupportedKeywordsOf)])]
}
