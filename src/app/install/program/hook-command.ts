import { join } from 'node:path'
import type { Client } from '../../../clients/index.ts'
import type { HookCommand, SettingsScope } from '../../../clients/settings.ts'
import { dataFolderOf, type InstallPaths } from '../install-paths.ts'
import { quoteShellWord } from './shell-quote.ts'

/** Our own two seconds, and as many again for a machine that is busy. */
const MIN_TIMEOUT_MS = 10_000
const OWN_BUDGET_MS = 5000

/** Where the line of a client leads: the same words for ever, so that an agent which trusts a line need not be asked again. */
export const launcherPathIn = (data: string): string => join(data, 'bin', 'signalbox')

/** Where that is the native hook: the script that it falls back to. It looks for it by this name. */
export const launcherScriptPathIn = (data: string): string => `${launcherPathIn(data)}.sh`

/** `longestHookMs`: what the slowest hook of the person's own may take. */
export function buildHookCommand(
  scope: SettingsScope,
  client: Pick<Client, 'projectEnv'>,
  place: InstallPaths,
  longestHookMs = 0,
): HookCommand {
  const timeoutMs = Math.max(MIN_TIMEOUT_MS, Math.ceil((longestHookMs + OWN_BUDGET_MS) / 1000) * 1000)
  if (scope !== 'project') {
    const launcher = launcherPathIn(dataFolderOf(scope, place))
    // an event that comes by several registrations counts once: each says which one it is, the person's own is none
    const via = scope === 'managed' ? ' --via managed' : ''
    return { line: `${quoteShellWord(launcher)} hook${via}`, words: [launcher], timeoutMs }
  }
  const script = findLauncherScript(client.projectEnv)
  return { line: `sh -c ${quoteShellWord(script)} -`, words: ['sh', '-c', script, '-'], timeoutMs }
}

/**
 * No path of anybody's machine: from the project folder the client names, or from where it is, up to the launcher that is
 * committed with the project. Another agent may run the line without that variable. Where the launcher is gone the call passes, with a word.
 */
const findLauncherScript = (projectEnv: string | undefined): string =>
  [
    // a relative one has no folder above it: the search would never end
    projectEnv ? `case \${${projectEnv}-} in /*) d=$${projectEnv} ;; *) d=$PWD ;; esac` : 'd=$PWD',
    `until [ -f "$d/.signalbox/hook" ]; do [ "$d" ] || { echo "signalbox: no .signalbox/hook here" >&2; exit 0; }; d=\${d%/*}; done`,
    'exec sh "$d/.signalbox/hook" "$@"',
  ].join('; ')
