import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** The end of the chain: the number and the hash of a record. */
export interface Link {
  readonly seq: number
  readonly hash: string
}

export const GENESIS: Link = { seq: 0, hash: '0'.repeat(64) }

const TIDY_EVERY = 256

/**
 * The chain's head, kept outside of the database: without it a cut-off tail would not show. One appended line a commit
 * (whole, whoever else writes, and a late writer cannot set it back); the highest number counts.
 */
export function writeHead(file: string, { seq, hash }: Link): void {
  appendFileSync(file, `${seq} ${hash}\n`, { mode: 0o600 })
  if (seq % TIDY_EVERY === 0) tidy(file)
}

export function readHead(file: string): Link | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  return text.split('\n').reduce<Link | undefined>((highest, line) => {
    const [, seq, hash = ''] = /^(\d+) ([0-9a-f]{64})$/.exec(line) ?? []
    return seq !== undefined && Number(seq) > (highest?.seq ?? 0) ? { seq: Number(seq), hash } : highest
  }, undefined)
}

function tidy(file: string): void {
  const head = readHead(file)
  if (!head) return
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${head.seq} ${head.hash}\n`, { mode: 0o600 })
  renameSync(draft, file)
}
