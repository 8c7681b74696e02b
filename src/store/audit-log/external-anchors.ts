import { type ChainHead, type ChainLink, vouchesFor } from './chain-head.ts'
import type { ChainProblem } from './verify-chain.ts'

/** A record that somebody else has seen: what was sent to them, say. */
export interface ExternalAnchor extends ChainLink {
  /** `collector.example was sent it` */
  readonly says: string
}

/** What is known outside of the database, held against each record in it. */
export class AnchorCheck {
  /** the numbers of records that are as somebody outside saw them, in their order */
  readonly sure: number[] = []
  /** the last one that is known for what it is: as it was written, or not */
  private told: number
  /** those of them that others than the head have seen */
  private readonly sent: number[] = []
  /** somebody has seen another record than the head has */
  private isDisputed = false
  /** a change was told of which the next ones are only the consequence */
  private isAnew = false

  constructor(
    private readonly head: ChainHead | undefined,
    private readonly witnesses: readonly ExternalAnchor[],
    anchor: ChainLink,
  ) {
    this.told = anchor.seq
  }

  /** What the head has seen of cuts that were written over. */
  evidence(): readonly ChainProblem[] {
    const { twice, lost, strange } = this.head ?? {}
    return [
      ...(twice === undefined
        ? []
        : [{ seq: twice, problem: `record ${twice} was written twice: an earlier one was cut off` }]),
      ...(lost === undefined
        ? []
        : [{ seq: lost, problem: `the head kept outside was taken away before record ${lost}` }]),
      ...(strange === undefined
        ? []
        : [
            {
              seq: strange.from,
              problem: `${describeRange(strange.from, strange.to)} written without a word to the head kept outside: nothing vouches for ${strange.from === strange.to ? 'it' : 'them'}`,
            },
          ]),
    ]
  }

  /** Whoever wrote it did so without a word. */
  isStrange(seq: number): boolean {
    const { strange } = this.head ?? {}
    return strange !== undefined && seq >= strange.from && seq <= strange.to
  }

  /** The hash of a record that may be gone. */
  hashAt(seq: number): string | undefined {
    return this.head?.seen.get(seq) ?? this.witnesses.find(one => one.seq === seq)?.hash
  }

  /** A record that follows the one before it. */
  see(link: ChainLink): readonly ChainProblem[] {
    const isSent = this.witnesses.some(one => one.seq === link.seq && one.hash === link.hash)
    const isKnown = isSent || (this.head !== undefined && vouchesFor(this.head, link))
    const disputed = this.contradicted(link)
    const flaws = [...this.replaced(link), ...disputed]
    if (disputed.length > 0) this.isDisputed = true
    if (isSent && flaws.length === 0) this.sent.push(link.seq)
    if (isKnown || flaws.length > 0) this.told = link.seq
    if (isKnown) this.isAnew = false
    if (isKnown && flaws.length === 0) this.sure.push(link.seq)
    return flaws
  }

  /** The last record up to which all is as it was written, if the first flaw shows at `flaw`. */
  fineBefore(flaw: number): number | undefined {
    // whoever takes the head away may have written all before it anew
    if (this.head?.lost !== undefined) return undefined
    return (this.isDisputed ? this.sent : this.sure).findLast(seq => seq < flaw)
  }

  /**
   * Whoever changes a record and counts every hash after it anew leaves a chain that is whole, and is not the one that was written. Which of
   * them it was is known only as far as the hash of each is: else it is one of those since the last that is.
   */
  private replaced({ seq, hash }: ChainLink): readonly ChainProblem[] {
    const { seen, twice, seq: last } = this.head ?? {}
    const written = seen?.get(seq)
    if (written === undefined || written === hash || (twice !== undefined && seq >= twice && seq !== last)) return []
    const from = this.told + 1
    if (this.isAnew) return []
    this.isAnew = from !== seq
    return from === seq
      ? [{ seq, problem: `record ${seq} is not the one that was written` }]
      : [
          {
            seq: from,
            problem: `one of the records ${from} to ${seq} is not the one that was written, and every hash after it was counted anew`,
          },
        ]
  }

  private contradicted({ seq, hash }: ChainLink): readonly ChainProblem[] {
    return this.witnesses
      .filter(one => one.seq === seq && one.hash !== hash)
      .map(({ says }) => ({
        seq,
        problem: `record ${seq} is not the one that was written: ${says}, and it was another`,
      }))
  }
}

export const describeRange = (from: number, to: number): string =>
  from === to ? `record ${from} was` : `records ${from} to ${to} were`
