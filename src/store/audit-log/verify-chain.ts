import { isObject } from '../../lib/json.ts'
import type { SqlDriver, SqlRow } from '../sqlite/driver.ts'
import { parseJsonOrUndefined } from '../sqlite/driver.ts'
import type { ChainLink, ChainProblem, ChainVerification } from '../store.ts'
import { hashRecord, readAnchor } from './audit-log.ts'
import { type ChainBreak, explainChainBreaks } from './chain-break.ts'
import { type ChainHead, confirms, GENESIS_LINK } from './chain-head.ts'
import { AnchorCheck, describeRange, type ExternalAnchor } from './external-anchors.ts'
import { isStateRemovedRecord, LOG_RESTARTED_PROBLEM } from './known-state-folders.ts'

export interface VerifyOptions {
  readonly externalAnchors?: readonly ExternalAnchor[]
  /** number of checked records and of all records */
  readonly progress?: (done: number, all: number) => void
}

const PAGE_SIZE = 500
/** A text can continue after a NUL, where a driver cuts it. So its size is queried as well. */
const SELECT_PAGE = `SELECT seq, json, hash, length(CAST(json AS BLOB)) AS bytes
  FROM records WHERE seq > ? ORDER BY seq LIMIT ?`
const MAX_PROBLEMS = 100

/** Reads the current head file. */
type ReadHead = () => ChainHead | undefined

/** Verifies the chain from its anchor to the head file. A problem is reported at the record where it shows. */
export function verifyChain(driver: SqlDriver, head: ReadHead, how: VerifyOptions = {}): ChainVerification {
  // retention may remove the first records meanwhile. With a rollback journal, a transaction would block the hooks, so we check again
  const isWal = driver.prepare('PRAGMA journal_mode').get()?.journal_mode === 'wal'
  const outside = head()
  if (!isWal) {
    const found = checkRecords(driver, outside, head, how)
    return found.ok || readAnchor(driver).seq === found.from ? found : checkRecords(driver, head(), head, how)
  }
  driver.exec('BEGIN')
  try {
    lastSeqOf(driver)
    // everything in the database up to here was announced before
    const after = head()
    return checkRecords(driver, outside, () => after, how)
  } finally {
    driver.exec('COMMIT')
  }
}

/** `outside`: the head file before the records are read. `head`: reads it afterwards. Other processes keep writing. */
function checkRecords(
  driver: SqlDriver,
  outside: ChainHead | undefined,
  head: ReadHead,
  how: VerifyOptions,
): ChainVerification {
  const { externalAnchors = [], progress } = how
  const anchor = readAnchor(driver)
  const last = lastSeqOf(driver)
  const known = new AnchorCheck(outside, externalAnchors, anchor)
  const flaws: ChainProblem[] = [...findStrayRecords(driver), ...known.proof()]
  const breaks: ChainBreak[] = []
  const promises: DeclaredAnchor[] = []
  const written = new WrittenHashes(outside)
  let before = anchor
  let records = 0
  const page = driver.prepare(SELECT_PAGE)
  for (let rows = page.all(0, PAGE_SIZE); rows.length > 0; rows = page.all(before.seq, PAGE_SIZE)) {
    for (const row of rows) {
      const { problem, misfit } = checkRecord(row, before, known)
      if (problem && flaws.length < MAX_PROBLEMS) flaws.push(problem)
      if (misfit && breaks.length < MAX_PROBLEMS) breaks.push(misfit)
      before = toChainLink(row)
      written.set(before.seq, before.hash)
      if (!problem && !misfit) flaws.push(...known.see(before))
      if (before.seq === 1 && isStateRemovedRecord(parseJsonOrUndefined(row.json)))
        flaws.push({ seq: 1, problem: LOG_RESTARTED_PROBLEM })
      const promised = parseDeclaredAnchor(row)
      if (promised) promises.push({ ...promised, by: before.seq })
      records++
    }
    progress?.(records, last - anchor.seq)
  }
  flaws.push(...explainChainBreaks(breaks))
  flaws.sort((a, b) => a.seq - b.seq)
  const confirmed = lastConfirmedSeq(before, outside, head(), known)
  flaws.push(
    ...checkChainStart(
      anchor,
      promises.filter(promise => promise.by <= confirmed && !known.isStrange(promise.by)).at(-1),
    ),
  )
  flaws.push(...checkChainEnd(before, outside, confirmed, records))
  const ahead = externalAnchors.filter(record => record.seq > Math.max(before.seq, outside?.seq ?? 0))
  flaws.push(...ahead.map(({ seq, proof }) => ({ seq, problem: `record ${seq} was removed: ${proof}` })))
  const fine = flaws.length > 0 ? known.fineBefore(Math.min(...flaws.map(flaw => flaw.seq))) : undefined
  const absent = flaws.length === 0 ? written.absentAfter(anchor.seq) : []
  const range = { records, from: anchor.seq, to: before.seq }
  return {
    ok: flaws.length === 0,
    ...range,
    problems: flaws,
    ...(fine && { intactUpTo: fine }),
    ...(absent.length > 0 && { announcedButMissing: absent }),
  }
}

