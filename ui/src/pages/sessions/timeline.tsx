import { type KeyboardEvent, useMemo, useRef } from 'react'
import type { SessionDetail, SessionEvent } from '../../../../src/app/dashboard/api.ts'
import { href } from '../../route/route.ts'
import { plural } from '../../words/number.ts'
import { formatClock, formatInLargestUnit, formatMinute } from '../../words/time.ts'
import { EventMark } from './event-mark.tsx'
import { GateBars } from './gate-bars.tsx'
import { neighbourEvent } from './neighbour-event.ts'
import { type TimeScale, timeScale } from './time-scale.ts'

interface Props {
  readonly detail: SessionDetail
  readonly chosen: number | undefined
  readonly choose: (n: number) => void
}

const TICKS = 6
/** in a shorter timeline, ticks with minutes would repeat */
const SHORT_MS = TICKS * 60_000

/** Lanes for callers and bars for gates along one time axis. */
export function Timeline({ detail, chosen, choose }: Props) {
  const { lanes, events, gates } = detail
  const { client, session } = detail.row
  const box = useRef<HTMLDivElement>(null)
  const scale = useMemo(
    () =>
      timeScale(
        events.map(event => event.at),
        TICKS,
      ),
    [events],
  )
  const isShort = (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0) < SHORT_MS
  const current = events.find(event => event.n === chosen) ?? events.at(-1)
  const walk = (event: KeyboardEvent): void => {
    const next = current && neighbourEvent(events, current, event.key)
    if (!next) return
    event.preventDefault()
    choose(next.n)
    box.current?.querySelector<HTMLElement>(`[data-n="${next.n}"]`)?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the marks in it
    <div className="timeline" ref={box} onKeyDown={walk}>
      <div className="axis" aria-hidden="true">
        {ticksOf(scale, isShort).map(({ x, label }) => (
          <span key={x} style={{ left: `${x * 100}%` }} data-end={x === 0 ? 'first' : x === 1 ? 'last' : undefined}>
            {label}
          </span>
        ))}
      </div>
      {lanes.map((lane, nth) => (
        // biome-ignore lint/a11y/useSemanticElements: a lane is no form
        <div
          key={lane.agent ?? `:${lane.caller}`}
          className="lane"
          role="group"
          aria-label={`${lane.name}, ${plural(lane.events, 'event')}`}
        >
          <p className="lane-name cut" title={lane.agent === undefined ? lane.name : `${lane.name}, id ${lane.agent}`}>
            <a
              href={href(['feed'], { client, session, subagent: lane.agent ?? lane.caller, all: '1' })}
              aria-label={`${lane.name}: its events as a list`}
            >
              {lane.name}
            </a>
          </p>
          <div className="lane-line">
            <i className="lane-span" style={spanStyle(scale.at(lane.firstAt), scale.at(lane.lastAt))} />
            {marksOf(events, nth).map(one => (
              <EventMark
                key={one.n}
                event={one}
                caller={lanes.length > 1 ? lane.name : undefined}
                x={scale.at(one.at)}
                isCurrent={one === current}
                isChosen={one.n === chosen}
                choose={choose}
              />
            ))}
          </div>
        </div>
      ))}
      {gates.length > 0 && <p className="lanes-head">gates</p>}
      {gates.map(gate => (
        <GateBars
          key={`${gate.gate} ${gate.lane ?? ''}`}
          line={gate}
          whose={gate.lane === undefined ? undefined : lanes[gate.lane]?.name}
          scale={scale}
          choose={choose}
        />
      ))}
      <div className="pauses" aria-hidden="true">
        {scale.pauses.map(({ x, ms }) => (
          <i key={x} style={{ left: `${x * 100}%` }} title={`nothing for ${formatInLargestUnit(ms)}`} />
        ))}
      </div>
    </div>
  )
}

/** Removes repeated labels: all ticks may fall into the same second. */
const ticksOf = ({ ticks }: TimeScale, isShort: boolean) =>
  ticks
    .map(({ x, time }) => ({ x, label: isShort ? formatClock(time) : formatMinute(time) }))
    .filter(({ label }, nth, all) => all[nth - 1]?.label !== label)

const spanStyle = (from: number, to: number) => ({ left: `${from * 100}%`, width: `${(to - from) * 100}%` })

const LOUD: ReadonlySet<string> = new Set(['DENY', 'ASK', 'ERROR'])

/** Important marks are drawn last, above the others. */
const marksOf = (events: readonly SessionEvent[], lane: number): readonly SessionEvent[] =>
  events.filter(event => event.lane === lane).sort((a, b) => Number(LOUD.has(a.outcome)) - Number(LOUD.has(b.outcome)))
