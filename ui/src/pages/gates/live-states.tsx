import type { LiveGateState } from '../../../../src/app/dashboard/api.ts'
import { Sheet } from '../../parts/sheet.tsx'
import { Time } from '../../parts/time.tsx'
import { href } from '../../route/route.ts'
import { shortClientName, shortSessionId } from '../../words/name.ts'

interface Props {
  readonly live: readonly LiveGateState[]
}

/** The gate's state in every live session. */
export function LiveStates({ live }: Props) {
  return (
    <Sheet title="Now">
      {live.length === 0 ? (
        <p className="inside quiet">No live session has used it yet. Each session starts in the initial state.</p>
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">session</th>
              <th scope="col" className="c-mode">
                state
              </th>
              <th scope="col" className="l-when">
                since
              </th>
              <th scope="col" className="l-when roomy-only">
                last seen
              </th>
            </tr>
          </thead>
          <tbody>
            {live.map(one => (
              <tr key={`${one.client} ${one.session} ${one.caller ?? ''}`}>
                <td title={one.session}>
                  <a data-row href={href(['sessions', one.client, one.session])}>
                    {shortClientName(one.client)} <span className="mono">{shortSessionId(one.session)}</span>
                  </a>
                  {one.caller !== undefined && <span className="quiet"> {one.caller}</span>}
                </td>
                <td>{one.state}</td>
                <td>
                  {one.changedAt === null ? (
                    <span className="quiet">session start</span>
                  ) : (
                    <Time at={one.changedAt} as="ago" />
                  )}
                </td>
                <td className="quiet roomy-only">
                  <Time at={one.seenAt} as="ago" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Sheet>
  )
}
