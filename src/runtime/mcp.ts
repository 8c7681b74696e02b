import type { Act } from '../core/index.ts'
import {
  changes,
  fetches,
  type Json,
  type JsonObject,
  localPath,
  onlyReads,
  searchInput,
  takesAway,
  toolWords,
  wordsOf,
  writes,
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

const NAMES_URLS = /^(url|urls|uri|uris|start_?urls?|target_?url|page_?url|link|links)$/i
const MOST_URLS = 32

/**
 * The pages a tool of a server is asked for. A tool that only mentions a URL (`create_link`, `add_webhook`) fetches none, and what a
 * server is called after it asks for as itself: `mcp__notion__fetch` of a page on notion.so is no fetch of a web page.
 */
export function urlsOfMcp(tool: string, input: JsonObject): readonly Act[] {
  const end = tool.lastIndexOf('__')
  const verbs = toolWords(tool)
  if (!fetches(verbs) || writes(verbs.filter(verb => verb !== 'download'))) return []
  const own = wordsOf(tool.slice(0, Math.max(end, 0))).filter(word => word.length > 3)
  const isOwn = (url: string): boolean => own.some(word => hostOf(url).includes(word))
  return Object.entries(input)
    .flatMap(([field, value]) => (NAMES_URLS.test(field) ? listed(value) : []))
    .filter((url): url is string => typeof url === 'string' && isOfWeb(url) && !isOwn(url))
    .slice(0, MOST_URLS)
    .map(url => ({ action: 'fetch', url }))
}

const hostOf = (url: string): string => (/^\s*(?:https?:)?[/\\]*([^/\\?#]*)/i.exec(url)?.[1] ?? '').toLowerCase()

/** With no scheme it is the web's; `file:` and `data:` are no pages. */
const isOfWeb = (url: string): boolean => /^\s*(https?:|(?![a-z][a-z\d+.-]*:)\S)/i.test(url)

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
