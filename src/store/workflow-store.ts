import { runTransaction } from './sqlite/driver.ts'
import { SqliteStore } from './sqlite-store.ts'
import { type StoredRun, writeWorkflowRun } from './workflow-runs.ts'

/** The store of a process that runs workflows. The hook saves no run, so it does not load this. */
export class WorkflowStore extends SqliteStore {
  /** Saves the current state of a workflow run with its steps. */
  saveRun(run: StoredRun): void {
    this.use(
      ({ driver }) => runTransaction(driver, () => writeWorkflowRun(driver, run)),
      (_, why) => {
        throw new Error(why)
      },
    )
  }
}
