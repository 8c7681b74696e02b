import type { Act } from '../core/index.ts'
import {
  changes,
  type Json,
  type JsonObject,
  localPath,
  mcpUrls,
  onlyReads,
  searchInput,
  takesAway,
  toolWords,
} from '../pattern/index.ts'

/** Fields that name files: `path`, `file_path`, `relativePath`, `source`, `destination`, `new_dir`, `uri` … */
const NAMES_FILES =
  /path|file|folder|^dir|dir$|directory|^(source|src|destination|dest|dst|target|from|to|old|new|uri)s?$/i
export const MOST_FILES = 32

/**
 * What the tool of a server is done to, as far as its input says so. A tool that by its name only reads names none. Its
 * server may have a root of its own, so none of this exempts a call: see `strays`.
 */
export function filesOfMcp(tool: string, input: JsonObject): readonly Act[] {
  const verbs = toolWords(tool)
  if (onlyReads(verbs) && !changes(verbs)) return []
  const whole = takesAway(verbs)
  // in JSON that is a text, and deeper than that
  const wrapped = searchInput(input).paths.map(one => one.path)
  return [...new Set([...pathsIn(input, 0), ...wrapped])]
    .slice(0, MOST_FILES)
    .map(path => ({ action: 'mcp', place: { lexical: localPath(path), strays: true, ...(whole && { whole }) } }))
}

/** The pages a tool of a server is asked for. */
export const urlsOfMcp = (tool: string, input: JsonObject): readonly Act[] =>
  mcpUrls(tool, input).map(url => ({ action: 'fetch', url }))

/** In the input, in its lists, and one object deep: `{ files: [{ path, content }] }`. */
function* pathsIn(input: JsonObject, depth: number): Generator<string> {
  for (const [field, value] of Object.entries(input)) {
    for (const one of listed(value)) {
      if (typeof one === 'string' && one !== '' && NAMES_FILES.test(field)) yield one
      else if (typeof one === 'object' && one !== null && !Array.isArray(one) && depth < 2)
        yield* pathsIn(one as JsonObject, depth + 1)
    }
  }
}

const listed = (value: Json | undefined): readonly (Json | undefined)[] => (Array.isArray(value) ? value : [value])
