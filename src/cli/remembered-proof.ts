import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../check/index.ts'
import { isObject } from '../pattern/index.ts'
import { writeAtomically } from '../policy/index.ts'
import type { Proving } from './proof.ts'

/** What the proof of a policy found, for who must not wait for it. */
export interface Remembered {
  readonly complete: boolean
  readonly findings: readonly { readonly kind: Finding['kind']; readonly what: string }[]
}

const MOST = 64

const folderIn = (state: string): string => join(state, 'proofs')

/** By the policy's hash: another policy, program or machine is another proof. */
export const proofFile = (state: string, hash: string): string =>
  join(folderIn(state), `${hash.replace(/[^\w-]/g, '')}.json`)

/** Nothing is lost when it cannot be written: there is only nothing to be told. */
export function rememberProof(state: string, hash: string, { complete, findings, doubts }: Proving): void {
  const isWhole = complete && doubts.length === 0
  const told: Remembered = { complete: isWhole, findings: findings.map(({ kind, what }) => ({ kind, what })) }
  if (writeAtomically(proofFile(state, hash), JSON.stringify(told))) forgetOldest(folderIn(state))
}

export function readProof(state: string, hash: string): Remembered | undefined {
  try {
    const told: unknown = JSON.parse(readFileSync(proofFile(state, hash), 'utf8'))
    return isRemembered(told) ? told : undefined
  } catch {
    return undefined
  }
}

const isRemembered = (value: unknown): value is Remembered =>
  isObject(value) &&
  typeof value.complete === 'boolean' &&
  Array.isArray(value.findings) &&
  value.findings.every(one => isObject(one) && typeof one.kind === 'string' && typeof one.what === 'string')

function forgetOldest(folder: string): void {
  try {
    const files = readdirSync(folder).map(name => join(folder, name))
    if (files.length <= MOST) return
    const aged = files.map(file => ({ file, at: statSync(file).mtimeMs })).sort((a, b) => b.at - a.at)
    for (const { file } of aged.slice(MOST)) rmSync(file, { force: true })
  } catch {
    // somebody else tidies up too
  }
}
