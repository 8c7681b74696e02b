import { dirname, join } from 'node:path'
import type { Layer } from '../../engine/index.ts'
import { writeFileAtomically } from '../../lib/fs/atomic-write.ts'
import { readTextIfExists } from '../../lib/fs/text-file.ts'
import { isObject } from '../../lib/json.ts'
import type { LayerReport } from '../compile/layer-report.ts'

const trustFileIn = (stateDir: string): string => join(stateDir, 'trust.json')

/** The hash that a person has trusted, by folder of the policy file (the project root, or a nested folder). */
export type TrustedHashes = Readonly<Record<string, string>>

/** Returns the trusted hashes, the file that holds them, and its text (null: no file). */
export function readTrust(stateDir: string): { trust: TrustedHashes; file: string; text: string | null } {
  const file = trustFileIn(stateDir)
  const text = readTextIfExists(file)
  return { trust: text === null ? {} : parseTrust(text), file, text }
}

function parseTrust(text: string): TrustedHashes {
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

export const trustedHashOf = (trust: TrustedHashes, file: string): string | undefined => {
  const folder = dirname(file)
  return Object.hasOwn(trust, folder) ? trust[folder] : undefined
}

/** Trusts the current hash of a layer; `null` revokes the trust. Returns false if the file could not be written. */
export function setTrust(stateDir: string, file: string, hash: string | null): boolean {
  const { [dirname(file)]: _, ...others } = readTrust(stateDir).trust
  const next = hash === null ? others : { ...others, [dirname(file)]: hash }
  return writeFileAtomically(trustFileIn(stateDir), `${JSON.stringify(next, null, 2)}\n`)
}

/** Policies that come with a repository need a person's trust; policies that other users could have written are never trusted. */
export const isOwnPolicy = ({
  layer,
  exposed,
}: {
  readonly layer: Layer
  readonly exposed?: string | undefined
}): boolean => layer !== 'project' && layer !== 'nested' && exposed === undefined

/** A request for trust. Each project layer that runs or loosens something has one. */
export interface TrustRequest {
  readonly file: string
  readonly hash: string
  readonly trusted: boolean
  readonly covers: readonly string[]
}

export const trustRequestsOf = (layers: readonly LayerReport[]): readonly TrustRequest[] =>
  layers
    .filter(({ layer, covers }) => (layer === 'project' || layer === 'nested') && covers.length > 0)
    .map(({ file, trustHash, trusted, covers }) => ({ file, hash: trustHash, trusted, covers }))
