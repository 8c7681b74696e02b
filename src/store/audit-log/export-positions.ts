import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasErrorCode } from '../../lib/errors.ts'
import { listFolder, readTextOrUndefined } from '../../lib/files.ts'
import { isObject } from '../../lib/json.ts'
import { parseJsonOrUndefined } from '../sqlite/driver.ts'
import type { ChainLink } from '../store.ts'

/** How far the audit log was exported to one destination. Stored beside the database, which holds the records not sent yet. */
export interface ExportPosition extends ChainLink {
  /** the destination, for people to read */
  readonly to: string
  /** time of the last attempt */
  readonly at: number
}

const FOLDER = 'exports'

/** Reads the files `exports/<id>.json`. Unreadable files are left out. */
export function readExportPositions(state: string): readonly ExportPosition[] {
  return listFolder(join(state, FOLDER))
    .filter(name => /^[0-9a-f]{16}\.json$/.test(name))
    .flatMap(name => readExportPosition(state, name.slice(0, 16)) ?? [])
}

export function readExportPosition(state: string, id: string): ExportPosition | undefined {
  const value = parseJsonOrUndefined(readTextOrUndefined(positionFileOf(state, id)))
  if (!isObject(value)) return undefined
  const { seq, hash, to, at } = value
  const isSound =
    typeof seq === 'number' && typeof hash === 'string' && typeof to === 'string' && typeof at === 'number'
  return isSound ? { seq, hash, to, at } : undefined
}

/** Writes atomically, even if the process is killed. */
export function writeExportPosition(state: string, id: string, mark: ExportPosition): void {
  const file = positionFileOf(state, id)
  ensureFolder(join(state, FOLDER))
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(mark)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}

/** The lock file of an export: two processes with the same export would send records twice. */
export function exportLockPath(state: string, id: string): string {
  ensureFolder(join(state, FOLDER))
  return join(state, FOLDER, `${id}.lock`)
}

const positionFileOf = (state: string, id: string): string => join(state, FOLDER, `${id}.json`)

function ensureFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  }
}
