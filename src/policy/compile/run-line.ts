import { join } from 'node:path'
import type { Files } from './context.ts'

/** A word that the shell takes as it stands, with a folder or an ending: `./check.sh`, `scripts/x.mjs`, `x.mjs`. */
const FILE_WORD = /(?<![^\s;&|(])[\w@+.-]*[/.][\w@+./-]*(?![^\s;&|)])/g
const PLAIN = /^[\w@+./-]+$/

/**
 * A hook's line runs where the agent is, but files that lie beside the policy are meant from there, like everywhere in a
 * policy: what a person trusted is what runs, not a file of the same name in the folder the agent went to.
 */
export function runLine(line: string, folder: string, files: Files): string {
  const quote = PLAIN.test(folder) ? '' : "'"
  if (quote && /['"]/.test(`${line}${folder}`)) return line
  return line.replace(FILE_WORD, word => {
    const file = join(folder, word)
    return !word.startsWith('/') && files.read(file) !== null ? `${quote}${file}${quote}` : word
  })
}
