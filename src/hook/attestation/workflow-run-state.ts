import type { StoredRun } from '../../store/index.ts'
import { processStartTime } from '../process/process-ancestry.ts'

/** The state of a workflow run. If its process is gone, the run was interrupted, whatever it wrote last. */
export const workflowRunState = ({ state, pid, born }: StoredRun): StoredRun['state'] | 'interrupted' =>
  state === 'running' && processStartTime(pid) !== born ? 'interrupted' : state
