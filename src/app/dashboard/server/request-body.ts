import type { IncomingMessage } from 'node:http'
import { HttpError } from './http-error.ts'

const MAX_BYTES = 1 << 20

/** Reads the JSON body. The server's request timeout limits the time. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new HttpError(415, 'the request is not `application/json`')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BYTES) throw new HttpError(413, `the request is larger than ${MAX_BYTES >> 20} MB`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw new HttpError(400, 'the request is not JSON')
  }
}
