import { accessSync, constants, type Stats } from 'node:fs'
import { join, resolve } from 'node:path'
import { lstatIfExists, statIfExists } from '../../lib/files.ts'

/** Whether a program of this name is on the `PATH`, by the kernel's rules. */
export const isOnPath = (name: string, path = ''): boolean =>
  path.split(':').some(folder => isProgram(join(folder || '.', name)))

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The folders of one `PATH`, and the programs found in them. */
interface Shelf {
  readonly folders: readonly string[]
  /** undefined while a folder has just changed: its times may not show the next change */
  stats: readonly (Stats | undefined)[] | undefined
  /** when `stats` was last checked, on the process's own clock */
  checked: number
  /** the file; null: certainly none; undefined: a file that may become a program without a change of its folder */
  readonly programs: Map<string, string | null | undefined>
}

/** the resolution of the file system's clock */
const TICK_MS = 20
const MOST_SHELVES = 32
const MOST_PROGRAMS = 256

/** `isOnPath` for the daemon. Programs appear and vanish with a change of their folder, so only the folders are checked. */
export class ProgramCache {
  readonly #shelves = new Map<string, Shelf>()

  constructor(private readonly clock: () => number) {}

  /** `came`: when the event arrived that needs the result. */
  has(name: string, path: string | undefined, cwd: string, arrivedAt: number): boolean {
    const shelf = this.#shelf(path ?? '', cwd)
    this.#look(shelf, arrivedAt)
    if (!shelf.programs.has(name)) shelf.programs.set(name, find(name, shelf.folders))
    const file = shelf.programs.get(name)
    if (file === undefined || shelf.stats === undefined || shelf.programs.size > MOST_PROGRAMS)
      shelf.programs.delete(name)
    if (typeof file === 'string') {
      if (isProgram(file)) return true
      shelf.programs.delete(name)
    } else if (file === null) return false
    return shelf.folders.some(folder => isProgram(join(folder, name)))
  }

  #shelf(path: string, cwd: string): Shelf {
    const folders = path.split(':')
    const isAnywhere = folders.some(folder => !folder.startsWith('/'))
    const name = isAnywhere ? `${cwd}\n${path}` : path
    const shelf = this.#shelves.get(name) ?? {
      folders: [...new Set(folders.map(folder => resolve(cwd, folder)))],
      stats: undefined,
      checked: Number.NEGATIVE_INFINITY,
      programs: new Map(),
    }
    this.#shelves.delete(name)
    this.#shelves.set(name, shelf)
    for (const [oldest] of this.#shelves) {
      if (this.#shelves.size <= MOST_SHELVES) break
      this.#shelves.delete(oldest)
    }
    return shelf
  }

  #look(shelf: Shelf, arrivedAt: number): void {
    if (shelf.checked >= arrivedAt) return
    const now = this.clock()
    const stats = statsOf(shelf.folders)
    if (!stats || !shelf.stats || !areSame(stats, shelf.stats)) shelf.programs.clear()
    shelf.stats = stats
    shelf.checked = now
  }
}

function statsOf(folders: readonly string[]): readonly (Stats | undefined)[] | undefined {
  const fresh = Date.now() - TICK_MS
  try {
    const stats = folders.map(folder => statIfExists(folder))
    return stats.some(stat => stat && stat.ctimeMs > fresh) ? undefined : stats
  } catch {
    return undefined
  }
}

const areSame = (ones: readonly (Stats | undefined)[], others: readonly (Stats | undefined)[]): boolean =>
  ones.every((candidate, nth) => {
    const other = others[nth]
    return (
      candidate?.ino === other?.ino &&
      candidate?.mtimeMs === other?.mtimeMs &&
      candidate?.ctimeMs === other?.ctimeMs &&
      candidate?.dev === other?.dev
    )
  })

/** Undefined for a dangling link or a file without execute permission: it can become a program without a change of its folder. */
function find(name: string, folders: readonly string[]): string | null | undefined {
  for (const folder of folders) {
    const file = join(folder, name)
    try {
      if (!lstatIfExists(file)) continue
    } catch {
      return undefined
    }
    return isProgram(file) ? file : undefined
  }
  return null
}
