import type { Overview } from '../../../../src/app/dashboard/api.ts'
import { Sheet } from '../../parts/sheet.tsx'
import { Time } from '../../parts/time.tsx'
import { href } from '../../route/route.ts'
import { plural } from '../../words/number.ts'

interface Props {
  readonly dead: Overview['unmatched']
  readonly overridden: Overview['overridden']
}

const MOST = 8

/** Rules without effect: never matched, or overruled each time. Rules of gates come before routes of packs. */
export function DeadRules({ dead, overridden }: Props) {
  const rows = [
    ...overridden.map(one => ({ one, why: 'always overridden' })),
    ...[...dead]
      .sort((a, b) => Number(a.kind === 'route') - Number(b.kind === 'route'))
      .map(one => ({ one, why: undefined })),
  ]
  return (
    <Sheet title="Rules without effect in this period" about={rows.length > 0 && plural(rows.length, 'rule')}>
      {rows.length === 0 ? (
        <p className="inside quiet">Every rule had an effect in this period.</p>
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">rule or route</th>
              <th scope="col">gate</th>
              <th scope="col">last match</th>
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
      {rows.length > 0 && (
        <p className="inside quiet">
          {rows.length > MOST && (
            <>
              And {rows.length - MOST} more, on the pages of <a href={href(['gates'])}>their gates</a>.{' '}
            </>
          )}
          A rule against something rare does not match until that happens. A rule without matches can still be useful.
        </p>
      )}
    </Sheet>
  )
}
