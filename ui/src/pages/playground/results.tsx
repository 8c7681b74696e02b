import type { Judged } from '../../../../src/dashboard/api.ts'
import { Tree } from '../../explain/tree.tsx'
import { Nothing } from '../../parts/nothing.tsx'
import { Problems } from '../../parts/problems.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { Word } from '../../parts/word.tsx'
import type { Judging } from './use-judge.ts'

interface Props {
  readonly judged: Judging
  readonly hasDraft: boolean
  /** something was changed since */
  readonly isOld: boolean
}

/** The answer of the policy as it is, and of the draft. */
export function Results({ judged, hasDraft, isOld }: Props) {
  const { reply, failure, isAsking } = judged
  if (failure) return <div className="sheet">{<Trouble failure={failure} again={() => {}} />}</div>
  if (!reply)
    return (
      <div className="sheet">
        <Nothing title="What would happen?">
          Type what an agent might do. You get the answer it would, every gate that had a say, and what would change it.
        </Nothing>
      </div>
    )
  const { now, draft } = reply
  return (
    <div className={isAsking || isOld ? 'lines stale' : 'lines'}>
      {isOld && <p className="quiet">This is what came of it before you changed it. Judge again.</p>}
      <Answer title={draft ? 'Saved policy' : 'Answer'} judged={now} />
      {draft && (
        <Answer
          title={draft.problems.length > 0 ? 'Draft, broken' : 'Draft'}
          judged={draft}
          about={draft.decision === now.decision ? 'the same' : 'not the same'}
        >
          <Problems problems={[...draft.problems, ...draft.warnings]} />
        </Answer>
      )}
      {hasDraft && !draft && <p className="quiet">Judge again to see what the draft makes of it.</p>}
    </div>
  )
}

interface AnswerProps {
  readonly title: string
  readonly judged: Judged
  readonly about?: string
  readonly children?: React.ReactNode
}

function Answer({ title, judged, about, children }: AnswerProps) {
  return (
    <Sheet
      title={title}
      about={
        <>
          <Word word={judged.decision} />
          {about && ` · ${about}`}
        </>
      }
    >
      {children}
      {judged.explained.map((one, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same event may come twice
        <div key={nth} className="inside">
          <Tree explained={one} />
        </div>
      ))}
    </Sheet>
  )
}
