import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { isOnPath } from './detect.ts'
import { launcherIn } from './hook-call.ts'
import { labelOf, type Place } from './place.ts'
import { quoted } from './quote.ts'

/** `signalbox`, as people and agents say it: a file in the folder that is there for a person's own commands. */
export const wordFile = ({ home }: Pick<Place, 'home'>): string => join(home, '.local/bin/signalbox')

const MARK = '# Signalbox, as a word. Written by `signalbox init`.'

/** Where what it starts is gone it says how to get it back; the exit code stays what a shell has for that. */
export const wordText = ({ data }: Pick<Place, 'data'>): string => `#!/bin/sh
${MARK}
launcher=${quoted(launcherIn(data))}
[ -x "$launcher" ] && exec "$launcher" "$@"
echo "signalbox: $launcher is gone; install Signalbox again (see its README) and run its command init" >&2
exit 127
`

export const isOurWord = (text: string): boolean => text.includes(MARK)

/** Where the folder is looked into; nothing is put where nobody looks. */
export const isWordHeard = ({ env, home }: Pick<Place, 'env' | 'home'>): boolean =>
  (env.PATH ?? '').split(delimiter).includes(join(home, '.local/bin'))

/** What a person types here: without `npx`, and outside of the `PATH`, the word alone is nothing. */
export function nameHere(place: Place): string {
  if (place.env.npm_command === 'exec') return 'npx signalbox'
  const isWord = isWordHeard(place) || isOnPath('signalbox', place.env.PATH)
  return isWord ? 'signalbox' : labelOf(launcherIn(place.data), place)
}

/** The same before anything is installed: where the word is none yet, the file that runs now. */
export function nameNow(place: Place): string {
  if (isOnPath('signalbox', place.env.PATH) || existsSync(launcherIn(place.data))) return nameHere(place)
  if (place.env.npm_command === 'exec') return nameHere(place)
  const file = join(place.program, 'bin', 'signalbox.cjs')
  const label = labelOf(file, place)
  return `node ${/^[\w./~@+-]+$/.test(label) ? label : quoted(file)}`
}
