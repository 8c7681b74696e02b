import type { Act } from '../core/index.ts'
import type { Json, JsonObject } from '../pattern/index.ts'

/** Fields that name files: `path`, `file_path`, `relativePath`, `source`, `destination`, `new_dir`, `uri` … */
const NAMES_FILES =
  /path|file|folder|^dir|dir$|directory|^(source|src|destination|dest|dst|target|from|to|old|new|uri)s?$/i
const READS =
  /^(read|get|list|ls|search|find|grep|glob|stat|info|view|show|cat|head|tail|tree|describe|query|fetch|diff|count|exists|check|status|log|blame|overview)$/
const WRITES =
  /^(write|edit|create|make|put|set|save|append|insert|replace|update|patch|apply|move|mv|rename|copy|cp|delete|remove|rm|unlink|trash|link|symlink|upload|download|extract|unzip|chmod|touch|truncate|add)$/
const TAKES_AWAY = /^(move|mv|rename|delete|remove|rm|rmdir|unlink|trash|extract|unzip|chmod|link|symlink)$/
const MOST_FILES = 32

/**
 * What the tool of a server is done to, as far as its input says so. A tool that by its name only reads names none. Its
 * server may have a root of its own, so none of this exempts a call: see `strays`.
 */
export function filesOfMcp(tool: string, input: JsonObject): readonly Act[] {
  const verbs = wordsOf(tool.slice(tool.lastIndexOf('__') + 2))
  if (verbs.some(verb => READS.test(verb)) && !verbs.some(verb => WRITES.test(verb))) return []
  const whole = verbs.some(verb => TAKES_AWAY.test(verb))
  return [...pathsIn(input, 0)]
    .slice(0, MOST_FILES)
    .map(path => ({ action: 'mcp', place: { lexical: plain(path), strays: true, ...(whole && { whole }) } }))
}

/** Tools that bring a page, by a word of their name: `fetch`, `fetch_html`, `firecrawl_scrape`, `browser_navigate`, `read_url` … */
const FETCHES =
  /^(fetch|scrape|crawl|navigate|goto|browse|visit|url|urls|web|webpage|website|http|https|curl|wget|download|screenshot)$/
const NAMES_URLS = /^(url|urls|uri|uris|start_?urls?|target_?url|page_?url|link|links)$/i
const MOST_URLS = 32

/**
 * The pages a tool of a server is asked for. A tool that only mentions a URL (`create_link`, `add_webhook`) fetches none, and what a
 * server is called after it asks for as itself: `mcp__notion__fetch` of a page on notion.so is no fetch of a web page.
 */
export function urlsOfMcp(tool: string, input: JsonObject): readonly Act[] {
  const end = tool.lastIndexOf('__')
  const verbs = wordsOf(tool.slice(end + 2))
  if (!verbs.some(verb => FETCHES.test(verb)) || verbs.some(verb => WRITES.test(verb) && verb !== 'download')) return []
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

/** `readTextFile`, `read_text_file`, `read-text-file`. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)

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

/** `file:///a%20b`, `C:\a`: as a path with slashes. */
function plain(path: string): string {
  const local = /^file:\/\/(localhost)?(?=\/)/.exec(path)?.[0]
  if (local === undefined) return path.replaceAll('\\', '/')
  try {
    return decodeURIComponent(path.slice(local.length))
  } catch {
    return path.slice(local.length)
  }
}
