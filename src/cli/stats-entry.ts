import { join } from 'node:path'
import { loadPolicy } from '../policy/index.ts'
import { foldersOf, policyInput, projectRoot } from '../runtime/index.ts'
import { cachedLoad } from './code-cache.ts'
import { type ExitCode, runCommand } from './command.ts'
import { partsOf } from './hook.ts'
import { statsBy } from './stats.ts'
import { thisTerminal } from './this-terminal.ts'

/** `signalbox stats`, without the rest of the command line: half of its time was spent on loading that. */
export function stats(argv: readonly string[]): Promise<ExitCode> {
  const folder = import.meta.dirname
  const terminal = thisTerminal()
  const folders = foldersOf(terminal.env)
  const parts = partsOf({ folder, load: cachedLoad(folder, join(folders.state, 'code')) })
  const command = statsBy({
    libsql: parts.libsql,
    gatesAt({ env, cwd }) {
      const root = projectRoot({ cwd, home: folders.home })
      return loadPolicy(policyInput(root, cwd, env, folders, parts), parts.compiler).program.gates
    },
  })
  return runCommand(command, argv, terminal).catch(error => {
    terminal.err(`signalbox stats: ${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  })
}
