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

/** The head, and a number that was given to two records: somebody cut the end off, and others were written in its place. */
export interface Head extends Link {
  readonly twice?: number
}

export function readHead(file: string): Head | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const seen = new Map<number, string>()
  let twice: number | undefined
  let highest = 0
  for (const line of text.split('\n')) {
    const [, number, hash = ''] = /^(\d+) ([0-9a-f]{64})$/.exec(line) ?? []
    if (number === undefined) continue
    const seq = Number(number)
    const before = seen.get(seq)
    if (before !== undefined && before !== hash) twice ??= seq
    seen.set(seq, hash)
    highest = Math.max(highest, seq)
  }
  const hash = seen.get(highest)
  return hash === undefined ? undefined : { seq: highest, hash, ...(twice !== undefined && { twice }) }
}

function tidy(file: string): void {
  const head = readHead(file)
  // what shows a cut is kept
  if (!head || head.twice !== undefined) return
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${head.seq} ${head.hash}\n`, { mode: 0o600 })
  renameSync(draft, file)
}
