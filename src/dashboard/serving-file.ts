import { readFileSync, rmSync } from 'node:fs'
import { isObject } from '../pattern/index.ts'
import { writeAtomically } from '../policy/index.ts'
import type { KeptKeys } from './keys.ts'

export type { KeptKeys } from './keys.ts'

/** Where the dashboard is, and whom it knows: for `signalbox ui`, and for the next one, which goes on in its place. For this user alone. */
export interface ServingFile extends KeptKeys {
  readonly pid: number
  readonly port: number
}

export const servingFile = (run: string): string => `${run}/dashboard`

export const writeServing = (file: string, serving: ServingFile): boolean =>
  writeAtomically(file, `${JSON.stringify(serving)}\n`)

/** Undefined: there is none, or none that can be read. */
export function readServing(file: string): ServingFile | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isServing(found) ? found : undefined
  } catch {
    return undefined
  }
}

const isServing = (value: unknown): value is ServingFile =>
  isObject(value) &&
  typeof value.pid === 'number' &&
  typeof value.port === 'number' &&
  typeof value.token === 'string' &&
  Array.isArray(value.logins) &&
  value.logins.every(one => isObject(one) && [one.cookie, one.key].every(mark => /^[0-9a-f]{64}$/.test(String(mark))))

/** Only what is one's own: a successor may have put its own there. */
export function clearServing(file: string, pid: number): void {
  if (readServing(file)?.pid === pid) rmSync(file, { force: true })
}
