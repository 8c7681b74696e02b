// Shell lines that people and agents have written: recorded sessions, the tables of the packs, everyday lines.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

const RECORDED = ['test/captures', 'test/shell', 'demo']
const TABLES = ['packs', 'examples', 'test/semantics', 'test/scenarios']

const filesIn = (folder, ...endings) =>
  readdirSync(folder, { recursive: true })
    .map(name => join(folder, name))
    .filter(name => endings.some(ending => name.endsWith(ending)))
    .sort()

/** Every command in payloads and transcripts below these folders. */
export function recordedLines(folders = RECORDED) {
  const found = new Set()
  for (const file of folders.flatMap(folder => filesIn(folder, '.json', '.jsonl'))) {
    const text = readFileSync(file, 'utf8')
    for (const value of file.endsWith('.json') ? [text] : text.split('\n')) gather(asJson(value), found)
  }
  return [...found]
}

/** Every command in the tables of packs, examples and the language's own tests, or those below a key. `without`: tables that do not count. */
export function tableLines(under, without = []) {
  const found = new Set()
  const files = TABLES.flatMap(folder => filesIn(folder, '.yaml'))
  for (const file of files.filter(name => !without.some(other => name.startsWith(other))))
    for (const part of below(parse(readFileSync(file, 'utf8')), under)) gather(part, found, under)
  return [...found]
}

export const everydayLines = () => parse(readFileSync('test/shell/everyday.yaml', 'utf8'))

export const KEPT = 'test/shell/unseen-code.yaml'

/** Lines that ran something nobody saw: `[{ shell, line }]`. */
export const keptLines = () => parse(readFileSync(KEPT, 'utf8'))

const KEYS = new Set(['command', 'cmd', 'shell', 'run', 'commands', 'stops', 'passes'])

function gather(value, found, key) {
  if (typeof value === 'string') {
    if (KEYS.has(key)) found.add(value)
    else if (/^\s*[{[]/.test(value)) gather(asJson(value), found)
  } else if (Array.isArray(value)) {
    // `["bash", "-lc", "…"]`
    if (KEYS.has(key) && value.length === 3 && /^-l?c$/.test(value[1])) found.add(value[2])
    else for (const item of value) gather(item, found, key)
  } else if (value !== null && typeof value === 'object') {
    for (const [name, item] of Object.entries(value)) gather(item, found, name)
  }
}

function below(value, key) {
  if (key === undefined) return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, item]) => (name === key ? [item] : below(item, key)))
}

function asJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
