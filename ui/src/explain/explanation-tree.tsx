import { useState } from 'react'
import type { ExplainedDecision } from '../../../src/app/dashboard/api.ts'
import { TextWithCode } from '../parts/text-with-code.tsx'
import { plural } from '../words/number.ts'
import { byRelevance, isRelevantGate } from './explained-gate.ts'
import { ExplainedGateLine } from './gate.tsx'

/** Explains a decision: each gate, its expected and actual values, and the counterfactuals. */
export function ExplanationTree({ explained }: { readonly explained: ExplainedDecision }) {
  const [isAll, setAll] = useState(false)
  const { gates, counterfactuals, notes, reason } = explained
  const shown = (isAll ? [...gates] : gates.filter(isRelevantGate)).sort(byRelevance)
  const quiet = gates.length - shown.length
  return (
    <div className="tree">
      {reason && (
        <p className="reason">
          <TextWithCode text={reason} />
        </p>
      )}
      {gates.length === 0 && <p className="quiet">No gate applies here.</p>}
      <ul className="gates-seen">
        {shown.map(one => (
          <ExplainedGateLine key={one.gate} gate={one} isAll={isAll} />
        ))}
      </ul>
      {(quiet > 0 || isAll) && (
        <button type="button" className="more" onClick={() => setAll(!isAll)} aria-expanded={isAll}>
          {isAll ? 'Show relevant gates only' : `${plural(quiet, 'other gate')} not relevant`}
        </button>
      )}
      {counterfactuals.length > 0 && (
        <ul className="flips" aria-label="What would have changed it">
          {counterfactuals.map(counterfactual => (
            <li key={counterfactual.text}>
              <b>What if</b> <TextWithCode text={counterfactual.text} />
            </li>
          ))}
        </ul>
      )}
      {notes.length > 0 && (
        <ul className="asides">
          {notes.map(note => (
            <li key={note}>
              <TextWithCode text={note.replace(/; change them with --given \S+$/, '')} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
