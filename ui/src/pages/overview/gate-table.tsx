import type { GateStatistics } from '../../../../src/app/dashboard/api.ts'
import { type CountColumn, GateCells, GateHeads, GateName } from '../../parts/gate-columns.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { href } from '../../route/route.ts'

const COLUMNS: readonly CountColumn[] = ['fired', 'fixed', 'bypassed', 'stuck', 'left', 'asked', 'would']

/** What each gate did, and the result. */
export function GateTable({ gates }: { readonly gates: readonly GateStatistics[] }) {
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
            <GateHeads columns={COLUMNS} />
          </tr>
        </thead>
        <tbody>
          {gates.map(gate => (
            <tr key={gate.gate}>
              <GateName id={gate.gate} name={gate.name} mode={gate.mode} />
              <GateCells numbers={gate} columns={COLUMNS} />
            </tr>
          ))}
        </tbody>
      </table>
    </Sheet>
  )
}
