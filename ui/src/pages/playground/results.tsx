import type { JudgeReply, PlaygroundVerdict } from '../../../../src/app/dashboard/api.ts'
import { ExplanationTree } from '../../explain/explanation-tree.tsx'
import { DecisionBadge } from '../../parts/decision-badge.tsx'
import { EmptyPage } from '../../parts/empty-page.tsx'
import { FailureNotice } from '../../parts/failure-notice.tsx'
import { Problems } from '../../parts/problems.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { TextWithCode } from '../../parts/text-with-code.tsx'
import { differencesOf } from './difference.ts'
import type { Playground } from './use-playground.ts'

interface Props {
  readonly judged: Playground
  readonly draftText: string | undefined
  /** whether the project has its own policy file */
  readonly hasSaved: boolean
  /** the form has changed since the answer */
  readonly isOld: boolean
}

/** The verdict of the saved policy, and of the draft. */
export function Results({ judged, draftText, hasSaved, isOld }: Props) {
  const { reply, failure, isAsking } = judged
  if (failure) return <div className="sheet">{<FailureNotice failure={failure} again={() => {}} />}</div>
  if (!reply)
    return (
      <div className="sheet">
        <EmptyPage title="What would happen?">
          Type what an agent might do. You see the decision, every gate involved, and what would change it.
        </EmptyPage>
      </div>
    )
  const { now, draft } = reply
  const differences = draft ? differencesOf(now, draft) : []
  return (
    <div className={isAsking ? 'lines stale' : isOld ? 'lines old' : 'lines'}>
      {isOld && <p className="quiet">This result is from before your change. Evaluate again.</p>}
      <Answer title={draft ? 'Saved policy' : 'Answer'} judged={now} />
      {draft && draft.problems.length > 0 && (
        <Broken problems={quoting(draft.problems, draftText)} now={now} hasSaved={hasSaved} />
      )}
      {draft && draft.problems.length === 0 && (
        <Answer title="Draft" judged={draft} about={compared(now, draft, differences)}>
          <Differences all={differences} />
          <Problems problems={draft.warnings} />
        </Answer>
      )}
      {draftText !== undefined && !draft && <p className="quiet">Evaluate again to see the result with the draft.</p>}
    </div>
  )
}

const compared = (now: PlaygroundVerdict, draft: PlaygroundVerdict, differences: readonly string[]): string => {
  if (draft.decision !== now.decision) return 'different'
  return differences.length === 0 ? 'the same for this event' : 'the same decision, by other gates'
}

/** What the draft changes for this event, one line each. */
function Differences({ all }: { readonly all: readonly string[] }) {
  if (all.length === 0) return null
  return (
    <ul className="inside differences" aria-label="What the draft changes">
      {all.map(line => (
        <li key={line}>
          <TextWithCode text={line} />
        </li>
      ))}
    </ul>
  )
}

type Wrong = NonNullable<JudgeReply['draft']>['problems']

/** Adds the source line to each problem, because the draft is not in a file that could be opened. */
const quoting = (problems: Wrong, text = ''): Wrong => {
  const lines = text.split(/\r?\n/)
  return problems.map(problem => {
    const excerpt = problem.excerpt ?? lines[problem.line - 1]
    return excerpt === undefined ? problem : { ...problem, excerpt }
  })
}

interface BrokenProps {
  readonly problems: Wrong
  readonly now: PlaygroundVerdict
  readonly hasSaved: boolean
}

/** A broken draft judges nothing: the last good version stays in force. */
function Broken({ problems, now, hasSaved }: BrokenProps) {
  return (
    <Sheet
      title="Draft"
      about={
        hasSaved ? (
          <>
            broken: the saved version would stay enforced (<DecisionBadge word={now.decision} />)
          </>
        ) : (
          'broken: none of it would be enforced'
        )
      }
    >
      <Problems problems={problems} />
    </Sheet>
  )
}

interface AnswerProps {
  readonly title: string
  readonly judged: PlaygroundVerdict
  readonly about?: string
  readonly children?: React.ReactNode
}

function Answer({ title, judged, about, children }: AnswerProps) {
  return (
    <Sheet
      title={title}
      about={
        <>
          <DecisionBadge word={judged.decision} />
          {about && ` · ${about}`}
        </>
      }
    >
      {children}
      {judged.explained.map((one, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same event may come twice
        <div key={nth} className="inside">
          <ExplanationTree explained={one} />
        </div>
      ))}
    </Sheet>
  )
}
