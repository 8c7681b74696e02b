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
          {stops.map(one => (
            <tr key={`${one.session} ${one.gate} ${one.rule} ${one.at}`}>
              <td>
                <Time at={one.at} as="clock" />
              </td>
              <td>
                {isOfMany ? (
                  <a data-row href={href(['sessions', one.client, one.session])} title={one.session}>
                    {shortClientName(one.client)} <span className="mono">{shortSessionId(one.session)}</span>
                  </a>
                ) : (
                  <a href={href(['gates', one.gate])} title={one.gate}>
                    {shortGateName(one.gate)}
                  </a>
                )}
              </td>
              <td className="wide-only" title={one.rule}>
                {one.rule}
              </td>
              <td className="number">{formatCount(one.tries)}</td>
              <td>
                {one.outcome ? (
                  <span title={OUTCOME_TITLES[one.outcome]}>{one.outcome}</span>
                ) : one.tries >= TRIES_STUCK ? (
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
