import type { IncomingHttpHeaders } from 'node:http'
import { HttpError } from './http-error.ts'

/** Pages load scripts, styles and pictures only from this server, as files: nothing inline, no fonts, no `data:` addresses. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Sent with every response. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
}

export interface IncomingRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** header names and values as sent */
  readonly rawHeaders: readonly string[]
}

/**
 * Rejects other Host names, which indicate DNS rebinding: another site's name that points to this machine. Changes and streams must come
 * from our own page: browsers send the origin, and pages cannot fake it.
 */
export function checkRequestOrigin({ method, path, headers, rawHeaders }: IncomingRequest, port: number): void {
  const named = rawHeaders.filter((name, nth) => nth % 2 === 0 && name.toLowerCase() === 'host')
  // with two Host headers, a proxy may have checked the other one
  if (named.length > 1) throw new HttpError(400, 'the request has more than one Host header')
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map(name => `${name}:${port}`)
  if (!hosts.includes((headers.host ?? '').toLowerCase()))
    throw new HttpError(403, 'the Host header does not name this machine')
  if (!path.startsWith('/api/')) return
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const isOwn = origin !== undefined && hosts.includes(origin.replace(/^http:\/\//, '').toLowerCase())
  if (origin !== undefined && !(isOwn && origin.startsWith('http://')))
    throw new HttpError(403, 'requests from other origins are not allowed')
  if (site !== undefined && site !== 'same-origin')
    throw new HttpError(403, 'requests from other origins are not allowed')
  if (method !== 'GET' && origin === undefined) throw new HttpError(403, 'the `Origin` header is missing')
}
