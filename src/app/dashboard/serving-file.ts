import { readFileSync } from 'node:fs'
import { isObject } from '../../lib/json.ts'
import { writeFileAtomically } from '../../policy/index.ts'

/** The dashboard's address and login token, for `signalbox ui` and for the next dashboard, which reuses the port. Private to this user. */
export interface ServingFile {
  readonly pid: number
  readonly port: number
  /** part of the URL to open; valid once, while that process runs */
  readonly token: string
}

export const servingFileIn = (run: string): string => `${run}/dashboard`

export const writeServingFile = (file: string, serving: ServingFile): boolean =>
  writeFileAtomically(file, `${JSON.stringify(serving)}\n`)

/** Undefined if the file is missing or invalid. */
export function readServingFile(file: string): ServingFile | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isServingFile(found) ? found : undefined
  } catch {
    return undefined
  }
}

const isServingFile = (value: unknown): value is ServingFile =>
  isObject(value) && typeof value.pid === 'number' && typeof value.port === 'number' && typeof value.token === 'string'
