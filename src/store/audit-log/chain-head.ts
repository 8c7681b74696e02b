import { closeSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs'
import { hasErrorCode } from '../../lib/errors.ts'
import { inodeOf, readRegularFile, statIfExists, writeFileAtomically } from '../../lib/files.ts'
import type { ChainLink } from '../store.ts'

export const GENESIS_LINK: ChainLink = { seq: 0, hash: '0'.repeat(64) }

/** No record has it. */
const UNKNOWN_HASH = GENESIS_LINK.hash

/** The length of a hash prefix that identifies the previous record. */
const SHORT_HASH = 16
/** The head file keeps this many recent commits and samples of older ones. A change is located between two of them. */
const RECENT_COMMITS = 64
const PAST_SAMPLES = 64
const SAMPLE_DISTANCE = 512

/** The content of the head file: the last commit, earlier commits, and evidence of tampering. */
export interface ChainHead extends ChainLink {
  /** hashes of committed records, by sequence number */
  readonly seen: ReadonlyMap<number, string>
  /** hashes announced before their commit, by sequence number */
  readonly announced: ReadonlyMap<number, readonly string[]>
  /** a sequence number with two different records: the end was cut off and written again */
  readonly twice?: number
  /** the first record after the head file was removed */
  readonly firstSeqAfterRemoval?: number
  /** records that appeared without being announced */
  readonly unannounced?: { readonly from: number; readonly to: number }
}

const formatCommitLine = ({ seq, hash }: ChainLink): string => `${seq} ${hash}\n`
const formatAnnouncementLine = (head: ChainLink, before: ChainLink): string =>
  `+${head.seq} ${head.hash} ${before.seq} ${before.hash.slice(0, SHORT_HASH)}\n`

/** Whether the head file confirms this record. */
export const confirms = ({ seen, announced }: ChainHead, { seq, hash }: ChainLink): boolean =>
  seen.get(seq) === hash || announced.get(seq)?.includes(hash) === true

/** Compacts the lines. Keeps the evidence of tampering, the recent commits, and samples of all older commits. */
function compactHeadLines({ seen, announced, twice, firstSeqAfterRemoval, unannounced }: ChainHead): string {
  const commits = [...seen].sort(([a], [b]) => a - b)
  const last = commits.at(-1)?.[0] ?? 0
  let apart = SAMPLE_DISTANCE
  while (last / apart > PAST_SAMPLES) apart *= 2
  const placeOf = (nth: number): number => Math.floor((commits[nth]?.[0] ?? 0) / apart)
  const anchors = commits.filter(
    (_, nth) => nth >= commits.length - RECENT_COMMITS || placeOf(nth) !== placeOf(nth - 1),
  )
  const open = [...announced]
    .map(([seq, hashes]): [number, readonly string[]] => [seq, hashes.filter(hash => hash !== seen.get(seq))])
    .filter(([, hashes]) => hashes.length > 0)
    .slice(-RECENT_COMMITS)
  return [
    ...anchors.map(([seq, hash]) => formatCommitLine({ seq, hash })),
    ...open.flatMap(([seq, hashes]) => hashes.map(hash => `+${seq} ${hash}\n`)),
    twice === undefined ? '' : `twice ${twice}\n`,
    firstSeqAfterRemoval === undefined ? '' : `lost ${firstSeqAfterRemoval}\n`,
    unannounced === undefined ? '' : `strange ${unannounced.from} ${unannounced.to}\n`,
  ].join('')
}

const LINE = /^(\+?)(\d{1,15}) ([0-9a-f]{64})(?: (\d{1,15}) ([0-9a-f]+))?$/
/** An announcement after a partial line: a writer was killed, or someone cut the file. */
const AFTER_PARTIAL_LINE = /(?!^)\+\d{1,15} [0-9a-f]{64} \d{1,15} [0-9a-f]+$/
const EVIDENCE = /^(twice|lost|strange) (\d{1,15})(?: (\d{1,15}))?$/

function readChainHead(files: readonly string[]): ChainHead | undefined {
  const parser = new HeadLineParser()
  for (const lines of files.map(readLines)) {
    for (const line of lines.slice(0, -1)) parser.read(line)
    parser.readLast(lines.at(-1) ?? '')
  }
  return parser.head
}

/** Parses the lines in order. */
class HeadLineParser {
  private readonly seen = new Map<number, string>()
  private readonly announced = new Map<number, string[]>()
  private twice: number | undefined
  private firstSeqAfterRemoval: number | undefined
  private strange: { from: number; to: number } | undefined
  private highest = 0
  /** whether earlier lines exist, so that the previous record must be among them */
  private follows = false

  get head(): ChainHead | undefined {
    const { seen, announced, twice, firstSeqAfterRemoval, strange } = this
    if (seen.size === 0 && announced.size === 0) return undefined
    const seq = Math.max(0, ...seen.keys())
    return {
      seq,
      hash: seen.get(seq) ?? GENESIS_LINK.hash,
      seen,
      announced,
      ...(twice !== undefined && { twice }),
      ...(firstSeqAfterRemoval !== undefined && { firstSeqAfterRemoval }),
      ...(strange && { unannounced: strange }),
    }
  }

  read(line: string): void {
    const whole = AFTER_PARTIAL_LINE.exec(line)
    if (whole) this.readLast(line.slice(0, whole.index))
    const [, plus, number, hash = '', before, short = ''] = LINE.exec(whole?.[0] ?? line) ?? []
    if (number === undefined) this.remember(line)
    else if (plus)
      this.announce({ seq: Number(number), hash }, before === undefined ? undefined : Number(before), short)
    else this.commit({ seq: Number(number), hash })
  }

  /**
   * Text without a line end after it. A line about a commit is written after the commit, so a part of it is evidence of the commit: only
   * its end was cut off. Otherwise the record could be removed together with this end.
   */
  readLast(line: string): void {
    const open = [...this.announced].findLast(([seq]) => !this.seen.has(seq))
    const [seq = 0, hashes = []] = open ?? []
    const hash = hashes.findLast(text => line !== '' && `${seq} ${text}`.startsWith(line))
    if (hash !== undefined) this.commit({ seq, hash })
    else if (line.startsWith('+') && !LINE.test(line)) this.announceUnknown(this.highest + 1)
    else this.read(line)
  }

  /** An announcement that was cut off: a record was about to be written, and its hash is not known. */
  private announceUnknown(seq: number): void {
    this.addAnnounced(seq, UNKNOWN_HASH)
  }

  private remember(line: string): void {
    const [, what, from, to] = EVIDENCE.exec(line) ?? []
    if (what === 'twice') this.twice ??= Number(from)
    if (what === 'strange') this.strange ??= { from: Number(from), to: Number(to) }
    if (what !== 'lost') return
    this.firstSeqAfterRemoval ??= Number(from)
    this.follows = false
  }

  private commit({ seq, hash }: ChainLink): void {
    const before = this.seen.get(seq)
    if (before !== undefined && before !== hash) this.twice ??= seq
    this.seen.set(seq, hash)
    this.note(seq)
  }

  private announce({ seq, hash }: ChainLink, before: number | undefined, short: string): void {
    // the line names a previous record, but no earlier line exists: the file was emptied
    if (!this.follows && before) this.firstSeqAfterRemoval ??= seq
    if (this.follows && before && !this.hashesAt(before).some(text => text.startsWith(short)))
      this.strange ??= { from: Math.min(this.highest + 1, before), to: before }
    this.addAnnounced(seq, hash)
    this.note(seq)
  }

  /** Each once: the file and its copy have the same lines, and with each compaction they would become twice as many. */
  private addAnnounced(seq: number, hash: string): void {
    const known = this.announced.get(seq) ?? []
    if (!known.includes(hash)) this.announced.set(seq, [...known, hash])
  }

  private note(seq: number): void {
    this.highest = Math.max(this.highest, seq)
    this.follows = true
  }

  private hashesAt(seq: number): readonly string[] {
    const seen = this.seen.get(seq)
    return [...(this.announced.get(seq) ?? []), ...(seen === undefined ? [] : [seen])]
  }
}

const LARGEST_HEAD = 100_000_000

function readLines(file: string): readonly string[] {
  try {
    return statSync(file).isFile() ? readRegularFile(file, LARGEST_HEAD).split('\n') : []
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return []
    throw error
  }
}

/** truncating a file can take a file system's journal as long as twenty events */
const COMPACT_EVERY = 512
const CHECK_INODE_EVERY = 32

/**
 * The head of the hash chain, kept outside the database to confirm its records. Each commit appends two whole lines, so concurrent or
 * late writers cannot undo them. The first line, inside the transaction, ensures that the file knows every record. The second, after
 * the commit, shows whether a missing record was cut off or never committed. Opening is most of the cost, so the file stays open.
 */
export class ChainHeadFile {
  private open: { readonly fd: number; readonly inode: number | undefined } | undefined

  constructor(private readonly file: string) {}

  read(): ChainHead | undefined {
    return readChainHead([this.copy, this.file])
  }

  /** Creates the file together with the database, so that a missing file is noticed. */
  make(): void {
    this.open ??= this.opened(undefined)
  }

  /**
   * Called before the commit, while no other process can write: the new head and the previous one. `follows`: there were records
   * before. A missing file was then removed by someone, which is noted permanently.
   */
  announce(head: ChainLink, before: ChainLink, follows: boolean): void {
    const { seq } = head
    if (Math.floor(seq / CHECK_INODE_EVERY) !== Math.floor(before.seq / CHECK_INODE_EVERY)) this.look()
    this.open ??= this.opened(follows ? seq : undefined)
    if (Math.floor(seq / COMPACT_EVERY) !== Math.floor(before.seq / COMPACT_EVERY)) this.tidy(this.open.fd)
    writeSync(this.open.fd, formatAnnouncementLine(head, before))
  }

  /** Called after the commit. */
  write(head: ChainLink): void {
    this.open ??= this.opened(undefined)
    writeSync(this.open.fd, formatCommitLine(head))
  }

  private opened(seq: number | undefined): NonNullable<ChainHeadFile['open']> {
    const stat = statIfExists(this.file)
    // opening a pipe would block the hook
    if (stat && !stat.isFile()) throw new Error('`audit-head` is not a file')
    const fd = openSync(this.file, 'a', 0o600)
    if (!stat && seq !== undefined) writeSync(fd, `lost ${seq}\n`)
    return { fd, inode: inodeOf(this.file) }
  }

  close(): void {
    if (this.open) closeSync(this.open.fd)
    this.open = undefined
  }

  /** Reopens a file that was replaced: otherwise this process would write to a file that nobody reads. */
  private look(): void {
    if (this.open && this.open.inode !== inodeOf(this.file)) this.close()
  }

  /** Truncates in place, because other processes have the file open. The copy survives a crash. No other process announces meanwhile. */
  private tidy(fd: number): void {
    const head = this.read()
    if (!head) return
    const text = compactHeadLines(head)
    if (!writeFileAtomically(this.copy, text)) return
    ftruncateSync(fd)
    writeSync(fd, text)
  }

  private get copy(): string {
    return `${this.file}.copy`
  }
}
