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
import { toPosixPath } from '../../lib/posix-path.ts'

/** Fields that name files: `path`, `file_path`, `relativePath`, `source`, `destination`, `new_dir`, `uri` … */
const NAMES_FILES =
  /path|file|folder|^dir|dir$|directory|^(source|src|destination|dest|dst|target|from|to|old|new|uri)s?$/i
export const MAX_MCP_FILES = 32

/**
 * The files that an MCP tool works on, as far as its input names them. Empty for a tool that only reads, by its name. The server may have
 * its own root folder, so these paths never exempt a call: see `strays`.
 */
export function mcpFileActions(tool: string, input: JsonObject): readonly Action[] {
  const verbs = wordsOfToolName(tool)
  if (namesOnlyReading(verbs) && !namesChange(verbs)) return []
  const whole = namesRemoval(verbs)
  // also finds paths in JSON inside strings, and at greater depth
  const wrapped = scanToolInput(input).paths.map(path => path.path)
  return [...new Set([...pathsIn(input, 0), ...wrapped])]
    .slice(0, MAX_MCP_FILES)
    .map(path => ({ action: 'mcp', place: { lexical: toPosixPath(path), strays: true, ...(whole && { whole }) } }))
}

/** The URLs that an MCP tool fetches. */
export const mcpFetchActions = (tool: string, input: JsonObject): readonly Action[] =>
  urlsOfMcpTool(tool, input).map(url => ({ action: 'fetch', url }))

/** Searches the input, its lists, and nested objects: `{ files: [{ path, content }] }`. */
function* pathsIn(input: JsonObject, depth: number): Generator<string> {
  for (const [field, value] of Object.entries(input)) {
    for (const item of listed(value)) {
      if (typeof item === 'string' && item !== '' && NAMES_FILES.test(field)) yield item
      else if (typeof item === 'object' && item !== null && !Array.isArray(item) && depth < 2)
        yield* pathsIn(item as JsonObject, depth + 1)
    }
  }
}

const listed = (value: Json | undefined): readonly (Json | undefined)[] => (Array.isArray(value) ? value : [value])
