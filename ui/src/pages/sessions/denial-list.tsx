import type { AgentStop } from '../../../../src/app/dashboard/api.ts'
import { Sheet } from '../../parts/sheet.tsx'
import { Time } from '../../parts/time.tsx'
import { href } from '../../route/route.ts'
import { shortClientName, shortGateName, shortSessionId } from '../../words/name.ts'
import { formatCount } from '../../words/number.ts'

interface Props {
  readonly stops: readonly AgentStop[]
  /** names the session of each entry */
  readonly isOfMany?: boolean
}

const TRIES_STUCK = 5
const OUTCOME_TITLES = {
  fixed: 'the agent did what the gate required and continued',
  bypassed: 'a person bypassed the gate',
  stuck: 'five tries or more without success',
  left: 'the agent did not try again',
}

/** Where an agent was stopped, and how it ended. */
export function DenialList({ stops, isOfMany = false }: Props) {
  if (stops.length === 0) return null
  return (
    <Sheet title="Stops" about="repeated denials count as one stop">
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="c-when">
              when
            </th>
            <th scope="col">{isOfMany ? 'session' : 'gate'}</th>
            <th scope="col" className="wide-only">
              rule
            </th>
            <th scope="col" className="c-number number">
              tries
            </th>
            <th scope="col" className="c-came">
              outcome
            </th>
          </tr>
        </thead>
        <tbody>
          {stops.map(stop => (
            <tr key={`${stop.session} ${stop.gate} ${stop.rule} ${stop.at}`}>
              <td>
                <Time at={stop.at} as="clock" />
              </td>
              <td>
                {isOfMany ? (
                  <a data-row href={href(['sessions', stop.client, stop.session])} title={stop.session}>
                    {shortClientName(stop.client)} <span className="mono">{shortSessionId(stop.session)}</span>
                  </a>
                ) : (
                  <a href={href(['gates', stop.gate])} title={stop.gate}>
                    {shortGateName(stop.gate)}
                  </a>
                )}
              </td>
              <td className="wide-only" title={stop.rule}>
                {stop.rule}
              </td>
              <td className="number">{formatCount(stop.tries)}</td>
              <td>
                {stop.outcome ? (
                  <span title={OUTCOME_TITLES[stop.outcome]}>{stop.outcome}</span>
                ) : stop.tries >= TRIES_STUCK ? (
                  <span className="word" data-tone="ask" title={OUTCOME_TITLES.stuck}>
                    stuck
                  </span>
                ) : (
                  <span className="quiet" title={OUTCOME_TITLES.left}>
                    left
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sheet>
  )
}
