import { openProject } from '../../project.ts'
import { createStatsCommand } from './stats.ts'

/** Among the other commands, for the help; `bin/signalbox.cjs` starts `stats` by `stats-entry.ts`. */
export const statsCommand = createStatsCommand({ gatesAt: terminal => openProject(terminal).policy.program.gates })
