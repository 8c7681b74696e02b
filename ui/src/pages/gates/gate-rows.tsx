import type { GateCard } from '../../../../src/app/dashboard/api.ts'
import { type CountColumn, GateCells, GateHeads, GateName } from '../../parts/gate-columns.tsx'
import { Sheet } from '../../parts/sheet.tsx'

interface Props {
  readonly title: string
  readonly gates: readonly GateCard[]
}

const COLUMNS: readonly CountColumn[] = ['fired', 'fixed', 'stuck', 'asked', 'would']

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
            <th scope="col" className="g-now">
              now
            </th>
            <th scope="col" className="g-about wide-only">
              about
            </th>
            <GateHeads columns={COLUMNS} />
          </tr>
        </thead>
        <tbody>
          {gates.map(gate => (
            <tr key={gate.id}>
              <GateName id={gate.id} name={gate.name} mode={gate.mode} />
              <td className="g-now quiet">{nowOf(gate)}</td>
              <td className="g-about wide-only quiet" title={gate.about}>
                <span className="three-lines">{gate.about ?? gate.at ?? ''}</span>
              </td>
              <GateCells numbers={gate.numbers} columns={COLUMNS} />
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
