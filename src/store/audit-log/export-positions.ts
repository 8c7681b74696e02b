import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../lib/json.ts'
import { parseJsonOrUndefined } from '../sqlite/validate-row.ts'
import type { ChainLink } from './chain-head.ts'

/** How far the trail was sent to somebody. It lies beside the database, which is the spool: what is not sent yet is in there. */
export interface ExportPosition extends ChainLink {
  /** where to, as a person reads it */
  readonly to: string
  /** when it was last tried */
  readonly at: number
}

const FOLDER = 'exports'

/** One file each: `exports/<id>.json`. One that cannot be read is none. */
export function readExportPositions(state: string): readonly ExportPosition[] {
  return listFolder(join(state, FOLDER))
    .filter(name => /^[0-9a-f]{16}\.json$/.test(name))
    .flatMap(name => readExportPosition(state, name.slice(0, 16)) ?? [])
}

export function readExportPosition(state: string, id: string): ExportPosition | undefined {
  const value = parseJsonOrUndefined(readTextFile(positionFileOf(state, id)))
  if (!isObject(value)) return undefined
  const { seq, hash, to, at } = value
  const isSound =
    typeof seq === 'number' && typeof hash === 'string' && typeof to === 'string' && typeof at === 'number'
  return isSound ? { seq, hash, to, at } : undefined
}

/** Whole or not at all, whoever ends in between. */
export function writeExportPosition(state: string, id: string, mark: ExportPosition): void {
  const file = positionFileOf(state, id)
  ensureFolder(join(state, FOLDER))
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(mark)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}

/** Where the lock of one export lies: two that send the same would send it twice. */
export function exportLockPath(state: string, id: string): string {
  ensureFolder(join(state, FOLDER))
  return join(state, FOLDER, `${id}.lock`)
}

const positionFileOf = (state: string, id: string): string => join(state, FOLDER, `${id}.json`)

const listFolder = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const readTextFile = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function ensureFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
