import { join } from 'node:path'
import { createCachedLoader } from '../../../hook/entry/code-cache.ts'
import { createLazyDependencies } from '../../../hook/entry/hook-process.ts'
import { foldersOf, policyInput, projectRoot } from '../../../hook/index.ts'
import { loadPolicy } from '../../../policy/index.ts'
import { type ExitCode, executeCommand } from '../command.ts'
import { createStatsCommand } from '../commands/audit/stats.ts'
import { createTerminal } from '../terminal/this-terminal.ts'

/** Runs `signalbox stats` without loading the rest of the command line, which took half of its time. */
export function stats(argv: readonly string[]): Promise<ExitCode> {
  const folder = import.meta.dirname
  const terminal = createTerminal()
  const folders = foldersOf(terminal.env)
  const parts = createLazyDependencies({ folder, load: createCachedLoader(folder, join(folders.state, 'code')) })
  const command = createStatsCommand({
    libsql: parts.libsql,
    gatesAt({ env, cwd }) {
      const root = projectRoot({ cwd, home: folders.home })
      return loadPolicy(policyInput(root, cwd, env, folders, parts), parts.compiler).program.gates
    },
  })
  return executeCommand(command, argv, terminal).catch(error => {
    terminal.err(`signalbox stats: ${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  })
}
