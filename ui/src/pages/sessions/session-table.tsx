import type { SessionRow } from '../../../../src/app/dashboard/api.ts'
import { Count } from '../../parts/count.tsx'
import { Time } from '../../parts/time.tsx'
import { href } from '../../route/route.ts'
import { fileOf, shortClientName, shortSessionId } from '../../words/name.ts'
import { formatHoursAndMinutes } from '../../words/time.ts'

export function SessionTable({ rows }: { readonly rows: readonly SessionRow[] }) {
  return (
    <div className="sheet">
      <table className="table sessions">
        <thead>
          <tr>
            <th scope="col" className="s-id">
              session
            </th>
            <th scope="col" className="s-client">
              agent
            </th>
            <th scope="col" className="some-only">
              project
            </th>
            <th scope="col" className="s-last">
              last seen
            </th>
            <th scope="col" className="s-span roomy-only">
              length
            </th>
            <th scope="col" className="c-number number roomy-only">
              subagents
            </th>
            <th scope="col" className="c-number number roomy-only">
              events
            </th>
            <th scope="col" className="c-number number">
              calls
            </th>
            <th scope="col" className="c-number number">
              denied
            </th>
            <th scope="col" className="c-number number some-only">
              asked
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(one => (
            <tr key={`${one.client} ${one.session}`}>
              <td>
                <a data-row className="mono" href={href(['sessions', one.client, one.session])} title={one.session}>
                  {shortSessionId(one.session)}
                </a>
              </td>
              <td title={one.client}>{shortClientName(one.client)}</td>
              <td className="some-only" title={one.project ?? undefined}>
                {one.project === null ? '–' : fileOf(one.project)}
              </td>
              <td>
                <Time at={one.lastAt} as="ago" />
              </td>
              <td className="roomy-only">{formatHoursAndMinutes(one.lastAt - one.firstAt)}</td>
              <Count n={one.agents} room="roomy" />
              <Count n={one.events} room="roomy" />
              <Count n={one.calls} />
              <Count n={one.denied} tone="deny" />
              <Count n={one.asked} tone="ask" room="some" />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
