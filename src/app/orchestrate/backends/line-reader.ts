import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** No protocol line is longer; the rest of a longer line is dropped. */
const MAX_LINE = 8 << 20

/** Calls `hear` for each line of the stream, also for a last line without a line end. */
export function onEachLine(stream: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8')
  let open = ''
  const take = (text: string) => {
    const parts = text.split('\n')
    const last = parts.pop() ?? ''
    for (const part of parts) {
      onLine((open + part).replace(/\r$/, ''))
      open = ''
    }
    if (open.length < MAX_LINE) open += last
  }
  stream.on('data', chunk => take(typeof chunk === 'string' ? chunk : decoder.write(chunk)))
  stream.on('end', () => {
    if (open !== '') onLine(open)
  })
  stream.on('error', () => {})
}
