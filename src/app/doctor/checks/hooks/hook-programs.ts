import { isAbsolute, join } from 'node:path'
import { quoteShellWord } from '../../../../lib/shell-quote.ts'
import { PROJECT_LAUNCHER as LAUNCHER } from '../../broken-program.ts'
import {
  type DoctorCheck,
  type DoctorContext,
  type InstalledAgent,
  ownHooksOf,
  type RegisteredHook,
  repairCommandFor,
} from '../../context.ts'
import { failureCostOf } from '../../failure-cost.ts'
import type { DoctorFinding } from '../../finding.ts'
import { fileExists, findProgram, isExecutableFile } from '../../installed-agents.ts'
import { programStartedBy } from '../../read/command-line.ts'
import { hookEnvironmentOf } from '../../read/hook-environment.ts'

/** Whether the programs that hooks start exist, and will still exist after an update. */
export const hookProgramsCheck: DoctorCheck = {
  ids: ['HOOK-PATH-GONE', 'HOOK-NOT-EXECUTABLE', 'HOOK-NPX', 'HOOK-NODE-VERSION'],
  about: 'the programs that hooks start',
  look: one => one.agents.flatMap(agent => ownHooksOf(agent).flatMap(hook => checkHookProgram(hook, agent, one))),
}

/** Folders of one Node version: programs installed there are missing in the next version. */
const NODE_VERSION_FOLDER =
  /\/(?:\.nvm\/versions\/node|\.volta\/tools\/image\/(?:node|packages)|fnm\/node-versions|\.asdf\/installs\/nodejs|mise\/installs\/node|\.nodenv\/versions|n\/versions\/node|nodejs\/v?\d+[^/]*|Cellar\/node(?:@\d+)?)\/v?\d*/

function checkHookProgram(hook: RegisteredHook, agent: InstalledAgent, one: DoctorContext): readonly DoctorFinding[] {
  const env = hookEnvironmentOf(agent, hook, one.env, one.root)
  const [first = '', second] = hook.words ?? []
  const started = hook.words
    ? { program: first, ...(isRunner(first) && second && { script: second }) }
    : programStartedBy(hook.command, env)
  const { client } = agent
  const init = repairCommandFor(agent, hook)
  const found = (id: string, what: string, cost: string, saw: string, fix = init): readonly DoctorFinding[] => [
    {
      ...{ id, weight: 'problem', client: client.id, file: hook.file, line: hook.line, cause: `${id} ${what}` },
      ...{ cost, saw: `runs ${one.label(what)}: ${saw}`, fix },
    },
  ]
  // the project's hook command searches for the launcher, and lets the call pass if there is none
  const unchecked = `every ${client.title} call passes unchecked`
  if (hook.command.includes(LAUNCHER) && !fileExists(join(one.root, LAUNCHER)))
    return found('HOOK-PATH-GONE', join(one.root, LAUNCHER), unchecked, 'missing')
  const failed = failureCostOf(hook, agent, one)
  if (!started) return []
  const program = findProgram(
    started.program.includes('/') ? fromRoot(started.program, one) : started.program,
    env.PATH,
  )
  if (/(?:^|\/)npx$/.test(started.program))
    return found(
      'HOOK-NPX',
      hook.command,
      'each call waits for npx, and for the network when its cache is empty',
      'it is looked up anew each time',
    )
  if (program === undefined) {
    const file = fromRoot(started.program, one)
    return started.program.includes('/') && fileExists(file)
      ? found('HOOK-NOT-EXECUTABLE', file, failed, 'not executable', `chmod +x ${quoteShellWord(file)}`)
      : found('HOOK-PATH-GONE', started.program, failed, started.program.includes('/') ? 'missing' : 'not on the PATH')
  }
  const script = started.script === undefined ? undefined : fromRoot(started.script, one)
  if (script !== undefined && !fileExists(script)) return found('HOOK-PATH-GONE', script, failed, 'missing')
  const named = [started.program, started.script ?? ''].filter(part => part.includes('/'))
  const cached = named.find(part => /\/_npx\//.test(part))
  if (cached !== undefined)
    return found('HOOK-NPX', cached, 'npm empties that folder: then every call passes unchecked', 'it is npx’s cache')
  const versioned = named.find(part => NODE_VERSION_FOLDER.test(part))
  if (versioned === undefined) return []
  return found(
    'HOOK-NODE-VERSION',
    versioned,
    'with the next Node every call passes unchecked',
    'it belongs to one version of Node',
  )
}

const isRunner = (program: string): boolean => /(?:^|\/)(?:node|sh|bash)$/.test(program) && isExecutableFile(program)

const fromRoot = (path: string, { root }: DoctorContext): string => (isAbsolute(path) ? path : join(root, path))
