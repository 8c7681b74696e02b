import { join } from 'node:path'
import type { FileReader } from '../context.ts'

/** A plain word with a folder or a file extension: `./check.sh`, `scripts/x.mjs`, `x.mjs`. */
const FILE_WORD = /(?<![^\s;&|(])[\w@+.-]*[/.][\w@+./-]*(?![^\s;&|)])/g
const PLAIN_WORD = /^[\w@+./-]+$/

/**
 * A sub-hook runs in the agent's folder, but files beside the policy are resolved relative to the policy. So the file that a person
 * trusted is run, not a file of the same name in the agent's current folder.
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
 * Finds files that the line would run from beside the policy and that do not exist: its first word, if it has a folder, or the script
 * passed to an interpreter. Other words are left to the shell.
 */
export function findMissingScripts(line: string, folder: string, files: FileReader) {
  const [first = '', second = ''] = line.trim().split(/\s+/)
  const words = [first, ...(/^[\w.-]+$/.test(first) && SCRIPT.test(second) ? [second] : [])]
  return words
    .filter(word => /^[\w@+./-]+$/.test(word) && !word.startsWith('/') && (word.includes('/') || word === second))
    .map(word => ({ word, file: join(folder, word) }))
    .filter(({ file }) => files.read(file) === null)
}
