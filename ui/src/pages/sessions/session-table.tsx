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
          {rows.map(row => (
            <tr key={`${row.client} ${row.session}`}>
              <td>
                <a data-row className="mono" href={href(['sessions', row.client, row.session])} title={row.session}>
                  {shortSessionId(row.session)}
                </a>
              </td>
              <td title={row.client}>{shortClientName(row.client)}</td>
              <td className="some-only" title={row.project ?? undefined}>
                {row.project === null ? '–' : fileOf(row.project)}
              </td>
              <td>
                <Time at={row.lastAt} as="ago" />
              </td>
              <td className="roomy-only">{formatHoursAndMinutes(row.lastAt - row.firstAt)}</td>
              <Count n={row.agents} room="roomy" />
              <Count n={row.events} room="roomy" />
              <Count n={row.calls} />
              <Count n={row.denied} tone="deny" />
              <Count n={row.asked} tone="ask" room="some" />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
