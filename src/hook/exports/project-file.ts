import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { lstatIfExists } from '../../lib/files.ts'
import { readRegularFile, writeFileAtomically } from '../../policy/index.ts'
import { excludeFromGit } from './exclude-from-git.ts'

/** Writes the whole file, or throws. Replaces a link instead of following it. Keeps the file if `isOlder` returns true for its text. */
export function writeProjectFile(root: string, path: string, text: string, isOlder: (found: string) => boolean): void {
  const file = placeOf(root, path)
  const there = lstatIfExists(file)
  if (there?.isFile() && there.size < LARGEST && isOlder(readRegularFile(file))) return
  if (!writeFileAtomically(file, text)) throw new Error(`\`${path}\` cannot be written`)
}

/** Limits the size of a log that nobody reads. */
const LARGEST = 1_000_000

/** Appends a line, or throws. Writes only to a regular file: a pipe would block the hook. */
export function appendProjectFile(root: string, path: string, line: string): void {
  const file = placeOf(root, path)
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  const handle = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    const stat = fstatSync(handle)
    if (!stat.isFile() || stat.nlink > 1) throw new Error(`\`${path}\` is a link or has several names`)
    writeSync(handle, `${line}\n`)
    if (stat.size > LARGEST) renameSync(file, `${file}.1`)
  } finally {
    closeSync(handle)
  }
}

/** The real path of a project file. Creates its folders. Throws if a folder leads out of the project. */
function placeOf(root: string, path: string): string {
  const base = realpathSync(root)
  const parts = path.split('/').filter(part => part !== '' && part !== '.')
  const name = parts.pop() ?? ''
  const folder = parts.reduce((above, part) => {
    const next = join(above, part)
    if (!existsSync(next)) mkdirSync(next)
    const real = realpathSync(next)
    if (part === '..' || relative(base, real).startsWith('..'))
      throw new Error(`\`${path}\` leads out of the project: \`${relative(base, next)}\` is a link`)
    return real
  }, base)
  excludeFromGit(folder, name, base)
  return join(folder, name)
}
