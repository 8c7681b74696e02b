import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What people ask of agents, labelled by hand before any table was tuned. */
export interface Labelled {
  readonly request: string
  readonly intent: string
  /** the second thing it asks for */
  readonly also?: string
  readonly complexity: string
  readonly cloud: string | null
  readonly half: Half
  /** the file it stands in: `wild` are the words of strangers */
  readonly from: string
}

/**
 * By a hash of the request, so that nobody chooses: tables are tuned by the errors in `tuned`, the confidence is fitted on `fitted`
 * (whose errors nobody reads), and what is reported is `held`, whose errors nobody reads while tuning. The first two are one half.
 */
type Half = 'tuned' | 'fitted' | 'held'

export function halfOf(request: string): Half {
  const hash = fnv1a(request)
  if ((hash & 1) === 1) return 'held'
  return (hash >>> 8) % 3 === 0 ? 'fitted' : 'tuned'
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  // the lowest bit of FNV is the parity of its input: fold the high half in
  return (hash ^ (hash >>> 16)) >>> 0
}

const LINE =
  /^(?<intent>[a-z_]+)\/(?<complexity>low|medium|high)(?:\/(?<cloud>[a-z]+))?(?:\+(?<also>[a-z_]+))?: (?<text>.+)$/

function read(line: string, from: string): Labelled {
  const { intent = '', complexity = '', cloud, also, text = '' } = LINE.exec(line)?.groups ?? {}
  if (!text) throw new Error(`not a labelled request: ${line}`)
  const request = text.replaceAll('\\n', '\n')
  return { request, intent, complexity, cloud: cloud ?? null, ...(also && { also }), half: halfOf(request), from }
}

const readAll = (name: string): readonly Labelled[] =>
  readFileSync(join(import.meta.dirname, `requests-${name}.txt`), 'utf8')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => read(line, name))

export const requests: readonly Labelled[] = ['en', 'world', 'wild'].flatMap(readAll)

/** In languages that no table has. */
export const unknownRequests: readonly Labelled[] = readAll('unknown')
