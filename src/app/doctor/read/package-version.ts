import { readFileSync } from 'node:fs'
import { isObject } from '../../../lib/json.ts'

/** The version in a `package.json`. */
export function readPackageVersion(file: string): string | undefined {
  try {
    const said: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isObject(said) && typeof said.version === 'string' ? said.version : undefined
  } catch {
    return undefined
  }
}
