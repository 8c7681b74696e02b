import { lazy, Suspense } from 'react'
import type { Overview } from '../../../../src/app/dashboard/api.ts'
import { Sheet } from '../../parts/sheet.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { formatCount, formatMs, plural } from '../../words/number.ts'
import { formatDay, formatWhen } from '../../words/time.ts'

const Bars = lazy(() => import('./bars.tsx'))

type Props = Pick<Overview, 'series' | 'p95'>

/** Calls, denied calls and latency over the period. */
export function Traffic({ series, p95 }: Props) {
  const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0)
  const summary = `${plural(sum(series.calls), 'call')}, ${formatCount(sum(series.denied))} denied`
  return (
    <Sheet
      title={`Calls by ${series.step}`}
      about={
        <span className="legend">
          <i data-tone="plain" /> calls <i data-tone="deny" /> denied <i data-tone="line" /> 95 % answered within
        </span>
      }
    >
      <figure className="traffic" aria-label={`Calls by ${series.step}: ${summary}`}>
        <Suspense fallback={<Skeleton rows={4} />}>
          <Bars series={series} p95={p95} />
        </Suspense>
        <table className="only-read">
          <caption>{summary}</caption>
          <tbody>
            {series.at.map((at, nth) => (
              <tr key={at}>
                <th scope="row">{series.step === 'day' ? formatDay(at) : formatWhen(at)}</th>
                <td>{plural(series.calls[nth] ?? 0, 'call')}</td>
                <td>{series.denied[nth] ?? 0} denied</td>
                <td>95 % within {formatMs(p95[nth] ?? null)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </figure>
    </Sheet>
  )
}
