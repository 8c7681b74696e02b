import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { statIfExists } from '../lib/files.ts'
import { ChainHeadFile } from './audit-log/chain-head.ts'
import { verifyChain } from './audit-log/verify-chain.ts'
import { openDriver } from './sqlite/driver.ts'
import { describeError, isCorruption } from './sqlite/errors.ts'
import { journalModeFor } from './sqlite/journal-mode.ts'
import type { ChainProblem } from './store.ts'

/** The condition of the store, found without changing anything. */
export interface StoreInspection {
  readonly file: string
  readonly state: 'absent' | 'sound' | 'damaged' | 'unusable'
  /** why the store is damaged or unusable */
  readonly why?: string
  readonly flaws: readonly ChainProblem[]
  /** when the newest record was written */
  readonly newest?: number
  /** the folder is on a file system on which a write-ahead log is unsafe */
  readonly isRemote: boolean
  /** databases that were quarantined earlier */
  readonly quarantined: readonly string[]
}

/** Inspects the store. Unlike opening it, this quarantines nothing and creates nothing. */
export function inspectStore(
  folder: string,
  { fileSystem }: { readonly fileSystem?: (folder: string) => number } = {},
): StoreInspection {
  const file = join(folder, 'signalbox.db')
  const known = {
    file,
    flaws: [],
    isRemote: journalModeFor(folder, fileSystem) === 'delete',
    quarantined: quarantinedFilesOf(folder, file),
  }
  if (!statIfExists(file)) return { ...known, state: 'absent' }
  try {
    return { ...known, ...inspectDatabase(file, new ChainHeadFile(join(folder, 'audit-head'))) }
  } catch (error) {
    const problem = describeError(error, file)
    const why = problem instanceof Error ? problem.message : String(problem)
    return { ...known, state: isCorruption(error) ? 'damaged' : 'unusable', why }
  }
}

function inspectDatabase(
  file: string,
  head: ChainHeadFile,
): Pick<StoreInspection, 'state' | 'flaws' | 'newest'> & { readonly why?: string } {
  const driver = openDriver(file)
  try {
    driver.exec('PRAGMA busy_timeout = 500; PRAGMA query_only = ON')
    const checked = String(Object.values(driver.prepare('PRAGMA quick_check(1)').get() ?? {})[0])
    if (checked !== 'ok') return { state: 'damaged', why: checked, flaws: [] }
    const { problems } = verifyChain(driver, () => head.read())
    const newest = Number(driver.prepare('SELECT max(at) AS at FROM trail').get()?.at)
    return { state: 'sound', flaws: problems, ...(newest > 0 && { newest }) }
  } finally {
    driver.close()
  }
}

function quarantinedFilesOf(folder: string, file: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter(name => name.startsWith(`${basename(file)}.damaged-`))
    return names.filter(name => !/-(?:wal|shm)$/.test(name)).map(name => join(folder, name))
  } catch {
    return []
  }
}
