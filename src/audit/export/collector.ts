type Environment = Readonly<Record<string, string | undefined>>

/** The OTLP endpoint for logs and its settings. */
export interface Collector {
  readonly url: string
  /** display name, without credentials */
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly gzip: boolean
  readonly timeoutMs: number
  readonly resource: Readonly<Record<string, string>>
}

const LOGS_PATH = '/v1/logs'
const TIMEOUT_MS = 10_000

/** Reads the settings that OpenTelemetry specifies; `OTEL_EXPORTER_OTLP_LOGS_*` wins. Returns a one-line error if invalid. */
export function parseCollector(endpoint: string | undefined, env: Environment): Collector | string {
  const forLogs = env.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT || undefined
  const base = endpoint ?? forLogs ?? (env.OTEL_EXPORTER_OTLP_ENDPOINT || undefined)
  if (base === undefined) return 'name the collector: --endpoint http://localhost:4318, or OTEL_EXPORTER_OTLP_ENDPOINT'
  const url = parseHttpUrl(base)
  if (!url) return `\`${withoutCredentials(base)}\` is not a URL: expected something like http://localhost:4318`
  if (url.pathname.includes('@'))
    return `\`${withoutCredentials(base)}\`: there is an @ after the first /; write a / in a password as %2F`
  const headers = parseHeaders(env.OTEL_EXPORTER_OTLP_LOGS_HEADERS || env.OTEL_EXPORTER_OTLP_HEADERS)
  if (typeof headers === 'string') return headers
  const protocol = env.OTEL_EXPORTER_OTLP_LOGS_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL
  if (protocol !== undefined && protocol !== '' && !protocol.startsWith('http/'))
    return `OTEL_EXPORTER_OTLP_PROTOCOL is \`${protocol}\`: only OTLP over HTTP is supported (http/json)`
  // An endpoint for logs alone is used as it is.
  if (!(endpoint === undefined && forLogs !== undefined) && !url.pathname.endsWith(LOGS_PATH))
    url.pathname = `${url.pathname.replace(/\/+$/, '')}${LOGS_PATH}`
  const login = extractBasicAuth(url)
  const compression = env.OTEL_EXPORTER_OTLP_LOGS_COMPRESSION || env.OTEL_EXPORTER_OTLP_COMPRESSION
  return {
    url: url.href,
    name: `${url.origin}${url.pathname}`,
    headers: { ...login, ...headers },
    gzip: compression !== 'none',
    timeoutMs: Number(env.OTEL_EXPORTER_OTLP_LOGS_TIMEOUT || env.OTEL_EXPORTER_OTLP_TIMEOUT) || TIMEOUT_MS,
    resource: resourceAttributesOf(env),
  }
}

/** Removes everything before the last `@`: a password can contain any character, and may be why the URL is invalid. */
const withoutCredentials = (base: string): string => base.replace(/^([a-z]+:\/\/)?.*@/is, '$1')

function parseHttpUrl(base: string): URL | undefined {
  try {
    const url = new URL(base)
    return /^https?:$/.test(url.protocol) ? url : undefined
  } catch {
    return undefined
  }
}

/** Moves the credentials into a header: `fetch` rejects URLs with a password. */
function extractBasicAuth(url: URL): Readonly<Record<string, string>> {
  if (url.username === '' && url.password === '') return {}
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = ''
  url.password = ''
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** `name=value,name=value`, percent-encoded. Errors never show values: they are secrets. */
function parseHeaders(text: string | undefined): Readonly<Record<string, string>> | string {
  const pairs = parsePairs(text)
  if (!pairs) return 'OTEL_EXPORTER_OTLP_HEADERS cannot be parsed: expected name=value,other=value'
  const bad = Object.entries(pairs).find(
    ([name, value]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value),
  )
  return bad ? `OTEL_EXPORTER_OTLP_HEADERS: \`${bad[0]}\` is not a valid header` : pairs
}

function parsePairs(text = ''): Readonly<Record<string, string>> | undefined {
  const pairs: Record<string, string> = {}
  for (const name of text.split(',').map(part => part.trim())) {
    if (name === '') continue
    const at = name.indexOf('=')
    if (at < 1) return undefined
    try {
      pairs[name.slice(0, at).trim().toLowerCase()] = decodeURIComponent(name.slice(at + 1).trim())
    } catch {
      return undefined
    }
  }
  return pairs
}

const resourceAttributesOf = (env: Environment): Readonly<Record<string, string>> => ({
  ...parsePairs(env.OTEL_RESOURCE_ATTRIBUTES),
  'service.name': env.OTEL_SERVICE_NAME || parsePairs(env.OTEL_RESOURCE_ATTRIBUTES)?.['service.name'] || 'signalbox',
})
