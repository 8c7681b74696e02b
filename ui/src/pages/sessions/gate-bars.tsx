import type { GateLine, GateSpan } from '../../../../src/dashboard/api.ts'
import { href } from '../../route/route.ts'
import { clockOf } from '../../words/time.ts'
import type { Scale } from './scale.ts'

interface Props {
  readonly line: GateLine
  readonly scale: Scale
  readonly choose: (n: number) => void
}

const saysOf = (line: GateLine, { state, from, to }: GateSpan): string =>
  `${line.name} ${state} from ${clockOf(from)}${to === null ? ', still' : ` to ${clockOf(to)}`}`

/** When a gate was closed, and when open. */
export function GateBars({ line, scale, choose }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a lane is no form
    <div className="lane gate-lane" role="group" aria-label={`gate ${line.name}`}>
      <p className="lane-name cut" title={line.gate}>
        <a href={href(['gates', line.gate])}>{line.name}</a>
      </p>
      <div className="lane-line">
        {line.spans.map(span => (
          <Bar key={`${span.from} ${span.state}`} span={span} says={saysOf(line, span)} scale={scale} choose={choose} />
        ))}
      </div>
    </div>
  )
}

/** for the word, about: a timeline is somewhat narrower than the window */
const ROOM = 90

interface BarProps {
  readonly span: GateSpan
  readonly says: string
  readonly scale: Scale
  readonly choose: (n: number) => void
}

function Bar({ span, says, scale, choose }: BarProps) {
  const from = scale.at(span.from)
  const to = span.to === null ? 1 : scale.at(span.to)
  const style = { left: `${from * 100}%`, width: `${Math.max(0, to - from) * 100}%` }
  const { n } = span
  const label = (to - from) * innerWidth > ROOM ? span.state : ''
  if (n === null)
    return (
      <span className="bar" data-state={span.state} style={style} role="img" aria-label={says} title={says}>
        {label}
      </span>
    )
  return (
    <button
      type="button"
      className="bar"
      data-state={span.state}
      style={style}
      aria-label={says}
      title={says}
      onClick={() => choose(n)}
    >
      {label}
    </button>
  )
}
