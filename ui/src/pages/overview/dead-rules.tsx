import type { Overview } from '../../../../src/dashboard/api.ts'
import { Sheet } from '../../parts/sheet.tsx'
import { Time } from '../../parts/time.tsx'
import { href } from '../../route/route.ts'
import { plural } from '../../words/number.ts'

interface Props {
  readonly dead: Overview['dead']
  readonly overridden: Overview['overridden']
}

const MOST = 8

/** What is in the policy and of no use: silent all the time, or never heeded. */
export function DeadRules({ dead, overridden }: Props) {
  const rows = [
    ...overridden.map(one => ({ one, why: 'always overruled' })),
    ...dead.map(one => ({ one, why: undefined })),
  ]
  return (
    <Sheet title="Rules of no use here" about={rows.length > 0 && `${plural(dead.length, 'rule')} silent`}>
      {rows.length === 0 ? (
        <p className="inside quiet">Every rule spoke in this period.</p>
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">rule or route</th>
              <th scope="col">gate</th>
              <th scope="col">last spoke</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST).map(({ one, why }) => (
              <tr key={`${one.gate} ${one.rule}`}>
                <td className="wraps" title={one.rule}>
                  {one.rule}
                </td>
                <td className="wraps" title={one.gate}>
                  <a data-row href={href(['gates', one.gate])}>
                    {one.name}
                  </a>
                </td>
                <td className="quiet">{why ?? (one.lastAt === null ? 'never' : <Time at={one.lastAt} as="ago" />)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.length > MOST && <p className="inside quiet">and {rows.length - MOST} more</p>}
    </Sheet>
  )
}
