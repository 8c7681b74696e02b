import { join } from 'node:path'
import type { FileReader } from '../context.ts'

/** A word that the shell takes as it stands, with a folder or an ending: `./check.sh`, `scripts/x.mjs`, `x.mjs`. */
const FILE_WORD = /(?<![^\s;&|(])[\w@+.-]*[/.][\w@+./-]*(?![^\s;&|)])/g
const PLAIN_WORD = /^[\w@+./-]+$/

/**
 * A hook's line runs where the agent is, but files that lie beside the policy are meant from there, like everywhere in a
 * policy: what a person trusted is what runs, not a file of the same name in the folder the agent went to.
 */
export function resolveRunLine(line: string, folder: string, files: FileReader): string {
  const quote = PLAIN_WORD.test(folder) ? '' : "'"
  if (quote && /['"]/.test(`${line}${folder}`)) return line
  return line.replace(FILE_WORD, word => {
    const file = join(folder, word)
    return !word.startsWith('/') && files.read(file) !== null ? `${quote}${file}${quote}` : word
  })
}

const SCRIPT = /\.(sh|bash|zsh|[cm]?[jt]s|py|rb|pl|php|lua)$/

/**
 * What the line runs from beside the policy and is not there: its first word with a folder, or the script an interpreter is given. A
 * word that could be anything else is left to the shell.
 */
export function findMissingScripts(line: string, folder: string, files: FileReader) {
  const [first = '', second = ''] = line.trim().split(/\s+/)
  const words = [first, ...(/^[\w.-]+$/.test(first) && SCRIPT.test(second) ? [second] : [])]
  return words
    .filter(word => /^[\w@+./-]+$/.test(word) && !word.startsWith('/') && (word.includes('/') || word === second))
    .map(word => ({ word, file: join(folder, word) }))
    .filter(({ file }) => files.read(file) === null)
}
