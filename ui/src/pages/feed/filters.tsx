import { useEffect, useRef, useState } from 'react'
import type { DecisionRow } from '../../../../src/app/dashboard/api.ts'
import { useStatus } from '../../parts/status.tsx'
import { toneOf } from '../../parts/tone.ts'
import { changeQuery, href, navigate, type Route, useRoute } from '../../route/route.ts'
import { decisionLabel, decisionMeaning } from '../../words/outcome.ts'
import { ActiveFilters } from './active-filters.tsx'
import { chosenDecisions, DECISION_WORDS, toggleDecision } from './filter.ts'

const LATER_MS = 250

/** The filter controls. All choices are kept in the address. `row`: one of the matching rows. */
export function Filters({ row }: { readonly row: DecisionRow | undefined }) {
  const route = useRoute()
  const chosen = chosenDecisions(route)
  const { data } = useStatus()
  return (
    <div className="filters">
      <fieldset className="chips">
        <legend className="only-read">Outcome</legend>
        {DECISION_WORDS.map(word => (
          <label key={word} className="chip" data-tone={toneOf(word)} title={decisionMeaning(word)}>
            <input
              type="checkbox"
              className="only-read"
              checked={chosen.has(word)}
              onChange={() => changeQuery(route, { decision: toggleDecision(chosen, word) })}
            />
            {word === 'would' ? decisionLabel(word) : word}
          </label>
        ))}
      </fieldset>
      <select
        className="field"
        aria-label="Agent"
        value={route.query.get('client') ?? ''}
        onChange={event => changeQuery(route, { client: event.target.value || undefined })}
      >
        <option value="">all agents</option>
        {data?.clients.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
      <Search />
      <ActiveFilters row={row} />
    </div>
  )
}

/** Closes the open row, because it may not match the new search. */
const seek = ({ query }: Route, text: string): void =>
  navigate(href(['feed'], { ...Object.fromEntries(query), text: text || undefined }), { replace: true })

function Search() {
  const route = useRoute()
  const urlText = route.query.get('text') ?? ''
  const [text, setText] = useState(urlText)
  const box = useRef<HTMLInputElement>(null)
  const latest = useRef(route)
  latest.current = route
  useEffect(() => setText(urlText), [urlText])
  useEffect(() => {
    if (text === urlText) return
    const timer = setTimeout(() => seek(latest.current, text), LATER_MS)
    return () => clearTimeout(timer)
  }, [text, urlText])
  // `/` on another page leads here with `search` set
  const isWanted = route.query.has('search')
  useEffect(() => {
    if (!isWanted) return
    box.current?.focus()
    changeQuery(latest.current, { search: undefined })
  }, [isWanted])
  return (
    <input
      ref={box}
      type="search"
      className="field search"
      placeholder="Search commands, gates, sessions  /"
      aria-label="Search commands, paths, reasons, gates, rules, subagents and sessions"
      value={text}
      onChange={event => setText(event.target.value)}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        // the first press clears the field, the second leaves it
        event.preventDefault()
        if (text === '') box.current?.blur()
        else setText('')
      }}
    />
  )
}
