import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { messageOf } from '../../../lib/errors.ts'
import type { ApiProblem, LoginReply } from '../api.ts'
import { parseDecisionFilter } from '../pages/decisions.ts'
import { type ApiParts, addApiRoutes } from './api-routes.ts'
import type { DecisionStreams } from './decision-stream.ts'
import { HttpError, notFoundError } from './http-error.ts'
import type { LoginKeys } from './login-keys.ts'
import { readJsonBody } from './request-body.ts'
import { type DashboardApp, type DashboardContext, JSON_HEADERS, queryOf, sendJson } from './request-context.ts'
import { checkRequestOrigin, SECURITY_HEADERS } from './request-guard.ts'
import type { StaticFiles } from './static-files.ts'

export interface AppParts extends ApiParts {
  readonly streams: DecisionStreams
  readonly files: StaticFiles
  readonly keys: LoginKeys
  readonly port: () => number
  /** called for each request that may be answered */
  readonly used: () => void
}

const MAX_PATH = 4096

/** What the server answers. The checks come before everything else: Host and Origin for all, cookie and key for the API. */
export function createDashboardApp(parts: AppParts): DashboardApp {
  const app: DashboardApp = new Hono()
  app.onError(error => errorResponse(error))
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.header(name, value)
    guard(context, parts.port())
    parts.used()
    await next()
  })
  app.post('/api/login', async context => login(context, parts))
  app.use('/api/*', async (context, next) => {
    checkLogin(context, parts)
    if (!['GET', 'POST'].includes(context.req.method)) throw new HttpError(405, 'only GET and POST are allowed')
    await next()
  })
  app.get('/api/stream', context => openStream(context, parts))
  app.use('/api/*', async (context, next) => {
    await next()
    context.header('X-Signalbox-Log', parts.archive.mark)
  })
  addApiRoutes(app, parts)
  app.all('/api/*', () => {
    throw notFoundError('no such API route')
  })
  app.all('*', context => page(context, parts))
  return app
}

/** The answer to a request that failed, also to one that is no HTTP request of ours. */
export function errorResponse(error: unknown): Response {
  const { status, help } = error instanceof HttpError ? error : { status: 500, help: undefined }
  const problem: ApiProblem = { error: messageOf(error), ...(help !== undefined && { help }) }
  const more = status === 413 ? { Connection: 'close' } : {}
  return new Response(JSON.stringify(problem), { status, headers: { ...SECURITY_HEADERS, ...JSON_HEADERS, ...more } })
}

function guard({ env: { incoming }, req }: DashboardContext, port: number): void {
  const { method = '', url = '', headers, rawHeaders } = incoming
  if (url.length > MAX_PATH) throw new HttpError(414, 'the URL is too long')
  const { pathname: path } = new URL(req.url)
  try {
    decodeURIComponent(path)
  } catch {
    throw new HttpError(400, 'malformed URL')
  }
  checkRequestOrigin({ method, path, headers, rawHeaders }, port)
}

/** Cookies are shared by all ports, so the name contains the port: two dashboards must not overwrite each other's cookie. */
const cookieName = (port: number): string => `signalbox-${port}`

async function login(context: DashboardContext, { keys, port }: AppParts): Promise<Response> {
  const body = await readJsonBody(context.env.incoming)
  const token = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined
  const made = typeof token === 'string' ? keys.login(token) : undefined
  if (!made) throw new HttpError(401, 'the login token is wrong or already used', 'run `signalbox ui` again')
  context.header('Set-Cookie', `${cookieName(port())}=${made.cookie}; HttpOnly; SameSite=Strict; Path=/api/`)
  return sendJson(context, { key: made.key } satisfies LoginReply)
}

function checkLogin(context: DashboardContext, { keys, port }: AppParts): void {
  const { headers } = context.env.incoming
  const [, cookie = ''] = new RegExp(`(?:^|;\\s*)${cookieName(port())}=([\\w-]+)`).exec(headers.cookie ?? '') ?? []
  const key = headers['x-signalbox-key'] ?? queryOf(context).text('key') ?? ''
  if (!keys.isKnown(cookie, String(key)))
    throw new HttpError(401, 'not logged in', 'run `signalbox ui` in a terminal and open the URL it prints')
}

/** The stream writes to the socket itself: it must see how much the page has not read yet. */
function openStream(context: DashboardContext, { streams }: AppParts): Response {
  const query = queryOf(context)
  const { incoming, outgoing } = context.env
  const filter = parseDecisionFilter(query, Date.now())
  const id = String(incoming.headers['last-event-id'] ?? query.text('after') ?? '')
  const after = /^\d{1,15}$/.test(id) ? Number(id) : undefined
  streams.check()
  const headers = { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' }
  outgoing.writeHead(200, { ...SECURITY_HEADERS, ...headers })
  streams.add(outgoing, filter, after)
  return RESPONSE_ALREADY_SENT
}

function page(context: DashboardContext, { files }: AppParts): Response {
  const { method } = context.req
  if (method !== 'GET' && method !== 'HEAD') throw new HttpError(405, 'only GET is allowed')
  const asset = files.find(new URL(context.req.url).pathname)
  if (!asset) throw new HttpError(404, 'no such file')
  const isZipped = asset.zipped !== undefined && /\bgzip\b/.test(context.req.header('accept-encoding') ?? '')
  const bytes = isZipped && asset.zipped ? asset.zipped : asset.bytes
  return context.body(new Uint8Array(bytes), 200, {
    'Content-Type': asset.type,
    'Content-Length': String(bytes.length),
    'Cache-Control': asset.lasts ? 'private, max-age=31536000, immutable' : 'no-cache',
    ...(isZipped && { 'Content-Encoding': 'gzip' }),
    Vary: 'Accept-Encoding',
  })
}
