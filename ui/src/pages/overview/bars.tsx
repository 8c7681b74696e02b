import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Overview } from '../../../../src/app/dashboard/api.ts'
import { formatCount, formatMs } from '../../words/number.ts'
import { formatDay, formatMinute, formatWhen } from '../../words/time.ts'

type Series = Overview['series']

const HEIGHT = 150
/** fewer bars than this do not fill the width: they stand at the end, where the latest is */
const LEAST_BARS = 6

/** A canvas cannot use CSS variables, so their current values are read. */
function colours(element: HTMLElement): (name: string) => string {
  const probe = element.appendChild(document.createElement('i'))
  const found = new Map<string, string>()
  for (const name of ['--mark', '--deny-solid', '--line', '--ink-2', '--ink-3']) {
    probe.style.color = `var(${name})`
    found.set(name, getComputedStyle(probe).color)
  }
  probe.remove()
  return name => found.get(name) ?? 'gray'
}

function optionsFor(element: HTMLElement, series: Series, point: (nth: number | null) => void): uPlot.Options {
  const colour = colours(element)
  const bars = uPlot.paths.bars?.({ size: [0.7, 46], radius: 0.1 })
  const axis = {
    stroke: colour('--ink-3'),
    font: `11px ${getComputedStyle(element).fontFamily}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  }
  const drawn = (name: string): uPlot.Series => ({
    fill: colour(name),
    stroke: colour(name),
    width: 0,
    points: { show: false },
    ...(bars && { paths: bars }),
  })
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [8, 4, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      // with a single bar uPlot would choose its own range
      x: { time: false, range: () => [Math.min(0, series.at.length - LEAST_BARS) - 0.5, series.at.length - 0.5] },
      y: { range: (_, _low, high) => [0, Math.max(4, high * 1.08)] },
      ms: { range: (_, _low, high) => [0, Math.max(10, (high ?? 0) * 1.3)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        gap: 4,
        space: 70,
        incrs: [1, 2, 3, 4, 6, 12, 24, 48, 96],
        values: (_, ticks) => ticks.map(nth => labelOf(series, nth)),
      },
      {
        ...axis,
        size: 44,
        gap: 6,
        space: 24,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000],
        values: (_, ticks) => ticks.map(formatCount),
      },
      {
        ...axis,
        scale: 'ms',
        side: 1,
        grid: { show: false },
        size: 52,
        gap: 6,
        space: 36,
        values: (_, ticks) => ticks.map(formatMs),
      },
    ],
    series: [
      {},
      drawn('--mark'),
      drawn('--deny-solid'),
      { scale: 'ms', stroke: colour('--ink-2'), width: 1.5, points: { size: 4 } },
    ],
    hooks: { setCursor: [plot => point(plot.cursor.idx ?? null)] },
  }
}

function labelOf({ at, step }: Series, nth: number): string {
  const time = Number.isInteger(nth) ? at[nth] : undefined
  if (time === undefined) return ''
  return step === 'day' ? formatDay(time) : formatMinute(time)
}

type Props = Pick<Overview, 'series' | 'p95'>

/** Bars by hour or day, a line for the latency, and a text for the bar under the pointer. */
export default function Bars({ series, p95 }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [nth, point] = useState<number | null>(null)
  const [theme, setTheme] = useState(0)

  useEffect(() => {
    const turned = (): void => setTheme(n => n + 1)
    const machine = matchMedia('(prefers-color-scheme: dark)')
    addEventListener('signalbox:theme', turned)
    machine.addEventListener('change', turned)
    return () => {
      removeEventListener('signalbox:theme', turned)
      machine.removeEventListener('change', turned)
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `theme` is what it is drawn anew for
  useEffect(() => {
    const element = box.current
    if (!element) return
    const data: uPlot.AlignedData = [
      series.at.map((_, index) => index),
      ...[series.calls, series.denied, p95].map(list => [...list]),
    ]
    const plot = new uPlot(optionsFor(element, series, point), data, element)
    const sized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    sized.observe(element)
    return () => {
      sized.disconnect()
      plot.destroy()
    }
  }, [series, p95, theme])

  const at = nth === null ? undefined : series.at[nth]
  return (
    <div className="bars" aria-hidden="true">
      <p className="bars-said">
        {at !== undefined && nth !== null && (
          <>
            {series.step === 'day' ? formatDay(at) : formatWhen(at)}: {formatCount(series.calls[nth] ?? 0)} calls,{' '}
            {formatCount(series.denied[nth] ?? 0)} denied, 95 % within {formatMs(p95[nth] ?? null)}
          </>
        )}
      </p>
      <div ref={box} />
    </div>
  )
}
