import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { suggestionText } from '../../../engine/index.ts'
import { launcherIn } from '../../../hook/index.ts'
import { tryOr } from '../../../lib/errors.ts'
import { quoteShellWord } from '../../../lib/shell-quote.ts'
import type { Policy } from '../../../policy/index.ts'
import { isOnPath } from '../detect-clients.ts'
import { displayPath, type InstallPaths } from '../install-paths.ts'

/** The `signalbox` command: a script in the folder for the user's own commands. */
export const pathShimFile = ({ home }: Pick<InstallPaths, 'home'>): string => join(home, '.local/bin/signalbox')

const SHIM_MARK = '# The command signalbox. Written by `signalbox init`.'

/** If the launcher is missing, it explains how to reinstall and exits with 127, as a shell does. */
export const renderPathShim = ({ data }: Pick<InstallPaths, 'data'>): string => `#!/bin/sh
${SHIM_MARK}
launcher=${quoteShellWord(launcherIn(data))}
[ -x "$launcher" ] && exec "$launcher" "$@"
echo "signalbox: $launcher does not exist; install Signalbox again (see its README) and run signalbox init" >&2
exit 127
`

export const isOwnPathShim = (text: string): boolean => text.includes(SHIM_MARK)

/** The shim is only written if its folder is on the PATH. */
export const isShimFolderOnPath = ({ env, home }: Pick<InstallPaths, 'env' | 'home'>): boolean =>
  (env.PATH ?? '').split(delimiter).includes(join(home, '.local/bin'))

/** Blocking gates that suggest a `signalbox` command. */
export const gatesSuggestingSignalbox = ({ gates }: Pick<Policy, 'gates'>): readonly string[] => [
  ...new Set(
    gates
      .filter(({ mode, rules }) => mode === 'block' && rules.some(({ suggest }) => suggestsSignalbox(suggest)))
      .map(({ name }) => name),
  ),
]

/** Clients that do not report exit codes get the suggestion `signalbox run -- …` instead of the command itself. */
const suggestsSignalbox = (suggest: Parameters<typeof suggestionText>[0] | undefined): boolean =>
  suggest !== undefined &&
  ['', ...(typeof suggest === 'object' && 'silent' in suggest ? suggest.silent : [])].some(client =>
    suggestionText(suggest, client).startsWith('signalbox '),
  )

/** Whether `signalbox` is on the PATH of an agent's shell, and how to fix it if not. */
export function checkCommandOnPath(place: Pick<InstallPaths, 'env' | 'home'>): {
  readonly isFound: boolean
  readonly fix: string
} {
  const fix = isShimFolderOnPath(place)
    ? 'signalbox init'
    : 'add ~/.local/bin to the PATH of your shell, then run signalbox init; or run `npm link` in the folder of Signalbox'
  return { isFound: isOnPath('signalbox', place.env.PATH), fix }
}

/** The command a user can type here: not always `signalbox`. `after`: once `init` is done. */
export function commandNameHere(paths: InstallPaths, when: 'now' | 'after' = 'now'): string {
  if (paths.env.npm_command === 'exec') return 'npx signalbox'
  if (isOnPath('signalbox', paths.env.PATH) || (when === 'after' && isShimFolderOnPath(paths))) return 'signalbox'
  const launcher = launcherIn(paths.data)
  return when === 'after' || existsSync(launcher) ? displayPath(launcher, paths) : reinstallCommandName(paths)
}

/** The command that starts the running program, whatever is installed. The installed copy cannot reinstall itself. */
export function reinstallCommandName(paths: InstallPaths): string {
  const { env, program, data } = paths
  const isCopy = realpathOrSelf(program).startsWith(`${realpathOrSelf(data)}/`)
  if (env.npm_command === 'exec' || isCopy) return 'npx signalbox'
  const file = join(program, 'bin/signalbox.cjs')
  const label = displayPath(file, paths)
  return `node ${/^[\w./~@+-]+$/.test(label) ? label : quoteShellWord(file)}`
}

const realpathOrSelf = (file: string): string => tryOr(file, () => realpathSync(file))

/** Replaces `signalbox` in a text by the command that works here. */
export const withCommandName = (text: string, me: string): string =>
  text.replace(
    /(?<![\w/~.-])signalbox (?=(?:audit|bypass|check|daemon|demo|doctor|explain|init|log|off|on|policy|replay|stats|status|trust|uninstall)\b)/g,
    `${me} `,
  )
