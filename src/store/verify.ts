import { isObject } from '../pattern/index.ts'
import { anchorOf, linkHash } from './audit.ts'
import type { Driver, Row } from './driver.ts'
import { GENESIS, type Head, type Link } from './head.ts'
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

const PAGE = 500
const MOST = 100

/** Walks the chain from its anchor to the head that is kept outside. A flaw is told at the record where it shows. */
export function verify(driver: Driver, outside: Head | undefined): Verification {
  const anchor = anchorOf(driver)
  const flaws: Flaw[] = []
  let before = anchor
  let records = 0
  let promised = GENESIS
  let headHash: string | undefined = outside?.seq === anchor.seq ? anchor.hash : undefined
  const page = driver.prepare('SELECT seq, json, hash FROM records WHERE seq > ? ORDER BY seq LIMIT ?')
  const stray = driver.prepare('SELECT seq FROM records WHERE seq <= 0 LIMIT 1').get()
  if (stray)
    flaws.push({ seq: Number(stray.seq), problem: `record ${stray.seq} stands before the beginning of the chain` })
  if (outside?.twice !== undefined)
    flaws.push({ seq: outside.twice, problem: `record ${outside.twice} was written twice: an earlier one was cut off` })
  if (outside?.lost !== undefined)
    flaws.push({ seq: outside.lost, problem: `the head kept outside was taken away before record ${outside.lost}` })
  for (let rows = page.all(0, PAGE); rows.length > 0; rows = page.all(before.seq, PAGE)) {
    for (const row of rows) {
      const found = flawsOf(row, before)
      if (flaws.length < MOST) flaws.push(...found)
      before = { seq: Number(row.seq), hash: String(row.hash) }
      promised = anchorIn(row) ?? promised
      if (before.seq === outside?.seq) headHash = before.hash
      records++
    }
  }
  if (promised.seq !== anchor.seq || promised.hash !== anchor.hash)
    flaws.push({ seq: anchor.seq, problem: `records up to ${anchor.seq} are missing, and no record says why` })
  if (outside && outside.seq > before.seq)
    flaws.push({ seq: before.seq + 1, problem: `records ${before.seq + 1} to ${outside.seq} were cut off` })
  else if (outside && headHash !== outside.hash)
    flaws.push({ seq: outside.seq, problem: `record ${outside.seq} is not the one that was written` })
  else if (!outside && records > 0)
    flaws.push({ seq: before.seq, problem: 'the head kept outside of the database is missing' })
  return { ok: flaws.length === 0, records, from: anchor.seq, to: before.seq, flaws }
}

function flawsOf(row: Row, before: Link): readonly Flaw[] {
  const seq = Number(row.seq)
  const json = String(row.json)
  if (seq <= before.seq) return [{ seq, problem: `record ${seq} stands before the beginning of the chain` }]
  if (seq !== before.seq + 1) {
    const missing = seq - before.seq === 2 ? `record ${seq - 1} is` : `records ${before.seq + 1} to ${seq - 1} are`
    return [{ seq: before.seq + 1, problem: `${missing} missing` }]
  }
  if (linkHash(before.hash, seq, json) !== row.hash)
    return [{ seq, problem: `record ${seq} was changed, or does not follow record ${before.seq}` }]
  return []
}

/** Where a record of the store's own says that the chain begins. */
function anchorIn({ json }: Row): Link | undefined {
  const record = String(json).includes('"anchor"') ? parse(json) : undefined
  if (!isObject(record) || record.client !== 'signalbox' || !isObject(record.anchor)) return undefined
  return { seq: Number(record.anchor.seq), hash: String(record.anchor.hash) }
}
