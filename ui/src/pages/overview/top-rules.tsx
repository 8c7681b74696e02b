import type { Overview } from '../../../../src/app/dashboard/api.ts'
import { Count } from '../../parts/count.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { href } from '../../route/route.ts'
import type { StatisticsScope } from './statistics-scope.ts'

interface Props {
  readonly rules: Overview['top']
  readonly of: StatisticsScope
}

/** The rules that matched most. */
export function TopRules({ rules, of }: Props) {
  const matched = rules.filter(rule => rule.fired > 0)
  return (
    <Sheet title="Rules and routes with most matches">
      {matched.length === 0 ? (
        <p className="inside quiet">No rule matched in this period.</p>
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">rule or route</th>
              <th scope="col">gate</th>
              <th scope="col" className="c-number number">
                hits
              </th>
              <th scope="col" className="c-number number wide-only">
                decided
              </th>
            </tr>
          </thead>
          <tbody>
            {matched.map(one => (
              <tr key={`${one.gate} ${one.rule}`}>
                <td className="wraps" title={one.rule}>
                  <a data-row href={href(['feed'], { ...of, gate: one.gate, rule: one.rule })}>
                    {one.rule}
                  </a>
                </td>
                <td className="wraps" title={one.gate}>
                  <a href={href(['gates', one.gate])}>{one.name}</a>
                </td>
                <Count n={one.fired} />
                <Count n={one.decided} room="wide" />
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Sheet>
  )
}
