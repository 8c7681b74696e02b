import { isObject } from '../pattern/index.ts'
import { anchorOf, linkHash } from './audit.ts'
import { BEGAN_AGAIN, isNewBeginning } from './beginnings.ts'
import type { Driver, Row } from './driver.ts'
import { GENESIS, type Head, knows, type Link } from './head-lines.ts'
import { type Misfit, placed } from './misfit.ts'
import { Outside, rangeOf, type Witness } from './outside.ts'
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
  /** the last record up to which all is as it was written, where it is not so to the end */
  readonly fine?: number
}

export interface Verifying {
  readonly witnesses?: readonly Witness[]
  /** how many of how many are done */
  readonly progress?: (done: number, all: number) => void
}

const PAGE = 500
/** A text may go on behind a NUL, where a driver ends it: so its size is asked for as well. */
const PAGE_OF = `SELECT seq, json, hash, length(CAST(json AS BLOB)) AS bytes
  FROM records WHERE seq > ? ORDER BY seq LIMIT ?`
const MOST = 100

/** What the head kept outside tells just now. */
type Asked = () => Head | undefined

/** Walks the chain from its anchor to the head that is kept outside. A flaw is told at the record where it shows. */
export function verify(driver: Driver, head: Asked, how: Verifying = {}): Verification {
  // retention may take the beginning away meanwhile. A rollback journal would make the hooks wait for us: there we look again
  const isWal = driver.prepare('PRAGMA journal_mode').get()?.journal_mode === 'wal'
  const outside = head()
  if (!isWal) {
    const found = walk(driver, outside, head, how)
    return found.ok || anchorOf(driver).seq === found.from ? found : walk(driver, head(), head, how)
  }
  driver.exec('BEGIN')
  try {
    lastOf(driver)
    // what is in the database from here on was announced before
    const after = head()
    return walk(driver, outside, () => after, how)
  } finally {
    driver.exec('COMMIT')
  }
}

/** `outside`: as it was before anything was read; `head`: as it is after. Others go on writing. */
function walk(driver: Driver, outside: Head | undefined, head: Asked, how: Verifying): Verification {
  const { witnesses = [], progress } = how
  const anchor = anchorOf(driver)
  const last = lastOf(driver)
  const known = new Outside(outside, witnesses, anchor)
  const flaws: Flaw[] = [...strayIn(driver), ...known.evidence()]
  const misfits: Misfit[] = []
  const promises: Promised[] = []
  let before = anchor
  let records = 0
  const page = driver.prepare(PAGE_OF)
  for (let rows = page.all(0, PAGE); rows.length > 0; rows = page.all(before.seq, PAGE)) {
    for (const row of rows) {
      const { problem, misfit } = lookAt(row, before, known)
      if (problem && flaws.length < MOST) flaws.push(problem)
      if (misfit && misfits.length < MOST) misfits.push(misfit)
      before = linkOf(row)
      if (!problem && !misfit) flaws.push(...known.see(before))
      if (before.seq === 1 && isNewBeginning(parse(row.json))) flaws.push({ seq: 1, problem: BEGAN_AGAIN })
      const promised = anchorIn(row)
      if (promised) promises.push({ ...promised, by: before.seq })
      records++
    }
    progress?.(records, last - anchor.seq)
  }
  flaws.push(...placed(misfits))
  flaws.sort((a, b) => a.seq - b.seq)
  const vouched = vouchedTo(before, outside, head(), known)
  flaws.push(...beginningOf(anchor, promises.filter(one => one.by <= vouched && !known.isStrange(one.by)).at(-1)))
  flaws.push(...endOf(before, outside, vouched, records))
  const ahead = witnesses.filter(one => one.seq > Math.max(before.seq, outside?.seq ?? 0))
  flaws.push(...ahead.map(({ seq, says }) => ({ seq, problem: `record ${seq} was cut off: ${says}` })))
  const fine = flaws.length > 0 ? known.fineBefore(Math.min(...flaws.map(one => one.seq))) : undefined
  return { ok: flaws.length === 0, records, from: anchor.seq, to: before.seq, flaws, ...(fine && { fine }) }
}

