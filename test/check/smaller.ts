import type { Doc } from './doc.ts'

type Json = unknown

/** Everything that is the same less one thing. */
function* less(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    for (const at of value.keys()) if (value.length > 1) yield value.filter((_, nth) => nth !== at)
    for (const [at, one] of value.entries())
      for (const small of less(one)) yield value.map((other, nth) => (nth === at ? small : other))
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    for (const [key] of entries) if (!KEPT.has(key)) yield Object.fromEntries(entries.filter(([one]) => one !== key))
    for (const [key, one] of entries)
      for (const small of less(one))
        yield Object.fromEntries(entries.map(([name, old]) => [name, name === key ? small : old]))
  }
}

/** Without these it is no policy, or another thing altogether. */
const KEPT: ReadonlySet<string> = new Set([
  'gates',
  'id',
  'from',
  'to',
  'when',
  'event',
  'then',
  'message',
  'initial',
  'while',
])

/** The smallest policy of which the same is so. One that is none does not count. */
export function smallest(doc: Doc, isSo: (doc: Doc) => boolean): Doc {
  for (const one of less(doc)) {
    const small = one as Doc
    if (holds(small, isSo)) return smallest(small, isSo)
  }
  return doc
}

function holds(doc: Doc, isSo: (doc: Doc) => boolean): boolean {
  try {
    return isSo(doc)
  } catch {
    return false
  }
}
