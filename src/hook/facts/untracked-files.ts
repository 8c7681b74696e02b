import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readRegularFileBytes } from '../../policy/index.ts'

const MOST_ENTRIES = 500

/** Names in the folder that are or contain untracked files; undefined: unknown. */
export function untrackedIn(folder: string): readonly string[] | undefined {
  try {
    const tracked = trackedIn(folder)
    const budget = { left: MOST_ENTRIES }
    // visible folders are not searched: they are mostly large, and rules seldom name them
    const isSpared = (name: string, isFolder: boolean): boolean =>
      name === '.git' || ((name.startsWith('.') || !isFolder) && isTracked(folder, name, isFolder, tracked, budget))
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => !isSpared(entry.name, entry.isDirectory()))
      .map(entry => entry.name)
  } catch {
    return undefined
  }
}

function isTracked(
  root: string,
  path: string,
  isFolder: boolean,
  tracked: ReadonlySet<string>,
  budget: { left: number },
): boolean {
  if (budget.left-- <= 0) return false
  if (!isFolder) return tracked.has(path)
  return readdirSync(join(root, path), { withFileTypes: true }).every(entry =>
    isTracked(root, `${path}/${entry.name}`, entry.isDirectory(), tracked, budget),
  )
}

const NONE: ReadonlySet<string> = new Set()
const HEADER = 12
const LARGEST_INDEX = 500_000_000
/** size of an entry up to its flags: times, owner, size, hash */
const BEFORE_FLAGS = 60

/** File names in git's index, if it is in this folder in a plain format (versions 2 and 3, SHA-1). Otherwise no file counts as tracked. */
function trackedIn(folder: string): ReadonlySet<string> {
  let bytes: Buffer
  try {
    bytes = readRegularFileBytes(join(folder, '.git/index'), LARGEST_INDEX)
  } catch {
    return NONE
  }
  const version = bytes.toString('latin1', 0, 4) === 'DIRC' ? bytes.readUInt32BE(4) : 0
  return version === 2 || version === 3 ? namesIn(bytes) : NONE
}

function namesIn(bytes: Buffer): ReadonlySet<string> {
  const names = new Set<string>()
  let at = HEADER
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flags = bytes.readUInt16BE(at + BEFORE_FLAGS)
    const begin = at + BEFORE_FLAGS + (flags & 0x4000 ? 4 : 2)
    const end = bytes.indexOf(0, begin)
    const length = flags & 0xfff
    if (end < 0 || (length < 0xfff && length !== end - begin)) return NONE
    names.add(bytes.toString('utf8', begin, end))
    at += Math.ceil((end - at + 1) / 8) * 8
  }
  return names
}
