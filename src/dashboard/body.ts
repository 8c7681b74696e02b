import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

const MOST_BYTES = 1 << 20

/** The JSON that was sent. How long it may take is the server's own limit. */
export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    throw new Refusal(415, 'the request is not `application/json`')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MOST_BYTES) throw new Refusal(413, `the request is larger than ${MOST_BYTES >> 20} MB`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    throw new Refusal(400, 'the request is no JSON')
  }
}
