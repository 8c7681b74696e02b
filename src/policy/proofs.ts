import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../pattern/index.ts'
import { writeAtomically } from './write.ts'

/** What the proof of a policy found. Loading looks at it, so whoever answers knows the same: a process for each event as one that stays. */
export interface Remembered {
  readonly complete: boolean
  readonly findings: readonly { readonly kind: string; readonly what: string }[]
  /** how an agent that is told of it here gets stuck: with an earlier version at hand, that one is enforced */
  readonly refuted?: Refuted
  /** a person has seen it, and wants it enforced as it is */
  readonly accepted?: boolean
}

/** A counterexample in short: what happens, and where to change what. */
export interface Refuted {
  readonly what: string
  /** `signalbox.yaml:12` */
  readonly at: string
  readonly advice: string
}

const MOST = 256

const folderIn = (state: string): string => join(state, 'proofs')

/** By the policy's hash: another policy, program or machine is another proof. */
export const proofFile = (state: string, hash: string): string =>
  join(folderIn(state), `${hash.replace(/[^\w-]/g, '')}.json`)

/** Nothing is lost when it cannot be written: there is only nothing to be told. The same once more leaves compiled policies as they are. */
export function rememberProof(state: string, hash: string, found: Remembered): void {
  const file = proofFile(state, hash)
  const before = readProof(state, hash)
  const { complete, findings, refuted, accepted = before?.accepted } = found
  const told: Remembered = { complete, findings, ...(refuted && { refuted }), ...(refuted && accepted && { accepted }) }
  if (JSON.stringify(told) === JSON.stringify(before)) return
  if (writeAtomically(file, JSON.stringify(told))) forgetOldest(folderIn(state))
}

/** The file as it is, for who has to know whether it still is. */
export function proofText(state: string, hash: string): string | null {
  try {
    return readFileSync(proofFile(state, hash), 'utf8')
  } catch {
    return null
  }
}

export const readProof = (state: string, hash: string): Remembered | undefined => parseProof(proofText(state, hash))

export function parseProof(text: string | null): Remembered | undefined {
  try {
    const told: unknown = JSON.parse(text ?? '')
    return isRemembered(told) ? told : undefined
  } catch {
    return undefined
  }
}

const isRemembered = (value: unknown): value is Remembered =>
  isObject(value) &&
  typeof value.complete === 'boolean' &&
  Array.isArray(value.findings) &&
  value.findings.every(one => isObject(one) && typeof one.kind === 'string' && typeof one.what === 'string') &&
  (value.refuted === undefined || isRefuted(value.refuted))

const isRefuted = (value: unknown): boolean =>
  isObject(value) && [value.what, value.at, value.advice].every(one => typeof one === 'string')

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
