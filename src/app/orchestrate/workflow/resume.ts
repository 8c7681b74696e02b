import { createHash } from 'node:crypto'
import type { Workflow, WorkflowEntry } from '../../../policy/index.ts'
import type { StoredRun, StoredStep } from '../../../store/index.ts'
import { artifactChanges } from './artifacts.ts'
import { scopeViolationOfKilledStep } from './step-scope.ts'

/** The name of an entry in status output. */
export const entryIdOf = (entry: WorkflowEntry): string =>
  entry.kind === 'step' ? entry.id : entry.kind === 'gate' ? `gate ${entry.gate}` : 'person'

/** A hash of the definition: an edited entry counts as a new one. */
export const entryDigestOf = (entry: WorkflowEntry): string =>
  createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 16)

interface ResumedRun {
  /** steps that stay done, and the step that was interrupted */
  readonly steps: readonly StoredStep[]
  /** notes for the person */
  readonly remarks: readonly string[]
  /** the last step was killed and has changed what it may not change: it failed, whatever the policy now says about it */
  readonly hasFailed?: true
}

/**
 * The part of an earlier run that is still valid. A finished step is not run again if its definition is the same and its artifacts exist.
 * From the first invalid step on everything runs again, because later steps were built on it.
 */
export function resumeRun({ steps }: Workflow, run: StoredRun): ResumedRun {
  const storedSteps: StoredStep[] = []
  const remarks: string[] = []
  for (const [nth, entry] of steps.entries()) {
    const known = run.steps[nth]
    if (!known) break
    const violation = scopeViolationOfKilledStep(run.root, known)
    if (violation !== undefined) {
      const { scope: _, ...step } = known
      return {
        steps: [...storedSteps, { ...step, state: 'failed', ended: Date.now(), why: violation }],
        remarks,
        hasFailed: true,
      }
    }
    if (known.digest !== entryDigestOf(entry)) {
      remarks.push(`the policy has changed at \`${entryIdOf(entry)}\`; the workflow continues from there`)
      break
    }
    if (known.state !== 'done') {
      storedSteps.push(known)
      break
    }
    const { gone, changed } = artifactChanges(run.root, known.artifacts)
    if (gone.length > 0) {
      remarks.push(`${gone.join(', ')} from step \`${known.id}\` no longer exists; the step runs again`)
      break
    }
    if (changed.length > 0) remarks.push(`${changed.join(', ')} has changed since step \`${known.id}\` wrote it`)
    storedSteps.push(known)
  }
  return { steps: storedSteps, remarks }
}
