import { openProject } from './project.ts'
import { statsBy } from './stats.ts'

/** Among the other commands, for the help; `bin/signalbox.cjs` starts `stats` by `stats-entry.ts`. */
export const stats = statsBy({ gatesAt: terminal => openProject(terminal).policy.program.gates })
