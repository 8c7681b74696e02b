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
  return Object.entries(input)
    .flatMap(([field, value]) => (NAMES_URLS.test(field) ? listed(value) : []))
    .filter((url): url is string => typeof url === 'string' && isOfWeb(url) && !isOwn(url))
    .slice(0, MOST_URLS)
}

const hostOf = (url: string): string => (/^\s*(?:https?:)?[/\\]*([^/\\?#]*)/i.exec(url)?.[1] ?? '').toLowerCase()

/** Without a scheme it is a web address; `file:` and `data:` are not pages. */
const isOfWeb = (url: string): boolean => /^\s*(https?:|(?![a-z][a-z\d+.-]*:)\S)/i.test(url)

const listed = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value])

/** Is the whole text a page? Without a scheme only where the field's name says so. */
export const isUrl = (text: string, field: FieldMeaning): boolean =>
  /^[\s<]*https?:/i.test(text)
    ? field !== 'prose' && field !== 'content' && field !== 'text' && field !== 'command' && !/\s/.test(text.trim())
    : field === 'url' && /^(\/\/|[\w-]+(\.[\w-]+)+([/:?#]|$))/.test(text.trim())
