import { TextWithCode } from '../parts/text-with-code.tsx'
import { type ExplainedCondition, leavesOf } from './explained-gate.ts'

const MARKS = { true: 'yes', false: 'no', unknown: '?' } as const

interface LineProps {
  readonly truth: ExplainedCondition['truth']
  readonly text: string
  readonly got?: string | undefined
}

/** One condition and the value it was compared with. */
export function LeafLine({ truth, text, got }: LineProps) {
  return (
    <li className="leaf" data-truth={truth}>
      <b>{MARKS[truth]}</b>
      <span>
        <TextWithCode text={text} />
      </span>
      {got !== undefined && (
        <span className="got">
          got <code>{got.replace(/^`(.*)`$/s, '$1')}</code>
        </span>
      )}
    </li>
  )
}

interface LeavesProps {
  readonly seen: ExplainedCondition
  /** shows only conditions that did not match */
  readonly isMissed?: boolean
}

/** The leaves of a condition that joins others. */
export function Leaves({ seen, isMissed = false }: LeavesProps) {
  const leaves = leavesOf(seen)
  const missed = leaves.filter(leave => leave.truth !== 'true')
  return (isMissed && missed.length > 0 ? missed : leaves).map((one, nth) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the same condition may stand there twice
    <LeafLine key={nth} truth={one.truth} text={one.text} got={one.actual} />
  ))
}
