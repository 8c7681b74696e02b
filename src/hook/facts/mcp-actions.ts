import type { Action } from '../../engine/index.ts'
import {
  namesChange,
  namesOnlyReading,
  namesRemoval,
  scanToolInput,
  urlsOfMcpTool,
  wordsOfToolName,
} from '../../engine/index.ts'
import type { Json, JsonObject } from '../../lib/json.ts'
import { localPath } from '../../lib/local-path.ts'

/** Fields that name files: `path`, `file_path`, `relativePath`, `source`, `destination`, `new_dir`, `uri` … */
const NAMES_FILES =
  /path|file|folder|^dir|dir$|directory|^(source|src|destination|dest|dst|target|from|to|old|new|uri)s?$/i
export const MAX_MCP_FILES = 32

/**
 * What the tool of a server is done to, as far as its input says so. A tool that by its name only reads names none. Its
 * server may have a root of its own, so none of this exempts a call: see `strays`.
 */
export function mcpFileActions(tool: string, input: JsonObject): readonly Action[] {
  const verbs = wordsOfToolName(tool)
  if (namesOnlyReading(verbs) && !namesChange(verbs)) return []
  const whole = namesRemoval(verbs)
  // in JSON that is a text, and deeper than that
  const wrapped = scanToolInput(input).paths.map(one => one.path)
  return [...new Set([...pathsIn(input, 0), ...wrapped])]
    .slice(0, MAX_MCP_FILES)
    .map(path => ({ action: 'mcp', place: { lexical: localPath(path), strays: true, ...(whole && { whole }) } }))
}

/** The pages a tool of a server is asked for. */
export const mcpFetchActions = (tool: string, input: JsonObject): readonly Action[] =>
  urlsOfMcpTool(tool, input).map(url => ({ action: 'fetch', url }))

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
