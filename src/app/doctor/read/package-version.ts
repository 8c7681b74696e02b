import { readFileSync } from 'node:fs'
import { isObject } from '../../../lib/json.ts'

/** The version in a `package.json`. */
export function readPackageVersion(file: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isObject(manifest) && typeof manifest.version === 'string' ? manifest.version : undefined
  } catch {
    return undefined
  }
}