const lastOf = (driver: Driver): number =>
  Number(driver.prepare('SELECT max(seq) AS last FROM records').get()?.last ?? 0)

const linkOf = ({ seq, hash }: Row): Link => ({ seq: Number(seq), hash: String(hash) })

function strayIn(driver: Driver): Flaw[] {
  const stray = driver.prepare('SELECT seq FROM records WHERE seq <= 0 LIMIT 1').get()
  return stray
    ? [{ seq: Number(stray.seq), problem: `record ${stray.seq} stands before the beginning of the chain` }]
    : []
}

/** The record that the end of the trail is vouched for up to. Each was announced before it was committed, so that should be the last. */
function vouchedTo(last: Link, outside: Head | undefined, after: Head | undefined, known: Outside): number {
  const isVouched = last.seq <= (outside?.seq ?? 0) || (after !== undefined && knows(after, last))
  return isVouched ? last.seq : Math.max(outside?.seq ?? 0, known.sure.at(-1) ?? 0)
}

function endOf(last: Link, outside: Head | undefined, vouched: number, records: number): readonly Flaw[] {
  if (!outside && records > 0) return [{ seq: last.seq, problem: 'the head kept outside of the database is missing' }]
  if (outside && outside.seq > last.seq)
    return [{ seq: last.seq + 1, problem: `${rangeOf(last.seq + 1, outside.seq)} cut off` }]
  return outside && vouched < last.seq
    ? [
        {
          seq: vouched + 1,
          problem: `the head kept outside ends at record ${vouched}: nothing vouches for those after it`,
        },
      ]
    : []
}

/** Where the row itself is not what follows, it is looked at with the others that are not. */
function lookAt(row: Row, before: Link, known: Outside): { readonly problem?: Flaw; readonly misfit?: Misfit } {
  const link = linkOf(row)
  const { seq } = link
  if (seq <= before.seq) return { problem: { seq, problem: `record ${seq} stands before the beginning of the chain` } }
  const isNext = seq === before.seq + 1
  // of one that is gone somebody may still know the hash
  const hash = isNext ? before.hash : known.hashAt(seq - 1)
  const isWritten = hash === undefined || (isText(row) && linkHash(hash, seq, String(row.json)) === row.hash)
  const misfit = { ...link, json: String(row.json), before: { seq: seq - 1, hash: hash ?? '' } }
  return {
    ...(!isNext && { problem: missing(before.seq + 1, seq, hash !== undefined) }),
    ...(!isWritten && { misfit }),
  }
}

const isText = ({ json, bytes }: Row): boolean => typeof json === 'string' && Buffer.byteLength(json) === Number(bytes)

function missing(from: number, next: number, isChecked: boolean): Flaw {
  const some = next - from === 1 ? `record ${from} is missing` : `records ${from} to ${next - 1} are missing`
  return {
    seq: from,
    problem: isChecked ? some : `${some}, and nobody can tell whether record ${next} is as it was written`,
  }
}

/** A record of the store's own says that the chain begins there: those before had their time, or went with their database. */
interface Promised {
  readonly by: number
  readonly anchor: Link
  readonly isLoss: boolean
}

function anchorIn({ json }: Row): Omit<Promised, 'by'> | undefined {
  const record = String(json).includes('"anchor"') ? parse(json) : undefined
  if (!isObject(record) || record.client !== 'signalbox' || !isObject(record.anchor)) return undefined
  const anchor = { seq: Number(record.anchor.seq), hash: String(record.anchor.hash) }
  return { anchor, isLoss: record.name !== 'audit.retention' }
}

function beginningOf(anchor: Link, promised: Promised | undefined): readonly Flaw[] {
  const { seq, hash } = promised?.anchor ?? GENESIS
  if (seq !== anchor.seq || hash !== anchor.hash)
    return [{ seq: anchor.seq, problem: `records up to ${anchor.seq} are missing, and no record says why` }]
  return promised?.isLoss && seq > 0
    ? [{ seq, problem: `records up to ${seq} went with an earlier database, as record ${promised.by} says` }]
    : []
}
