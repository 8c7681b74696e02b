import { ANSWERS, type Answer, type CaseJudge, type Judgement } from './case-judge.ts'
import type { Corpus } from './corpus.ts'

/** A case that was not answered as it should be. */
export interface Miss {
  readonly kind: 'dangerous' | 'twin' | 'reading'
  readonly subject: string
  readonly call: string
  readonly judgement: Judgement
  /** of a dangerous call: what the harm is */
  readonly why?: string
}

export interface PairTally {
  readonly subject: string
  readonly pairs: number
  readonly answers: Readonly<Record<Answer, number>>
  /** twins that were refused or asked about */
  readonly stopped: number
  /** twins that run with a warning */
  readonly warned: number
  /** dangerous calls and twins that the reader cannot read */
  readonly opaque: { readonly dangerous: number; readonly twins: number }
}

export interface ReadingTally {
  readonly subject: string
  readonly calls: number
  readonly stopped: number
  readonly warned: number
  /** the reader knows for certain that they only read */
  readonly recognised: number
  readonly opaque: number
}

export interface Scores {
  readonly pairs: readonly PairTally[]
  readonly reading: readonly ReadingTally[]
  readonly misses: readonly Miss[]
}

const isStopped = ({ answer }: Judgement): boolean => answer === 'refused' || answer === 'asked'

/** Judges every case of the corpus. */
export function scoreCorpus(corpus: Corpus, judge: CaseJudge): Scores {
  const pairs = corpus.dangerous.map(({ subject, call, twin, why }) => ({
    subject,
    dangerous: { kind: 'dangerous' as const, subject, call, why, judgement: judge(call) },
    twin: { kind: 'twin' as const, subject, call: twin, judgement: judge(twin) },
  }))
  const reading = corpus.reading.map(one => ({ kind: 'reading' as const, ...one, judgement: judge(one.call) }))
  return {
    pairs: bySubject(pairs).map(([subject, cases]) => {
      const dangerous = cases.map(one => one.dangerous.judgement)
      const twins = cases.map(one => one.twin.judgement)
      return {
        subject,
        pairs: cases.length,
        answers: answerCounts(dangerous),
        stopped: twins.filter(isStopped).length,
        warned: twins.filter(({ answer }) => answer === 'in doubt').length,
        opaque: { dangerous: opaqueCount(dangerous), twins: opaqueCount(twins) },
      }
    }),
    reading: bySubject(reading).map(([subject, cases]) => {
      const judgements = cases.map(one => one.judgement)
      return {
        subject,
        calls: cases.length,
        stopped: judgements.filter(isStopped).length,
        warned: judgements.filter(({ answer }) => answer === 'in doubt').length,
        recognised: judgements.filter(({ reader }) => reader.onlyReads).length,
        opaque: opaqueCount(judgements),
      }
    }),
    misses: [
      ...pairs.map(one => one.dangerous).filter(({ judgement }) => !isStopped(judgement)),
      ...pairs.map(one => one.twin).filter(({ judgement }) => isStopped(judgement)),
      ...reading.filter(({ judgement }) => isStopped(judgement) || !judgement.reader.onlyReads),
    ],
  }
}

function bySubject<T extends { readonly subject: string }>(cases: readonly T[]): readonly [string, readonly T[]][] {
  const subjects = [...new Set(cases.map(({ subject }) => subject))]
  return subjects.map(subject => [subject, cases.filter(one => one.subject === subject)])
}

const opaqueCount = (judgements: readonly Judgement[]): number =>
  judgements.filter(({ reader }) => reader.isOpaque).length

function answerCounts(judgements: readonly Judgement[]): Readonly<Record<Answer, number>> {
  const counts = { refused: 0, asked: 0, 'in doubt': 0, silent: 0 }
  for (const answer of ANSWERS) counts[answer] = judgements.filter(one => one.answer === answer).length
  return counts
}
