import type { Json, JsonObject } from '../../lib/json.ts'
import { type FieldMeaning, namesFetch, namesWriting, splitIdentifier, wordsOfToolName } from './field-meaning.ts'

const NAMES_URLS = /^(url|urls|uri|uris|start_?urls?|target_?url|page_?url|link|links)$/i
const MOST_URLS = 32

/**
 * The pages that an MCP tool fetches. A tool that only mentions a URL (`create_link`, `add_webhook`) fetches none. A page on the
 * server's own site does not count as a web page: `mcp__notion__fetch` reads notion.so with its own login.
 */
export function urlsOfMcpTool(tool: string, input: JsonObject): readonly string[] {
  const end = tool.lastIndexOf('__')
  const verbs = wordsOfToolName(tool)
  if (!namesFetch(verbs) || namesWriting(verbs.filter(verb => verb !== 'download'))) return []
  const own = splitIdentifier(tool.slice(0, Math.max(end, 0))).filter(word => word.length > 3)
  const isOwn = (url: string): boolean => own.some(word => hostOf(url).includes(word))
  const found: FoundUrls = { urls: [], pages: [] }
  for (const [field, value] of Object.entries(input))
    for (const text of listed(value))
      if (typeof text === 'string' && NAMES_URLS.test(field)) {
        if (/https?:/i.test(text)) collectUrls(found, text, 'url')
        else found.urls.push(text)
      }
  if (found.urls.length === 0) collectAddresses(found, input)
  const urls = found.urls.length > 0 || !mayFetchPages(verbs) ? found.urls : found.pages
  return urls.filter(url => isOfWeb(url) && !isOwn(url)).slice(0, MOST_URLS)
}

const hostOf = (url: string): string => (/^\s*(?:https?:)?[/\\]*([^/\\?#]*)/i.exec(url)?.[1] ?? '').toLowerCase()

/** Without a scheme it is a web address; `file:` and `data:` are not pages. */
const isOfWeb = (url: string): boolean => /^\s*(https?:|(?![a-z][a-z\d+.-]*:)\S)/i.test(url)

const listed = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value])

/** Is the whole text a page? Without a scheme only where the field's name says so. */
const isUrl = (text: string, field: FieldMeaning): boolean =>
  /^[\s<]*https?:/i.test(text)
    ? !NO_PAGE.has(field) && !/\s|[,;]https?:/.test(text.trim())
    : field === 'url' && /^(\/\/|[\w-]+(\.[\w-]+)+([/:?#]|$))/.test(text.trim())

const NO_PAGE: ReadonlySet<FieldMeaning> = new Set<FieldMeaning>(['prose', 'content', 'text', 'command'])
const LONGEST = 100_000
/** Removing what is around a URL takes time in the square of its length. */
const LONGEST_URL = 4096

/** `urls`: surely pages; `pages`: pages only if the tool fetches some. */
interface FoundUrls {
  readonly urls: string[]
  readonly pages: string[]
}

/** The pages in a text: it is one, it lists several, or it mentions them in a sentence. */
export function collectUrls(found: FoundUrls, given: string, field: FieldMeaning): void {
  if (field === 'content' || field === 'command') return
  const text = withoutViewer(given)
  if (isUrl(text, field)) {
    found.urls.push(text.replace(/^[\s<]+|>\s*$/g, ''))
    return
  }
  const parts = text
    .slice(0, LONGEST)
    .split(/[\s<>"'`|]+|[,;](?=https?:)/)
    .map(part => (part.length > LONGEST_URL ? part : part.replace(/^[([]+|[.,;:!?)\]]+$/g, '')))
    .filter(part => part !== '')
  const named = parts.map(withoutViewer).filter(part => /^https?:/i.test(part))
  const isList = field === 'url' || (named.length === parts.length && !NO_PAGE.has(field))
  const more = named.slice(0, MOST_URLS)
  if (isList) found.urls.push(...more)
  else found.pages.push(...more)
}

/** `view-source:https://…` shows the same page. */
const withoutViewer = (url: string): string => url.replace(/^[\s<]*(?:view-source:|feed:)+(?=\s*https?:)/i, '')

const ADDRESS = /^(address|site|page|domain|host|host_?name|server|location|origin|base_?url|authority)$/i
const HOST = /^(https?:\/\/)?(([\w-]+\.)+[a-z]{2,}|localhost|[\d.]{7,15})(:\d+)?([/?#]|$)/i
const ROUTE = /^(path|path_?name|route|resource|page)$/i

/** `{ address: 'a.io/x' }`, `{ host: 'a.io', path: '/x' }` */
export function collectAddresses(found: FoundUrls, record: JsonObject): void {
  const fields = Object.entries(record).filter((field): field is [string, string] => typeof field[1] === 'string')
  for (const [name, host] of fields) {
    if (!ADDRESS.test(name) || !HOST.test(host.trim())) continue
    const [, route] = fields.find(([key, text]) => key !== name && ROUTE.test(key) && text !== '') ?? []
    const url = route === undefined ? host.trim() : `${host.trim().replace(/\/+$/, '')}/${route.replace(/^\/+/, '')}`
    if (/^https?:/i.test(url)) found.urls.push(url)
    else found.pages.push(url)
  }
}

/** A tool that shows or fetches whatever page its input mentions; a search looks for the words. */
export const mayFetchPages = (words: readonly string[]): boolean =>
  (namesFetch(words) || words.some(word => /^(open|load|request)$/.test(word))) &&
  !words.some(word => /^(search|query|find)$/.test(word))
