import type { DecisionRow } from '../../../../src/app/dashboard/api.ts'
import { href, useRoute } from '../../route/route.ts'
import { shortGateName, shortSessionId } from '../../words/name.ts'
import { formatTimeArgument } from '../../words/time.ts'
import { DETAIL_KEYS } from './filter.ts'

/** Filters that a link set in addition to the decision and agent filters. A click removes a filter. */
export function ActiveFilters({ row }: { readonly row: DecisionRow | undefined }) {
  const { query } = useRoute()
  const filters = DETAIL_KEYS.flatMap(key => {
    const value = query.get(key)
    return value === null ? [] : [{ key, value }]
  })
  if (filters.length === 0) return null
  const chips = filters.map(({ key, value }) => {
    const label = FILTER_LABELS[key]?.(value, row) ?? `${key} ${value}`
    return (
      <a
        key={key}
        className="chip on"
        href={href(['feed'], { ...Object.fromEntries(query), [key]: undefined })}
        aria-label={`${label}: show all again`}
        title={value}
      >
        <span className="cut">{label}</span> <span aria-hidden="true">×</span>
      </a>
    )
  })
  return <div className="narrow">{chips}</div>
}

type FilterLabel = (value: string, row: DecisionRow | undefined) => string

const FILTER_LABELS: Readonly<Partial<Record<(typeof DETAIL_KEYS)[number], FilterLabel>>> = {
  gate: value => `gate ${shortGateName(value)}`,
  session: value => `session ${shortSessionId(value)}`,
  // an id means little to a person, so the type from a matching row is added
  subagent: (value, row) => {
    if (value === 'main') return 'main agent'
    return row?.agent === value ? `subagent ${row.caller} ${value}` : `subagent ${value}`
  },
  since: value => `since ${formatTimeArgument(value)}`,
  until: value => `until ${formatTimeArgument(value)}`,
  all: () => 'every event',
}
