import { readFileSync } from 'node:fs'
import { isObject } from '../../lib/json.ts'
import { writeFileAtomically } from '../../policy/index.ts'

/** Where the dashboard is, and what lets in: for `signalbox ui`, and for the next one, which takes its port. For this user alone. */
export interface ServingFile {
  readonly pid: number
  readonly port: number
  /** in the URL that is opened; good once, and as long as that process is */
  readonly token: string
}

export const servingFileIn = (run: string): string => `${run}/dashboard`

export const writeServingFile = (file: string, serving: ServingFile): boolean =>
  writeFileAtomically(file, `${JSON.stringify(serving)}\n`)

/** Undefined: there is none, or none that can be read. */
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
