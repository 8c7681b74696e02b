import type { GateNumbers } from '../../../../src/dashboard/api.ts'
import { Count } from '../../parts/count.tsx'
import { Mode } from '../../parts/mode.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { Spark } from '../../parts/spark.tsx'
import { href } from '../../route/route.ts'
import { COUNTED } from '../../words/column.ts'

/** What each gate did, and what came of it. */
export function GateTable({ gates }: { readonly gates: readonly GateNumbers[] }) {
  if (gates.length === 0) return null
  return (
    <Sheet title="Gates" end={<a href={href(['gates'])}>all gates</a>}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">gate</th>
            <th scope="col" className="c-mode">
              mode
            </th>
            <th scope="col" className="c-number number" title={COUNTED.fired}>
              fired
            </th>
            <th scope="col" className="c-number number" title={COUNTED.fixed}>
              fixed
            </th>
            <th scope="col" className="c-number number wide-only" title={COUNTED.bypassed}>
              bypassed
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
            <tr key={one.gate}>
              <td>
                <a data-row href={href(['gates', one.gate])} title={one.gate}>
                  {one.name}
                </a>
              </td>
              <td>
                <Mode mode={one.mode} />
              </td>
              <Count n={one.fired} />
              <Count n={one.fixed} />
              <Count n={one.bypassed} wide />
              <Count n={one.stuck} tone="ask" />
              <Count n={one.asked} tone="ask" />
              <Count n={one.wouldDeny + one.wouldAsk} wide />
              <td className="wide-only">
                <Spark values={one.week} what={`${one.name} fired`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sheet>
  )
}
