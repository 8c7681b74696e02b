import type { Client } from '../../../clients/index.ts'
import type { HookCommand, SettingsScope } from '../../../clients/settings.ts'
import { launcherIn } from '../../../hook/index.ts'
import { quoteShellWord } from '../../../lib/shell-quote.ts'
import { dataFolderOf, type InstallPaths } from '../install-paths.ts'

/** The shortest timeout to register, and Signalbox's own share beside the slowest sub-hook. Generous, for busy machines. */
const MIN_TIMEOUT_MS = 10_000
const OWN_BUDGET_MS = 5000

/** The fallback script of the native hook, which finds it by this name. */
export const launcherScriptPathIn = (data: string): string => `${launcherIn(data)}.sh`

/** `longestHookMs`: timeout of the user's slowest own hook. */
export function buildHookCommand(
  scope: SettingsScope,
  client: Pick<Client, 'projectEnv'>,
  paths: InstallPaths,
  longestHookMs = 0,
): HookCommand {
  const timeoutMs = Math.max(MIN_TIMEOUT_MS, Math.ceil((longestHookMs + OWN_BUDGET_MS) / 1000) * 1000)
  if (scope !== 'project') {
    const launcher = launcherIn(dataFolderOf(scope, paths))
    // an event that arrives through several registrations counts once: each names itself by `--via`, except the user's
    const via = scope === 'managed' ? ' --via managed' : ''
    return { line: `${quoteShellWord(launcher)} hook${via}`, words: [launcher], timeoutMs }
  }
  const script = findLauncherScript(client.projectEnv)
  return { line: `sh -c ${quoteShellWord(script)} -`, words: ['sh', '-c', script, '-'], timeoutMs }
}

/**
 * Contains no path of a particular machine: it searches for the committed launcher upwards from the project folder that the
 * client names, or from the current folder (another agent may not set that variable). Without a launcher the call passes, with a message.
 */
const findLauncherScript = (projectEnv: string | undefined): string =>
  [
    // a relative path has no parent folder: the search would never end
    projectEnv ? `case \${${projectEnv}-} in /*) d=$${projectEnv} ;; *) d=$PWD ;; esac` : 'd=$PWD',
    `until [ -f "$d/.signalbox/hook" ]; do [ "$d" ] || { echo "signalbox: there is no .signalbox/hook in this project" >&2; exit 0; }; d=\${d%/*}; done`,
    'exec sh "$d/.signalbox/hook" "$@"',
  ].join('; ')
