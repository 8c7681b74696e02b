import { Fragment } from 'react'
import type { DashboardStatus, GateCard } from '../../../../src/app/dashboard/api.ts'
import { AssumedStatesForm } from './assumed-states-form.tsx'
import type { AssumedStates } from './use-playground.ts'

interface Value {
  readonly event: string
  readonly client: string
  readonly caller: string
  readonly given: AssumedStates
}

interface Props {
  readonly clients: DashboardStatus['clients']
  readonly gates: readonly GateCard[]
  readonly value: Value
  /** judged as recorded, because the shorthand cannot express it */
  readonly isRecord: boolean
  readonly change: (next: Partial<Value>) => void
  readonly run: () => void
}

const EXAMPLES = ['write: src/index.ts', 'fetch: https://example.com', 'prompt: "fix the tests"']
/** Examples of events other than the start of a call. */
const ENDS = ['{ shell: npm test, after: succeeded }', 'starts: reviewer', 'stops: reviewer']

/** The event, its caller, and the gate states to assume. */
export function EventForm({ clients, gates, value, isRecord, change, run }: Props) {
  return (
    <form
      className="inside form"
      onSubmit={event => {
        event.preventDefault()
        run()
      }}
    >
      <label>
        <span>What happens</span>
        <textarea
          className="field code-field"
          rows={3}
          spellCheck={false}
          value={value.event}
          placeholder={isRecord ? 'as it was recorded; type to try something else' : 'git push origin main'}
          onChange={event => change({ event: event.target.value })}
        />
      </label>
      <p className="quiet">
        A shell line, or <Examples all={EXAMPLES} change={change} />; the end of a call, a subagent that starts or
        stops: <Examples all={ENDS} change={change} />
      </p>
      <div className="pair">
        <label>
          <span>Agent</span>
          <select
            className="field"
            value={value.client || 'claude-code'}
            onChange={event => change({ client: event.target.value })}
          >
            {clients.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Called by</span>
          <input
            className="field"
            value={value.caller}
            placeholder="the main agent"
            onChange={event => change({ caller: event.target.value })}
          />
        </label>
      </div>
      <AssumedStatesForm gates={gates} given={value.given} change={given => change({ given })} />
      <div className="pair end">
        <button type="submit" className="button main-one" disabled={value.event.trim() === '' && !isRecord}>
          Evaluate
        </button>
        <span className="quiet wide-only">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </span>
      </div>
    </form>
  )
}

function Examples({ all, change }: { readonly all: readonly string[]; readonly change: Props['change'] }) {
  return all.map((one, nth) => (
    <Fragment key={one}>
      {nth > 0 && ' '}
      <span className="example">
        <button type="button" className="more mono" onClick={() => change({ event: one })}>
          {one}
        </button>
        {nth < all.length - 1 && ','}
      </span>
    </Fragment>
  ))
}
