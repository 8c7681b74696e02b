import type { PolicyLayer } from '../../../../src/app/dashboard/api.ts'
import { Sheet } from '../../parts/sheet.tsx'
import { fileOf } from '../../words/name.ts'

interface Props {
  readonly layer: PolicyLayer | undefined
  /** the policy and its project have loaded, so it is known whether there is a `layer` or a draft */
  readonly isKnown: boolean
  /** undefined: no draft, only the saved policy */
  readonly text: string | undefined
  readonly change: (text: string | undefined) => void
}

const EXAMPLE = `gates:
  tests-before-push:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
    rules:
      - while: closed
        when: { event: tool.before, command: git push }
        then: deny
        message: Run \`npm test\` first.
`

/** The editor for a draft of the project's policy. */
export function PolicyDraft({ layer, isKnown, text, change }: Props) {
  return (
    <Sheet
      title="Policy"
      about={text === undefined ? 'as saved' : 'a draft, stored only in this browser'}
      end={
        text === undefined ? (
          <button type="button" className="more" disabled={!isKnown} onClick={() => change(layer?.text ?? EXAMPLE)}>
            try a draft
          </button>
        ) : (
          <button type="button" className="more" onClick={() => change(undefined)}>
            discard the draft
          </button>
        )
      }
    >
      {text === undefined ? (
        <p className="inside quiet">
          {layer
            ? fileOf(layer.file)
            : isKnown
              ? 'This project has no policy of its own yet: a draft starts with an example.'
              : 'Not known yet.'}
        </p>
      ) : (
        <div className="inside">
          <textarea
            className="field code-field"
            aria-label="Draft of the project's policy"
            rows={18}
            spellCheck={false}
            value={text}
            onChange={event => change(event.target.value)}
          />
        </div>
      )}
    </Sheet>
  )
}
