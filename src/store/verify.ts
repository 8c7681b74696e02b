import { isObject } from '../pattern/index.ts'
import { anchorOf, linkHash } from './audit.ts'
import type { Driver, Row } from './driver.ts'
import { GENESIS, type Head, type Link } from './head.ts'
import { type Misfit, placed } from './misfit.ts'
import { parse } from './sound.ts'

export interface Flaw {
  readonly seq: number
  readonly problem: string
}

export interface Verification {
  readonly ok: boolean
  readonly records: number
  /** the record beside which the chain begins, and the one it ends with */
  readonly from: number
  readonly to: number
  readonly flaws: readonly Flaw[]
}

/** A record that somebody else has seen: what was sent to them, say. */
export interface Witness extends Link {
  /** `collector.example was sent it` */
  readonly says: string
}

export interface Verifying {
  readonly witnesses?: readonly Witness[]
  /** how many of how many are done */
  readonly progress?: (done: number, all: number) => void
}

const PAGE = 500
const MOST = 100
/** Who is killed between its commit and the line in `audit-head` leaves that one behind, until the next is written. */
const LATE = 64

/** Walks the chain from its anchor to the head that is kept outside. A flaw is told at the record where it shows. */
export function verify(driver: Driver, outside: Head | undefined, how: Verifying = {}): Verification {
  // retention may take the beginning away meanwhile. A rollback journal would make the hooks wait for us: there we look again
  const isWal = driver.prepare('PRAGMA journal_mode').get()?.journal_mode === 'wal'
  if (!isWal) {
    const found = walk(driver, outside, how)
    return found.ok || anchorOf(driver).seq === found.from ? found : walk(driver, outside, how)
  }
  driver.exec('BEGIN')
  try {
    return walk(driver, outside, how)
  } finally {
    driver.exec('COMMIT')
  }
}

function walk(driver: Driver, outside: Head | undefined, { witnesses = [], progress }: Verifying): Verification {
  const anchor = anchorOf(driver)
  const last = Number(driver.prepare('SELECT max(seq) AS last FROM records').get()?.last ?? 0)
  const flaws: Flaw[] = strayIn(driver)
  flaws.push(...evidenceOf(outside))
  const misfits: Misfit[] = []
  let before = anchor
  let records = 0
  let promised = GENESIS
  let headHash: string | undefined = outside?.seq === anchor.seq ? anchor.hash : undefined
  const page = driver.prepare('SELECT seq, json, hash FROM records WHERE seq > ? ORDER BY seq LIMIT ?')
  for (let rows = page.all(0, PAGE); rows.length > 0; rows = page.all(before.seq, PAGE)) {
    for (const row of rows) {
      const found = flawOf(row, before)
      if (found === 'misfit') {
        if (misfits.length < MOST) misfits.push({ ...linkOf(row), json: String(row.json), before })
      } else if (found && flaws.length < MOST) flaws.push(found)
      const isFine = found === undefined
      before = linkOf(row)
      promised = anchorIn(row) ?? promised
      if (before.seq === outside?.seq) headHash = before.hash
      else if (isFine && outside) flaws.push(...replaced(before, outside))
      if (isFine) flaws.push(...contradicted(before, witnesses))
      records++
    }
    progress?.(records, last - anchor.seq)
  }
  flaws.push(...placed(misfits))
  flaws.sort((a, b) => a.seq - b.seq)
  if (promised.seq !== anchor.seq || promised.hash !== anchor.hash)
    flaws.push({ seq: anchor.seq, problem: `records up to ${anchor.seq} are missing, and no record says why` })
  if (outside && outside.seq > before.seq)
    flaws.push({ seq: before.seq + 1, problem: `${rangeOf(before.seq + 1, outside.seq)} cut off` })
  else if (outside && headHash !== outside.hash)
    flaws.push({ seq: outside.seq, problem: `record ${outside.seq} is not the one that was written` })
  else if (!outside && records > 0)
    flaws.push({ seq: before.seq, problem: 'the head kept outside of the database is missing' })
  else if (outside && before.seq > outside.seq + LATE)
    flaws.push({
      seq: outside.seq,
      problem: `the head kept outside ends at record ${outside.seq}: nothing vouches for those after it`,
    })
  const ahead = witnesses.filter(one => one.seq > Math.max(before.seq, outside?.seq ?? 0))
  flaws.push(...ahead.map(({ seq, says }) => ({ seq, problem: `record ${seq} was cut off: ${says}` })))
  return { ok: flaws.length === 0, records, from: anchor.seq, to: before.seq, flaws }
}

const linkOf = ({ seq, hash }: Row): Link => ({ seq: Number(seq), hash: String(hash) })

const rangeOf = (from: number, to: number): string =>
  from === to ? `record ${from} was` : `records ${from} to ${to} were`

function strayIn(driver: Driver): Flaw[] {
  const stray = driver.prepare('SELECT seq FROM records WHERE seq <= 0 LIMIT 1').get()
  return stray
    ? [{ seq: Number(stray.seq), problem: `record ${stray.seq} stands before the beginning of the chain` }]
    : []
}

/** What the head has seen of cuts that were written over. */
const evidenceOf = (outside: Head | undefined): readonly Flaw[] => [
  ...(outside?.twice === undefined
    ? []
    : [{ seq: outside.twice, problem: `record ${outside.twice} was written twice: an earlier one was cut off` }]),
  ...(outside?.lost === undefined
    ? []
    : [{ seq: outside.lost, problem: `the head kept outside was taken away before record ${outside.lost}` }]),
]

/** Whoever changes a record and counts every hash after it anew leaves a chain that is whole, and is not the one that was written. */
function replaced({ seq, hash }: Link, { seen, twice }: Head): readonly Flaw[] {
  const written = seen.get(seq)
  if (written === undefined || written === hash || (twice !== undefined && seq >= twice)) return []
  return [{ seq, problem: `record ${seq} is not the one that was written` }]
}

const contradicted = ({ seq, hash }: Link, witnesses: readonly Witness[]): readonly Flaw[] =>
  witnesses
    .filter(one => one.seq === seq && one.hash !== hash)
    .map(({ says }) => ({ seq, problem: `record ${seq} is not the one that was written: ${says}, and it was another` }))

/** Where the row itself is not what follows, it is looked at with the others that are not. */
function flawOf(row: Row, before: Link): Flaw | 'misfit' | undefined {
  const seq = Number(row.seq)
  if (seq <= before.seq) return { seq, problem: `record ${seq} stands before the beginning of the chain` }
  if (seq !== before.seq + 1) {
    const missing = seq - before.seq === 2 ? `record ${seq - 1} is` : `records ${before.seq + 1} to ${seq - 1} are`
    return { seq: before.seq + 1, problem: `${missing} missing` }
  }
  const isWritten = typeof row.json === 'string' && linkHash(before.hash, seq, row.json) === row.hash
  return isWritten ? undefined : 'misfit'
}

/** Where a record of the store's own says that the chain begins. */
function anchorIn({ json }: Row): Link | undefined {
  const record = String(json).includes('"anchor"') ? parse(json) : undefined
  if (!isObject(record) || record.client !== 'signalbox' || !isObject(record.anchor)) return undefined
  return { seq: Number(record.anchor.seq), hash: String(record.anchor.hash) }
}
