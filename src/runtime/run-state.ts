import type { StoredRun } from '../store/index.ts'
import { bornOf } from './descent.ts'

/** How a run of a workflow stands. One whose process is gone was interrupted, whatever it wrote last. */
export const runStateOf = ({ state, pid, born }: StoredRun): StoredRun['state'] | 'interrupted' =>
  state === 'running' && bornOf(pid) !== born ? 'interrupted' : state
