import type { GateSpan, GateTimeline } from '../../../../src/app/dashboard/api.ts'
import { href } from '../../route/route.ts'
import { formatClock } from '../../words/time.ts'
import type { TimeScale } from './time-scale.ts'

interface Props {
  readonly line: GateTimeline
  /** the agent, for a gate with `scope: agent` */
  readonly whose: string | undefined
  readonly scale: TimeScale
  readonly choose: (n: number) => void
}

const spanText = (name: string, { state, from, to }: GateSpan): string =>
  `${name} ${state} from ${formatClock(from)}${to === null ? ', still' : ` to ${formatClock(to)}`}`

/** When a gate was closed and when open. */
export function GateBars({ line, whose, scale, choose }: Props) {
  const name = whose === undefined ? line.name : `${line.name} of ${whose}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a lane is no form
    <div className="lane gate-lane" role="group" aria-label={`gate ${name}`}>
      <p className="lane-name cut" title={whose === undefined ? line.gate : `${line.gate} of ${whose}`}>
        <a href={href(['gates', line.gate])}>{line.name}</a>
        {whose !== undefined && <span className="quiet"> {whose}</span>}
      </p>
      <div className="lane-line">
        {line.spans.map(span => (
          <Bar
            key={`${span.from} ${span.state}`}
            span={span}
            description={spanText(name, span)}
            scale={scale}
            choose={choose}
          />
        ))}
      </div>
    </div>
  )
}

/** minimum width to be a button: touch targets need 24 pixels, and the timeline is narrower than the window */
const ROOM_TO_HIT = 48

interface BarProps {
  readonly span: GateSpan
  readonly description: string
  readonly scale: TimeScale
  readonly choose: (n: number) => void
}

function Bar({ span, description, scale, choose }: BarProps) {
  const from = scale.at(span.from)
  const to = span.to === null ? 1 : scale.at(span.to)
  const style = { left: `${from * 100}%`, width: `${Math.max(0, to - from) * 100}%` }
  const { n } = span
  // hidden where the bar has no room for it
  const label = <span className="bar-label">{span.state}</span>
  // a bar too narrow to click is reached by the mark of the event that moved the gate
  if (n === null || (to - from) * innerWidth < ROOM_TO_HIT)
    return (
      <span
        className="bar"
        data-state={span.state}
        style={style}
        role="img"
        aria-label={description}
        title={description}
      >
        {label}
      </span>
    )
  return (
    <button
      type="button"
      className="bar"
      data-state={span.state}
      style={style}
      aria-label={description}
      title={description}
      onClick={() => choose(n)}
    >
      {label}
    </button>
  )
}
