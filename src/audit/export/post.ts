import { gzipSync } from 'node:zlib'
import { isObject } from '../../lib/json.ts'
import type { Collector } from './collector.ts'

/** Result of one request. */
export type PostResult =
  /** `rejected`: number of records that the collector will never accept; it accepted the others */
  | { readonly kind: 'taken'; readonly rejected: number; readonly why: string }
  /** temporary failure: try again */
  | { readonly kind: 'later'; readonly why: string; readonly afterMs?: number }
  | { readonly kind: 'too large' }
  | { readonly kind: 'not packed' }
  /** permanent failure: the same request would fail again */
  | { readonly kind: 'refused'; readonly why: string }

const MIN_COMPRESSED = 1024
/** The retryable statuses of the specification, and those of a proxy whose collector is down. */
const RETRY_STATUSES = [408, 429, 500, 502, 503, 504]
const MAX_RESPONSE = 64_000

export async function postLogs(
  { url, headers, timeoutMs }: Collector,
  body: string,
  { gzip, signal }: { readonly gzip: boolean; readonly signal: AbortSignal },
): Promise<PostResult> {
  const isPacked = gzip && body.length > MIN_COMPRESSED
  const late = new AbortController()
  const end = (): void => late.abort()
  const timer = setTimeout(end, timeoutMs)
  signal.addEventListener('abort', end)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', ...(isPacked && { 'content-encoding': 'gzip' }) },
      body: isPacked ? gzipSync(body) : body,
      // Do not send headers and records to another host.
      redirect: 'manual',
      signal: late.signal,
    })
    return classifyResponse(response, await readResponse(response), isPacked)
  } catch (error) {
    return {
      kind: 'later',
      why: late.signal.aborted ? `no answer within ${timeoutMs / 1000} s` : fetchErrorReason(error),
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

function classifyResponse({ status, headers }: Response, body: string, isPacked: boolean): PostResult {
  if (status >= 200 && status < 300 && !isHtmlPage(body)) return { kind: 'taken', ...parsePartialSuccess(body) }
  if (status >= 200 && status < 300)
    return { kind: 'later', why: 'it answered with a web page: this is not a collector' }
  if (RETRY_STATUSES.includes(status)) {
    const afterMs = parseRetryAfter(headers.get('retry-after'))
    return { kind: 'later', why: `it answered ${status}`, ...(afterMs !== undefined && { afterMs }) }
  }
  if (status === 413) return { kind: 'too large' }
  if (status === 415 && isPacked) return { kind: 'not packed' }
  const line = body
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, 200)
  return { kind: 'refused', why: `it answered ${status}${line ? `: ${line}` : ''}` }
}

/** A login page of a proxy in front of the collector. */
const isHtmlPage = (body: string): boolean => body.trimStart().startsWith('<')

/** `{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"…"}}`: the 64-bit number is a string. */
function parsePartialSuccess(body: string): { readonly rejected: number; readonly why: string } {
  const none = { rejected: 0, why: '' }
  try {
    const answer: unknown = JSON.parse(body)
    const part = isObject(answer) ? (answer.partialSuccess ?? answer.partial_success) : undefined
    if (!isObject(part)) return none
    const rejected = Number(part.rejectedLogRecords ?? part.rejected_log_records ?? 0)
    const why = String(part.errorMessage ?? part.error_message ?? '')
    return { rejected: rejected > 0 ? rejected : 0, why: why.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 200) }
  } catch {
    // An empty body or no JSON: everything was accepted.
    return none
  }
}

/** Parses seconds or an HTTP date. */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}

/** Reads at most `MAX_RESPONSE`. A broken-off success throws, because the missing part may have listed rejected records. */
async function readResponse(response: Response): Promise<string> {
  let body = ''
  const decoder = new TextDecoder()
  try {
    for await (const chunk of response.body ?? []) {
      body += decoder.decode(chunk, { stream: true })
      if (body.length > MAX_RESPONSE) break
    }
  } catch (error) {
    if (response.ok) throw error
  }
  return body
}

function fetchErrorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return code || (cause instanceof Error ? cause.message : error.message)
}
