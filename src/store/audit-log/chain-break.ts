import { hashRecord } from './audit-log.ts'
import type { ChainLink } from './chain-head.ts'
import type { ChainProblem } from './verify-chain.ts'

/** A record that does not follow the one before it. */
export interface ChainBreak extends ChainLink {
  readonly json: string
  readonly before: ChainLink
}

/** So many are tried in each other's places. */
const MOST_TRIED = 24

/**
 * Which of them are the ones that were touched: a record that was moved fits in another's place, and one that follows it is as it was
 * written. The hash is over the number and the record before, so each is tried with those of the others.
 */
export function explainChainBreaks(misfits: readonly ChainBreak[]): readonly ChainProblem[] {
  const some = misfits.slice(0, MOST_TRIED)
  const befores = [...new Set(some.flatMap(({ hash, before }) => [hash, before.hash]))]
  const isAt = ({ json, hash }: ChainBreak, seq: number): boolean =>
    befores.some(one => hashRecord(one, seq, json) === hash)
  const own = some.filter(one => isAt(one, one.seq))
  return misfits.flatMap((one, nth) => {
    const { seq } = one
    if (own.includes(one) && misfits[nth - 1]?.seq === seq - 1) return []
    const other = nth < MOST_TRIED ? some.find(at => at.seq !== seq && isAt(one, at.seq)) : undefined
    return other
      ? [{ seq, problem: `in place of record ${seq} stands record ${other.seq}` }]
      : [{ seq, problem: `record ${seq} was changed, or does not follow record ${seq - 1}` }]
  })
}
