import { dirname, join } from 'node:path'
import { isObject } from '../pattern/index.ts'
import type { LayerReport } from './report.ts'
import { textOf } from './text-of.ts'
import { writeAtomically } from './write.ts'

const fileIn = (stateDir: string): string => join(stateDir, 'trust.json')

/** By folder of the policy file (the project root, or a nested folder): the hash a person has trusted. */
export type Trust = Readonly<Record<string, string>>

/** With the file it is kept in, and its text: null where there is none. */
export function readTrust(stateDir: string): { trust: Trust; file: string; text: string | null } {
  const file = fileIn(stateDir)
  const text = textOf(file)
  return { trust: text === null ? {} : parse(text), file, text }
}

function parse(text: string): Trust {
  try {
    const content: unknown = JSON.parse(text)
    if (!isObject(content)) return {}
    return Object.fromEntries(
      Object.entries(content).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
    )
  } catch {
    return {}
  }
}

export const trustOf = (trust: Trust, file: string): string | undefined => {
  const folder = dirname(file)
  return Object.hasOwn(trust, folder) ? trust[folder] : undefined
}

/** Pins what the layer is now; `null` takes the trust back. False when it could not be written. */
export function setTrust(stateDir: string, file: string, hash: string | null): boolean {
  const { [dirname(file)]: _, ...others } = readTrust(stateDir).trust
  const next = hash === null ? others : { ...others, [dirname(file)]: hash }
  return writeAtomically(fileIn(stateDir), `${JSON.stringify(next, null, 2)}\n`)
}

/** What a person is asked to trust: one entry for each project layer that runs or loosens something. */
export interface Covered {
  readonly file: string
  readonly hash: string
  readonly trusted: boolean
  readonly covers: readonly string[]
}

export const whatTrustCovers = (layers: readonly LayerReport[]): readonly Covered[] =>
  layers
    .filter(({ layer, covers }) => (layer === 'project' || layer === 'nested') && covers.length > 0)
    .map(({ file, trustHash, trusted, covers }) => ({ file, hash: trustHash, trusted, covers }))
