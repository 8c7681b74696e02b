import type { GateCard } from '../../../../src/dashboard/api.ts'
import { Count } from '../../parts/count.tsx'
import { Mode } from '../../parts/mode.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { Spark } from '../../parts/spark.tsx'
import { href } from '../../route/route.ts'
import { COUNTED } from '../../words/column.ts'

interface Props {
  readonly title: string
  readonly gates: readonly GateCard[]
}

export function GateRows({ title, gates }: Props) {
  if (gates.length === 0) return null
  return (
    <Sheet title={title}>
      <table className="table gates">
        <thead>
          <tr>
            <th scope="col" className="g-name">
              gate
            </th>
            <th scope="col" className="c-mode">
              mode
            </th>
            <th scope="col" className="g-now wide-only">
              now
            </th>
            <th scope="col" className="wide-only">
              about
            </th>
            <th scope="col" className="c-number number" title={COUNTED.fired}>
              fired
            </th>
            <th scope="col" className="c-number number wide-only" title={COUNTED.fixed}>
              fixed
            </th>
            <th scope="col" className="c-number number" title={COUNTED.stuck}>
              stuck
            </th>
            <th scope="col" className="c-number number" title={COUNTED.asked}>
              asked
            </th>
            <th scope="col" className="c-number number wide-only" title={COUNTED.would}>
              would stop
            </th>
            <th scope="col" className="c-spark wide-only">
              7 days
            </th>
          </tr>
        </thead>
        <tbody>
          {gates.map(one => (
            <tr key={one.id}>
              <td title={one.id}>
                <a data-row href={href(['gates', one.id])}>
                  {one.name}
                </a>
              </td>
              <td>
                <Mode mode={one.mode} />
              </td>
              <td className="quiet wide-only">{nowOf(one)}</td>
              <td className="g-about wide-only quiet" title={one.about}>
                {one.about ?? one.at ?? ''}
              </td>
              <Count n={one.numbers.fired} />
              <Count n={one.numbers.fixed} wide />
              <Count n={one.numbers.stuck} tone="ask" />
              <Count n={one.numbers.asked} tone="ask" />
              <Count n={one.numbers.wouldDeny + one.numbers.wouldAsk} wide />
              <td className="wide-only">
                <Spark values={one.numbers.week} what={`${one.name} fired`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sheet>
  )
}

function nowOf({ initial, live }: GateCard): string {
  if (initial === null) return 'always'
  const parts = [live.closed > 0 && `${live.closed} closed`, live.open > 0 && `${live.open} open`]
  return parts.filter(Boolean).join(', ') || `${initial} at first`
}
