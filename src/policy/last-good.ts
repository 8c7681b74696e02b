import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, sha256Of } from '../pattern/index.ts'
import { writeAtomically } from './write.ts'

/** A layer as it was when it compiled, with everything it referred to. */
export interface Kept {
  readonly file: string
  readonly text: string
  readonly refs: readonly (readonly [file: string, text: string | null])[]
  readonly savedAt: number
  /** of the policy it was a part of then */
  readonly hash?: string
}

/** More than are saved while one of them is being proven. */
const MOST = 8

export const lastGoodFile = (stateDir: string, file: string): string =>
  join(stateDir, 'last-good', `${sha256Of(Buffer.from(file))}.json`)

/** The file as it is, for who has to know whether it still is. */
export function lastGoodText(stateDir: string, file: string): string | null {
  try {
    return readFileSync(lastGoodFile(stateDir, file), 'utf8')
  } catch {
    return null
  }
}

/** The newest first: which of them are good, the proof may say later. */
export function parseLastGood(text: string | null, file: string): readonly Kept[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]')
    return (Array.isArray(kept) ? kept : [kept]).filter(isKept).filter(one => one.file === file)
  } catch {
    return []
  }
}

/** Nothing is lost when it cannot be written: there is only no older version to fall back on. */
export function keepLastGood(stateDir: string, kept: Kept, isRefuted: (hash: string) => boolean): void {
  const known = parseLastGood(lastGoodText(stateDir, kept.file), kept.file)
  const [newest] = known
  if (newest && isSameVersion(newest, kept)) return
  const before = known.filter(one => !isSameVersion(one, kept) && !(one.hash !== undefined && isRefuted(one.hash)))
  writeAtomically(lastGoodFile(stateDir, kept.file), JSON.stringify([kept, ...before].slice(0, MOST)))
}

export const isSameVersion = (one: Pick<Kept, 'text' | 'refs'>, other: Pick<Kept, 'text' | 'refs'>): boolean =>
  one.text === other.text && JSON.stringify(one.refs) === JSON.stringify(other.refs)

function isKept(value: unknown): value is Kept {
  if (!isObject(value) || !Array.isArray(value.refs)) return false
  const { file, text, savedAt, refs } = value
  return typeof file === 'string' && typeof text === 'string' && typeof savedAt === 'number' && refs.every(isRef)
}

const isRef = (value: unknown): boolean =>
  Array.isArray(value) && typeof value[0] === 'string' && (typeof value[1] === 'string' || value[1] === null)
