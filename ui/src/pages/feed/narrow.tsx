import type { DecisionRow } from '../../../../src/dashboard/api.ts'
import { href, useRoute } from '../../route/route.ts'
import { gateOf, sessionOf } from '../../words/name.ts'
import { momentOf } from '../../words/time.ts'
import { NARROW } from './filter.ts'

/** What a link to the feed asked for beside the words and the agent: each is taken back by a click. */
export function Narrow({ row }: { readonly row: DecisionRow | undefined }) {
  const { query } = useRoute()
  const asked = NARROW.flatMap(key => {
    const value = query.get(key)
    return value === null ? [] : [{ key, value }]
  })
  if (asked.length === 0) return null
  const chips = asked.map(({ key, value }) => {
    const says = SAYS[key]?.(value, row) ?? `${key} ${value}`
    return (
      <a
        key={key}
        className="chip on"
        href={href(['feed'], { ...Object.fromEntries(query), [key]: undefined })}
        aria-label={`${says}: show all again`}
        title={value}
      >
        <span className="cut">{says}</span> <span aria-hidden="true">×</span>
      </a>
    )
  })
  return <div className="narrow">{chips}</div>
}

type Says = (value: string, row: DecisionRow | undefined) => string

const SAYS: Readonly<Partial<Record<(typeof NARROW)[number], Says>>> = {
  gate: value => `gate ${gateOf(value)}`,
  session: value => `session ${sessionOf(value)}`,
  // an id says nothing to a person: what it is stands in its rows
  subagent: (value, row) => {
    if (value === 'main') return 'main agent'
    return row?.agent === value ? `subagent ${row.caller} ${value}` : `subagent ${value}`
  },
  since: value => `since ${momentOf(value)}`,
  until: value => `until ${momentOf(value)}`,
  all: () => 'every event',
}
