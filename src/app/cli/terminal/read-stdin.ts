import type { Terminal } from '../command.ts'

/** More than any request needs; input beyond it is not read. */
const MAX_BYTES = 16 << 20

/** Reads the request from stdin, for `-` in place of the words. */
export async function readRequestFromStdin({ err }: Terminal): Promise<string> {
  if (process.stdin.isTTY === true) err('Type the request, then press Ctrl-D on an empty line.\n')
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of process.stdin) {
    chunks.push(Buffer.from(chunk))
    bytes += chunk.length
    if (bytes >= MAX_BYTES) break
  }
  return Buffer.concat(chunks).toString('utf8')
}
