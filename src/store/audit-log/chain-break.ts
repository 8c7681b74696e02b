import type { ChainLink, ChainProblem } from '../store.ts'
import { hashRecord } from './audit-log.ts'

/** A record whose hash does not follow from the record before it. */
export interface ChainBreak extends ChainLink {
  readonly json: string
  readonly before: ChainLink
}

/** The number of records that are tried in each other's places. */
const MOST_TRIED = 24

/**
 * Finds which records were changed. A moved record fits at another position, and a record after a changed one is intact. The hash
 * covers the sequence number and the previous hash, so each record is tried with those of the others.
 */
export function explainChainBreaks(misfits: readonly ChainBreak[]): readonly ChainProblem[] {
  const some = misfits.slice(0, MOST_TRIED)
  const befores = [...new Set(some.flatMap(({ hash, before }) => [hash, before.hash]))]
  const isAt = ({ json, hash }: ChainBreak, seq: number): boolean =>
    befores.some(before => hashRecord(before, seq, json) === hash)
  const own = some.filter(chainBreak => isAt(chainBreak, chainBreak.seq))
  return misfits.flatMap((misfit, nth) => {
    const { seq } = misfit
    if (own.includes(misfit) && misfits[nth - 1]?.seq === seq - 1) return []
    const other = nth < MOST_TRIED ? some.find(at => at.seq !== seq && isAt(misfit, at.seq)) : undefined
    return other
      ? [{ seq, problem: `record ${other.seq} is in the place of record ${seq}` }]
      : [{ seq, problem: `record ${seq} was changed, or does not follow record ${seq - 1}` }]
  })
}
