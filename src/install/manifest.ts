import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Adopted } from '../clients/adopts.ts'
import type { Entry, Scope } from '../clients/registers.ts'
import { isObject } from '../pattern/index.ts'
import { writeAtomically } from '../policy/index.ts'
import { keyOf } from './file.ts'

export type Kind = 'hooks' | 'plugin' | 'policy' | 'agent' | 'command' | 'section' | 'launcher'

/** What `init` did to one file, and what it was before. */
export interface Kept {
  readonly file: string
  readonly scope: Scope
  readonly kind: Kind
  /** whose hook it registers */
  readonly client?: string
  /** null: there was none. Base64: a byte is a byte */
  readonly original: string | null
  readonly wrote: string
  readonly mode?: number
  /** folders that were made for it, the outermost first */
  readonly folders: readonly string[]
  /** when it was written last */
  readonly at?: number
  /** hooks of the person's own that were taken out of it */
  readonly taken?: readonly Entry[]
  /** and those that were put into it, a policy */
  readonly adopted?: readonly Adopted[]
}

export interface Manifest {
  readonly version: string
  readonly files: readonly Kept[]
  /** folders a copy of the program was put into */
  readonly copies: readonly string[]
  /** folders that were made for files which are gone, and that others were still in */
  readonly folders?: readonly string[]
}

const EMPTY: Manifest = { version: '', files: [], copies: [] }

export const manifestFile = (state: string): string => join(state, 'install.json')

/** Throws where there is one that cannot be read: who goes on then forgets what was there before. */
export function readManifest(state: string): Manifest {
  const file = manifestFile(state)
  if (!existsSync(file)) return EMPTY
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isManifest(value)) return value
  } catch {}
  throw new Error(`${file} cannot be read, and only it knows what was there before \`init\`; mend it or move it away`)
}

/** For this person only: settings may hold secrets. */
export function writeManifest(state: string, manifest: Manifest): void {
  const file = manifestFile(state)
  if (manifest.files.length === 0 && manifest.copies.length === 0) rmSync(file, { force: true })
  else if (!writeAtomically(file, `${JSON.stringify(manifest, null, 2)}\n`))
    throw new Error(`${file} cannot be written`)
}

/** What is on record of a file, by whichever of its names it was written. */
export function keptFor(file: string, { files }: Pick<Manifest, 'files'>): Kept | undefined {
  const key = keyOf(file)
  return files.find(one => one.file === file || keyOf(one.file) === key)
}

export const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64')

const isManifest = (value: unknown): value is Manifest =>
  isObject(value) &&
  Array.isArray(value.copies) &&
  Array.isArray(value.files) &&
  value.files.every(one => isObject(one) && typeof one.file === 'string' && typeof one.wrote === 'string')
