import { delimiter, join } from 'node:path'
import { isOnPath } from './detect.ts'
import { launcherIn } from './hook-call.ts'
import { labelOf, type Place } from './place.ts'
import { quoted } from './quote.ts'

/** `signalbox`, as people and agents say it: a file in the folder that is there for a person's own commands. */
export const wordFile = ({ home }: Pick<Place, 'home'>): string => join(home, '.local/bin/signalbox')

const MARK = '# Signalbox, as a word. Written by `signalbox init`.'

export const wordText = ({ data }: Pick<Place, 'data'>): string =>
  `#!/bin/sh\n${MARK}\nexec ${quoted(launcherIn(data))} "$@"\n`

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
