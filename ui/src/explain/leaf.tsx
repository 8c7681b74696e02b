import { leavesOf, type Seen } from './branch.ts'

const MARKS = { true: 'yes', false: 'no', unknown: '?' } as const

interface LineProps {
  readonly truth: Seen['truth']
  readonly says: string
  readonly got?: string | undefined
}

/** A condition, and the value it looked at. */
export function LeafLine({ truth, says, got }: LineProps) {
  return (
    <li className="leaf" data-truth={truth}>
      <b>{MARKS[truth]}</b>
      <span>{says}</span>
      {got !== undefined && (
        <span className="got">
          got <code>{got}</code>
        </span>
      )}
    </li>
  )
}

/** The leaves of a condition that only joins others. */
export function Leaves({ seen }: { readonly seen: Seen }) {
  return leavesOf(seen).map((one, nth) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the same condition may stand there twice
    <LeafLine key={nth} truth={one.truth} says={one.says} got={one.got} />
  ))
}
