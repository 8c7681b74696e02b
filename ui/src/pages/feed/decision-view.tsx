import type { DecisionDetail } from '../../../../src/app/dashboard/api.ts'
import { useQuery } from '../../api/use-query.ts'
import { ExplanationTree } from '../../explain/explanation-tree.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { useTypedCommand } from '../../parts/status.tsx'
import { TextWithCode } from '../../parts/text-with-code.tsx'
import { Time } from '../../parts/time.tsx'
import { href, useRoute } from '../../route/route.ts'
import { isMainAgent, shortSessionId } from '../../words/name.ts'
import { formatMs } from '../../words/number.ts'

/** One decision in full: caller, action and explanation. */
export function DecisionView({ n }: { readonly n: number }) {
  const answer = useQuery<DecisionDetail>(`/api/decisions/${n}`)
  return <QueryView answer={answer}>{detail => <Detail detail={detail} />}</QueryView>
}

const NOBODYS =
  'No gate evaluated it, because the agent could not be determined. `signalbox doctor` shows the problem and its fix.'

function Detail({ detail }: { readonly detail: DecisionDetail }) {
  const { row, callerName, record, explained, why } = detail
  const isNobodys = row.session === ''
  const typed = useTypedCommand()
  const { page, query } = useRoute()
  // in the feed, links keep the filters; elsewhere they lead to the feed of the session
  const whose = { session: row.session, client: row.client, all: '1' }
  const beside = (n: number): string =>
    href(['feed', String(n)], page === 'feed' ? Object.fromEntries(query) : isNobodys ? {} : whose)
  return (
    <div className="decision">
      <dl className="facts">
        <Fact name="when">
          <Time at={row.at} />, <Time at={row.at} as="ago" />
        </Fact>
        <Fact name="who">
          {isNobodys ? (
            'unknown: the hook was answered before the caller was determined'
          ) : (
            <>
              {row.client},{' '}
              <a href={href(['sessions', row.client, row.session])} title={row.session}>
                session {shortSessionId(row.session)}
              </a>
              , <Caller row={row} callerName={callerName} />
            </>
          )}
        </Fact>
        <Fact name="event">
          {row.event}
          {row.tool !== undefined && `, ${row.tool}`}
          {row.ms !== undefined && `, ${formatMs(row.ms)}`}
        </Fact>
        {record.line !== undefined && (
          <Fact name="line">
            <code className="act">{record.line}</code>
          </Fact>
        )}
        {record.ended !== undefined && (
          <Fact name="ended">{record.ended === 'unknown' ? 'the agent does not report it' : record.ended}</Fact>
        )}
        {record.acts.length > 0 && (
          <Fact name="what">
            {record.acts.map(act => (
              <code key={act} className="act">
                {act}
              </code>
            ))}
          </Fact>
        )}
        {[...record.errors, ...record.notes].map(line => (
          <Fact key={line} name="note">
            {line}
          </Fact>
        ))}
      </dl>
      {explained ? (
        <ExplanationTree explained={explained} />
      ) : (
        <Unexplained reason={record.reason} why={isNobodys ? NOBODYS : why} />
      )}
      <p className="ways">
        {detail.earlier !== null && <a href={beside(detail.earlier)}>previous in this session</a>}
        {detail.later !== null && <a href={beside(detail.later)}>later</a>}
        {!isNobodys && (
          <>
            <a href={href(['playground'], { record: String(row.n) })}>try changes in the playground</a>
            <code>{typed(`signalbox explain ${row.n}`)}</code>
          </>
        )}
      </p>
    </div>
  )
}

/** A subagent's name links to everything it did. */
function Caller({ row, callerName }: Pick<DecisionDetail, 'row' | 'callerName'>) {
  const { client, session, caller, agent } = row
  if (isMainAgent(row)) return callerName
  return (
    <a
      href={href(['feed'], { client, session, subagent: agent ?? caller, all: '1' })}
      title={agent === undefined ? undefined : `id ${agent}`}
    >
      {callerName}
    </a>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Unexplained({ reason, why }: { readonly reason: string | undefined; readonly why: string | undefined }) {
  return (
    <>
      {reason && (
        <p className="reason">
          <TextWithCode text={reason} />
        </p>
      )}
      <p className="quiet">
        <TextWithCode text={why ?? 'No rule matched.'} />
      </p>
    </>
  )
}
