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
  look: context =>
    context.agents.flatMap(agent => ownHooksOf(agent).flatMap(hook => checkHookProgram(hook, agent, context))),
}

/** Folders of one Node version: programs installed there are missing in the next version. */
const NODE_VERSION_FOLDER =
  /\/(?:\.nvm\/versions\/node|\.volta\/tools\/image\/(?:node|packages)|fnm\/node-versions|\.asdf\/installs\/nodejs|mise\/installs\/node|\.nodenv\/versions|n\/versions\/node|nodejs\/v?\d+[^/]*|Cellar\/node(?:@\d+)?)\/v?\d*/

function checkHookProgram(
  hook: RegisteredHook,
  agent: InstalledAgent,
  context: DoctorContext,
): readonly DoctorFinding[] {
  const env = hookEnvironmentOf(agent, hook, context.env, context.root)
  const [first = '', second] = hook.words ?? []
  const started = hook.words
    ? { program: first, ...(isRunner(first) && second && { script: second }) }
    : programStartedBy(hook.command, env)
  const { client } = agent
  const init = repairCommandFor(agent, hook)
  const finding = (id: string, what: string, effect: string, found: string, fix = init): readonly DoctorFinding[] => [
    {
      ...{ id, severity: 'problem', client: client.id, file: hook.file, line: hook.line, cause: `${id} ${what}` },
      ...{ effect, found: `runs ${context.label(what)}: ${found}`, fix },
    },
  ]
  // the project's hook command searches for the launcher, and lets the call pass if there is none
  const unchecked = `every ${client.title} call passes unchecked`
  if (hook.command.includes(LAUNCHER) && !fileExists(join(context.root, LAUNCHER)))
    return finding('HOOK-PATH-GONE', join(context.root, LAUNCHER), unchecked, 'missing')
  const failed = failureCostOf(hook, agent, context)
  if (!started) return []
  const program = findProgram(
    started.program.includes('/') ? fromRoot(started.program, context) : started.program,
    env.PATH,
  )
  if (/(?:^|\/)npx$/.test(started.program))
    return finding(
      'HOOK-NPX',
      hook.command,
      'each call waits for npx, and for the network when its cache is empty',
      'npx looks it up for each call',
    )
  if (program === undefined) {
    const file = fromRoot(started.program, context)
    return started.program.includes('/') && fileExists(file)
      ? finding('HOOK-NOT-EXECUTABLE', file, failed, 'not executable', `chmod +x ${quoteShellWord(file)}`)
      : finding(
          'HOOK-PATH-GONE',
          started.program,
          failed,
          started.program.includes('/') ? 'missing' : 'not on the PATH',
        )
  }
  const script = started.script === undefined ? undefined : fromRoot(started.script, context)
  if (script !== undefined && !fileExists(script)) return finding('HOOK-PATH-GONE', script, failed, 'missing')
  const named = [started.program, started.script ?? ''].filter(part => part.includes('/'))
  const cached = named.find(part => /\/_npx\//.test(part))
  if (cached !== undefined)
    return finding(
      'HOOK-NPX',
      cached,
      'npm can empty that folder; every call then passes unchecked',
      'it is in the cache of npx',
    )
  const versioned = named.find(part => NODE_VERSION_FOLDER.test(part))
  if (versioned === undefined) return []
  return finding(
    'HOOK-NODE-VERSION',
    versioned,
    'after the next Node update every call passes unchecked',
    'it belongs to one version of Node',
  )
}

const isRunner = (program: string): boolean => /(?:^|\/)(?:node|sh|bash)$/.test(program) && isExecutableFile(program)

const fromRoot = (path: string, { root }: DoctorContext): string => (isAbsolute(path) ? path : join(root, path))
