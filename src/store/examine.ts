import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openDriver } from './driver.ts'
import { isDamage, told } from './faults.ts'
import { HeadFile } from './head.ts'
import { journalFor } from './journal.ts'
import { type Flaw, verify } from './verify.ts'

/** How the store is, as somebody finds it who changes nothing. */
export interface Examined {
  readonly file: string
  readonly state: 'absent' | 'sound' | 'damaged' | 'unusable'
  /** of one that is not sound */
  readonly why?: string
  readonly flaws: readonly Flaw[]
  /** when its newest record was written */
  readonly newest?: number
  /** the folder is on a file system on which a write-ahead log does not hold */
  readonly isRemote: boolean
  /** databases that were found damaged before */
  readonly asides: readonly string[]
}

/** Unlike the store itself it sets nothing aside and begins nothing anew. */
export function examine(
  folder: string,
  { fileSystem }: { readonly fileSystem?: (folder: string) => number } = {},
): Examined {
  const file = join(folder, 'signalbox.db')
  const known = {
    file,
    flaws: [],
    isRemote: journalFor(folder, fileSystem) === 'delete',
    asides: asidesOf(folder, file),
  }
  if (!statSync(file, { throwIfNoEntry: false })) return { ...known, state: 'absent' }
  try {
    return { ...known, ...look(file, new HeadFile(join(folder, 'audit-head'))) }
  } catch (error) {
    const said = told(error, file)
    const why = said instanceof Error ? said.message : String(said)
    return { ...known, state: isDamage(error) ? 'damaged' : 'unusable', why }
  }
}

function look(file: string, head: HeadFile): Pick<Examined, 'state' | 'flaws' | 'newest'> & { readonly why?: string } {
  const driver = openDriver(file)
  try {
    driver.exec('PRAGMA busy_timeout = 500; PRAGMA query_only = ON')
    const checked = String(Object.values(driver.prepare('PRAGMA quick_check(1)').get() ?? {})[0])
    if (checked !== 'ok') return { state: 'damaged', why: checked, flaws: [] }
    const { flaws } = verify(driver, () => head.read())
    const newest = Number(driver.prepare('SELECT max(at) AS at FROM trail').get()?.at)
    return { state: 'sound', flaws, ...(newest > 0 && { newest }) }
  } finally {
    driver.close()
  }
}

function asidesOf(folder: string, file: string): readonly string[] {
  try {
    const names = readdirSync(folder).filter(name => name.startsWith(`${basename(file)}.damaged-`))
    return names.filter(name => !/-(?:wal|shm)$/.test(name)).map(name => join(folder, name))
  } catch {
    return []
  }
}
