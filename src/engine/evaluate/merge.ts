import { joinDistinct } from '../../lib/join-distinct.ts'
import { type Decision, type Outcome, strictestDecision, type Verdict } from '../model/verdict.ts'

export const CONTEXT_SEPARATOR = '\n\n---\n\n'

/** Merges verdicts: the strictest decision wins, reasons to deny come first, each text appears once in the given order. */
export function mergeVerdicts(verdicts: readonly Verdict[]): Outcome {
  return {
    decision: verdicts.map(verdict => verdict.decision).reduce(strictestDecision, 'pass'),
    reason: joinDistinct([...reasons(verdicts, 'deny'), ...reasons(verdicts, 'ask'), ...lonelyAllow(verdicts)], '\n\n'),
    context: joinDistinct(texts(verdicts, 'context'), CONTEXT_SEPARATOR),
    message: joinDistinct(texts(verdicts, 'message'), '\n'),
    continue: verdicts.every(verdict => verdict.continue !== false),
    suppressOutput: verdicts.some(verdict => verdict.suppressOutput === true),
  }
}

const reasons = (verdicts: readonly Verdict[], decision: Decision): readonly string[] =>
  verdicts.flatMap(verdict => (verdict.decision === decision && verdict.decision !== 'pass' ? [verdict.reason] : []))

/** The reason of an `allow` is used only if no verdict denies or asks. */
const lonelyAllow = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts.some(verdict => verdict.decision === 'deny' || verdict.decision === 'ask') ? [] : reasons(verdicts, 'allow')

const texts = (verdicts: readonly Verdict[], key: 'context' | 'message'): readonly string[] =>
  verdicts.flatMap(verdict => verdict[key] ?? [])

export const NO_OPINION: Outcome = mergeVerdicts([])