/** The hashes of those records that the head file announces. */
class WrittenHashes {
  readonly #written = new Map<number, string>()

  constructor(private readonly head: ChainHead | undefined) {}

  set(seq: number, hash: string): void {
    if (this.head?.announced.has(seq)) this.#written.set(seq, hash)
  }

  absentAfter(first: number): readonly number[] {
    const all = [...(this.head?.announced ?? [])].filter(([seq]) => seq > first)
    return all.filter(([seq, hashes]) => hashes.some(hash => hash !== this.#written.get(seq))).map(([seq]) => seq)
  }
}

const lastSeqOf = (driver: SqlDriver): number =>
  Number(driver.prepare('SELECT max(seq) AS last FROM records').get()?.last ?? 0)

const toChainLink = ({ seq, hash }: SqlRow): ChainLink => ({ seq: Number(seq), hash: String(hash) })

function findStrayRecords(driver: SqlDriver): ChainProblem[] {
  const stray = driver.prepare('SELECT seq FROM records WHERE seq <= 0 LIMIT 1').get()
  return stray ? [{ seq: Number(stray.seq), problem: `record ${stray.seq} is before the start of the chain` }] : []
}

/** The last record that the head file confirms. Records are announced before the commit, so it should be the last record. */
function lastConfirmedSeq(
  last: ChainLink,
  outside: ChainHead | undefined,
  after: ChainHead | undefined,
  known: AnchorCheck,
): number {
  const isConfirmed = last.seq <= (outside?.seq ?? 0) || (after !== undefined && confirms(after, last))
  return isConfirmed ? last.seq : Math.max(outside?.seq ?? 0, known.sure.at(-1) ?? 0)
}

function checkChainEnd(
  last: ChainLink,
  outside: ChainHead | undefined,
  confirmed: number,
  records: number,
): readonly ChainProblem[] {
  if (!outside && records > 0) return [{ seq: last.seq, problem: 'the file `audit-head` is missing' }]
  if (outside && outside.seq > last.seq)
    return [{ seq: last.seq + 1, problem: `${describeRange(last.seq + 1, outside.seq)} removed` }]
  return outside && confirmed < last.seq
    ? [
        {
          seq: confirmed + 1,
          problem: `the file \`audit-head\` ends at record ${confirmed}: later records are unverified`,
        },
      ]
    : []
}

/** Checks a row. A row that does not follow is collected as a misfit, to be explained together with the others. */
function checkRecord(
  row: SqlRow,
  before: ChainLink,
  known: AnchorCheck,
): { readonly problem?: ChainProblem; readonly misfit?: ChainBreak } {
  const link = toChainLink(row)
  const { seq } = link
  if (seq <= before.seq) return { problem: { seq, problem: `record ${seq} is before the start of the chain` } }
  const isNext = seq === before.seq + 1
  // the hash of a missing record may be known from outside
  const hash = isNext ? before.hash : known.hashAt(seq - 1)
  const isWritten = hash === undefined || (isIntactText(row) && hashRecord(hash, seq, String(row.json)) === row.hash)
  const misfit = { ...link, json: String(row.json), before: { seq: seq - 1, hash: hash ?? '' } }
  return {
    ...(!isNext && { problem: missingRecords(before.seq + 1, seq, hash !== undefined) }),
    ...(!isWritten && { misfit }),
  }
}

const isIntactText = ({ json, bytes }: SqlRow): boolean =>
  typeof json === 'string' && Buffer.byteLength(json) === Number(bytes)

function missingRecords(from: number, next: number, isChecked: boolean): ChainProblem {
  const some = next - from === 1 ? `record ${from} is missing` : `records ${from} to ${next - 1} are missing`
  return {
    seq: from,
    problem: isChecked ? some : `${some}, so record ${next} cannot be verified`,
  }
}

/** A record of the store itself that declares where the chain begins: earlier records expired, or were lost with their database. */
interface DeclaredAnchor {
  readonly by: number
  readonly anchor: ChainLink
  readonly isLoss: boolean
}

function parseDeclaredAnchor({ json }: SqlRow): Omit<DeclaredAnchor, 'by'> | undefined {
  const record = String(json).includes('"anchor"') ? parseJsonOrUndefined(json) : undefined
  if (!isObject(record) || record.client !== 'signalbox' || !isObject(record.anchor)) return undefined
  const anchor = { seq: Number(record.anchor.seq), hash: String(record.anchor.hash) }
  return { anchor, isLoss: record.name !== 'audit.retention' }
}

function checkChainStart(anchor: ChainLink, promised: DeclaredAnchor | undefined): readonly ChainProblem[] {
  const { seq, hash } = promised?.anchor ?? GENESIS_LINK
  if (seq !== anchor.seq || hash !== anchor.hash)
    return [{ seq: anchor.seq, problem: `records up to ${anchor.seq} are missing, and no record says why` }]
  return promised?.isLoss && seq > 0
    ? [{ seq, problem: `records up to ${seq} were in an earlier database, as record ${promised.by} says` }]
    : []
}
