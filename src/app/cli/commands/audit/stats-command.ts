import { openProject } from '../../project.ts'
import { createStatsCommand } from './stats.ts'

/** Listed for the help only: `bin/signalbox.cjs` starts `stats` through `stats-entry.ts`. */
export const statsCommand = createStatsCommand({ gatesAt: terminal => openProject(terminal).policy.program.gates })
