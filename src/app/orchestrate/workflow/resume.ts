import { createHash } from 'node:crypto'
import type { Workflow, WorkflowEntry } from '../../../policy/index.ts'
import type { StoredRun, StoredStep } from '../../../store/index.ts'
import { artifactChanges } from './artifacts.ts'

/** How an entry of the list is called where its state is shown. */
export const entryIdOf = (entry: WorkflowEntry): string =>
  entry.kind === 'step' ? entry.id : entry.kind === 'gate' ? `gate ${entry.gate}` : 'person'

/** Of what it says: an entry that says something else now is another one. */
export const entryDigestOf = (entry: WorkflowEntry): string =>
  createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 16)

interface ResumedRun {
  /** steps that stay done, and the one that was begun */
  readonly steps: readonly StoredStep[]
  /** what the person should know */
  readonly remarks: readonly string[]
}

/**
 * What of an earlier run still counts. A step that has ended is not run again, as long as its definition is the same and what it left is
 * there; the first one that is not ends that, for what follows was made from it.
 */
export function resumeRun({ steps }: Workflow, run: StoredRun): ResumedRun {
  const kept: StoredStep[] = []
  const remarks: string[] = []
  for (const [nth, entry] of steps.entries()) {
    const known = run.steps[nth]
    if (!known) break
    if (known.digest !== entryDigestOf(entry)) {
      remarks.push(`the policy says something else at \`${entryIdOf(entry)}\` now: the workflow goes on from there`)
      break
    }
    if (known.state !== 'done') {
      kept.push(known)
      break
    }
    const { gone, changed } = artifactChanges(run.root, known.artifacts)
    if (gone.length > 0) {
      remarks.push(`${gone.join(', ')} of step \`${known.id}\` is gone: the step runs again`)
      break
    }
    if (changed.length > 0) remarks.push(`${changed.join(', ')} has changed since step \`${known.id}\` left it`)
    kept.push(known)
  }
  return { steps: kept, remarks }
}
