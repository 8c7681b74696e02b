import type { Gate, Transition } from '../../../engine/index.ts'
import { isObject, type Json } from '../../../lib/json.ts'
import { describeCondition } from '../condition-text.ts'

/** Properties of a gate besides its mode: what can open it, the scope of its state, what it counts. */
export const gateTraits = ({ opens, scope, counts, initial }: Gate, root: string): readonly string[] =>
  [
    opens === 'human' ? 'only a person opens it' : '',
    initial === undefined ? '' : SCOPE_PHRASES[scope],
    counts ? `counts ${describeCondition(counts, root)}` : '',
  ].filter(Boolean)

const SCOPE_PHRASES: Readonly<Record<Gate['scope'], string>> = {
  session: '',
  agent: 'each agent has its own state',
  project: 'all sessions of the project share one state',
}

/** `, if its answer has verdict approve, else denies`: a transition with a capture requires an answer that fits its schema. */
export function describeCapture({ capture, invalid }: Transition): string {
  if (!capture) return ''
  const { properties, required } = capture.schema
  const names = Array.isArray(required) ? required.map(String) : []
  const fields = names.map(name => `${name}${enumChoices(isObject(properties) ? properties[name] : undefined)}`)
  const asked = fields.length > 0 ? `has ${fields.join(', ')}` : `is a valid ${capture.name}`
  return `, if its answer ${asked}${invalid ? `, else ${REJECTION_VERBS[invalid.then]}` : ''}`
}

const REJECTION_VERBS = { deny: 'denies', ask: 'asks', allow: 'allows', warn: 'warns' } as const
/** A longer list would hide the rest of the line. */
const MAX_CHOICES = 4

function enumChoices(schema: Json | undefined): string {
  if (!isObject(schema)) return ''
  const all = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : []
  return all.length > 0 && all.length <= MAX_CHOICES ? ` ${all.join('|')}` : ''
}

/** Truncates between words, never inside a word, and appends `…`. A single long word stays whole. */
export function truncateAtWord(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= longest) return line
  const end = line.lastIndexOf(' ', longest - 2)
  return `${end > 0 ? line.slice(0, end) : (line.split(' ', 1)[0] ?? line)} …`
}
