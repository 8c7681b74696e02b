import type { ChainLink, ChainProblem } from '../store.ts'
import { type ChainHead, confirms } from './chain-head.ts'

/** A record that is known outside the database, for example because it was exported. */
export interface ExternalAnchor extends ChainLink {
  /** `collector.example was sent it` */
  readonly proof: string
}

/** Compares each record with what is known outside the database. */
export class AnchorCheck {
  /** sequence numbers of records confirmed from outside, ascending */
  readonly sure: number[] = []
  /** the last record that is confirmed or reported as changed */
  private known: number
  /** the confirmed records that were exported */
  private readonly sent: number[] = []
  /** an export and the database disagree about a record */
  private isDisputed = false
  /** a change was found, and the following mismatches are only its consequence */
  private follows = false

  constructor(
    private readonly head: ChainHead | undefined,
    private readonly anchors: readonly ExternalAnchor[],
    anchor: ChainLink,
  ) {
    this.known = anchor.seq
  }

  /** Evidence in the head file of records that were cut off and overwritten. */
  proof(): readonly ChainProblem[] {
    const { twice, firstSeqAfterRemoval, unannounced } = this.head ?? {}
    return [
      ...(twice === undefined
        ? []
        : [{ seq: twice, problem: `record ${twice} was written twice: an earlier one was removed` }]),
      ...(firstSeqAfterRemoval === undefined
        ? []
        : [
            {
              seq: firstSeqAfterRemoval,
              problem: `the file \`audit-head\` was removed before record ${firstSeqAfterRemoval}`,
            },
          ]),
      ...(unannounced === undefined
        ? []
        : [
            {
              seq: unannounced.from,
              problem: `${describeRange(unannounced.from, unannounced.to)} not announced in the file \`audit-head\`: unverified`,
            },
          ]),
    ]
  }

  /** Whether the record was written without an announcement. */
  isStrange(seq: number): boolean {
    const { unannounced } = this.head ?? {}
    return unannounced !== undefined && seq >= unannounced.from && seq <= unannounced.to
  }

  /** The hash of a record, which may be missing in the database. */
  hashAt(seq: number): string | undefined {
    return this.head?.seen.get(seq) ?? this.anchors.find(anchor => anchor.seq === seq)?.hash
  }

  /** Checks a record whose hash follows from the previous record. */
  see(link: ChainLink): readonly ChainProblem[] {
    const isSent = this.anchors.some(anchor => anchor.seq === link.seq && anchor.hash === link.hash)
    const isKnown = isSent || (this.head !== undefined && confirms(this.head, link))
    const disputed = this.contradicted(link)
    const flaws = [...this.replaced(link), ...disputed]
    if (disputed.length > 0) this.isDisputed = true
    if (isSent && flaws.length === 0) this.sent.push(link.seq)
    if (isKnown || flaws.length > 0) this.known = link.seq
    if (isKnown) this.follows = false
    if (isKnown && flaws.length === 0) this.sure.push(link.seq)
    return flaws
  }

  /** The last record up to which everything is unchanged, if the first problem is at `flaw`. */
  fineBefore(flaw: number): number | undefined {
    // someone removed the head file and may have rewritten all earlier records
    if (this.head?.firstSeqAfterRemoval !== undefined) return undefined
    return (this.isDisputed ? this.sent : this.sure).findLast(seq => seq < flaw)
  }

  /**
   * Detects a changed record with all later hashes recomputed: the chain is consistent, but not the original. The changed record is
   * located exactly only where hashes are known; otherwise it is in the range since the last known record.
   */
  private replaced({ seq, hash }: ChainLink): readonly ChainProblem[] {
    const { seen, twice, seq: last } = this.head ?? {}
    const written = seen?.get(seq)
    if (written === undefined || written === hash || (twice !== undefined && seq >= twice && seq !== last)) return []
    const from = this.known + 1
    if (this.follows) return []
    this.follows = from !== seq
    return from === seq
      ? [{ seq, problem: `record ${seq} was changed` }]
      : [
          {
            seq: from,
            problem: `one of the records ${from} to ${seq} was changed, and every later hash was recomputed`,
          },
        ]
  }

  private contradicted({ seq, hash }: ChainLink): readonly ChainProblem[] {
    return this.anchors
      .filter(anchor => anchor.seq === seq && anchor.hash !== hash)
      .map(({ proof }) => ({
        seq,
        problem: `record ${seq} was changed: ${proof}, with another hash`,
      }))
  }
}

export const describeRange = (from: number, to: number): string =>
  from === to ? `record ${from} was` : `records ${from} to ${to} were`
