import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { suggestionText } from '../../../engine/index.ts'
import type { Policy } from '../../../policy/index.ts'
import { isOnPath } from '../detect-clients.ts'
import { displayPath, type InstallPaths } from '../install-paths.ts'
import { launcherPathIn } from './hook-command.ts'
import { quoteShellWord } from './shell-quote.ts'

/** `signalbox`, as people and agents say it: a file in the folder that is there for a person's own commands. */
export const pathShimFile = ({ home }: Pick<InstallPaths, 'home'>): string => join(home, '.local/bin/signalbox')

const SHIM_MARK = '# Signalbox, as a word. Written by `signalbox init`.'

/** Where what it starts is gone it says how to get it back; the exit code stays what a shell has for that. */
export const renderPathShim = ({ data }: Pick<InstallPaths, 'data'>): string => `#!/bin/sh
${SHIM_MARK}
launcher=${quoteShellWord(launcherPathIn(data))}
[ -x "$launcher" ] && exec "$launcher" "$@"
echo "signalbox: $launcher is gone; install Signalbox again (see its README) and run its command init" >&2
exit 127
`

export const isOwnPathShim = (text: string): boolean => text.includes(SHIM_MARK)

/** Where the folder is looked into; nothing is put where nobody looks. */
export const isShimFolderOnPath = ({ env, home }: Pick<InstallPaths, 'env' | 'home'>): boolean =>
  (env.PATH ?? '').split(delimiter).includes(join(home, '.local/bin'))

/** Gates that block and suggest a command of Signalbox's own. */
export const gatesSuggestingSignalbox = ({ gates }: Pick<Policy, 'gates'>): readonly string[] => [
  ...new Set(
    gates
      .filter(({ mode, rules }) => mode === 'block' && rules.some(({ suggest }) => suggestsSignalbox(suggest)))
      .map(({ name }) => name),
  ),
]

/** To a client that does not say how a call ended, `signalbox run -- …` is suggested in place of the line itself. */
const suggestsSignalbox = (suggest: Parameters<typeof suggestionText>[0] | undefined): boolean =>
  suggest !== undefined &&
  ['', ...(typeof suggest === 'object' && 'silent' in suggest ? suggest.silent : [])].some(client =>
    suggestionText(suggest, client).startsWith('signalbox '),
  )

/** Whether an agent's shell knows the word, and if not what to do about it. */
export function checkCommandOnPath(place: Pick<InstallPaths, 'env' | 'home'>): {
  readonly isHeard: boolean
  readonly fix: string
} {
  const fix = isShimFolderOnPath(place)
    ? 'signalbox init'
    : 'put ~/.local/bin on the PATH of your shell, then signalbox init; or `npm link` in the folder of Signalbox'
  return { isHeard: isOnPath('signalbox', place.env.PATH), fix }
}

/** What a person types here: without `npx`, and outside of the `PATH`, the word alone is nothing. `after`: when `init` is done. */
export function commandNameHere(place: InstallPaths, when: 'now' | 'after' = 'now'): string {
  if (place.env.npm_command === 'exec') return 'npx signalbox'
  if (isOnPath('signalbox', place.env.PATH) || (when === 'after' && isShimFolderOnPath(place))) return 'signalbox'
  const launcher = launcherPathIn(place.data)
  return when === 'after' || existsSync(launcher) ? displayPath(launcher, place) : reinstallCommandName(place)
}

/** What starts the program that runs now, whatever is installed. From the copy itself nothing can be installed anew. */
export function reinstallCommandName(place: InstallPaths): string {
  const { env, program, data } = place
  const isCopy = realpathOrSelf(program).startsWith(`${realpathOrSelf(data)}/`)
  if (env.npm_command === 'exec' || isCopy) return 'npx signalbox'
  const file = join(program, 'bin/signalbox.cjs')
  const label = displayPath(file, place)
  return `node ${/^[\w./~@+-]+$/.test(label) ? label : quoteShellWord(file)}`
}

function realpathOrSelf(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

/** A sentence that tells a command, in words that can be typed here. */
export const withCommandName = (text: string, me: string): string =>
  text.replace(
    /(?<![\w/~.-])signalbox (?=(?:audit|bypass|check|daemon|demo|doctor|explain|init|log|off|on|policy|replay|stats|status|trust|uninstall)\b)/g,
    `${me} `,
  )
