import type { StoredRun } from '../../store/index.ts'
import { processStartTime } from '../process/process-ancestry.ts'

/** How a run of a workflow stands. One whose process is gone was interrupted, whatever it wrote last. */
export const workflowRunState = ({ state, pid, born }: StoredRun): StoredRun['state'] | 'interrupted' =>
  state === 'running' && processStartTime(pid) !== born ? 'interrupted' : state
