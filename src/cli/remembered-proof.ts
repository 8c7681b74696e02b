import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding, Proof } from '../check/index.ts'
import { isObject } from '../pattern/index.ts'
import { writeAtomically } from '../policy/index.ts'
import { endAlarm, proofFile, proofFolder, raiseAlarm } from '../runtime/index.ts'
import { STUCK, storyLine } from './proof.ts'

/** What the proof of a policy found, for who must not wait for it. */
export interface Remembered {
  readonly complete: boolean
  readonly findings: readonly Told[]
}

/** A finding in short: what, the story in one line, and what to change. */
interface Told {
  readonly kind: Finding['kind']
  readonly what: string
  readonly how?: string
  readonly fix?: string
}

const MOST = 64

/** Nothing is lost when it cannot be written: there is only nothing to be told. */
export function rememberProof(
  state: string,
  hash: string,
  { complete, findings, doubts, unseen }: Proof,
  // of a version that is no longer in its file no line is named
  { isTold = false, isOld = false } = {},
): void {
  const told: Remembered = {
    complete: complete && doubts.length + unseen.length === 0,
    findings: findings.map(one => inShort(isOld ? { ...one, fix: [] } : one)),
  }
  const stuck = told.findings.find(({ kind }) => STUCK.has(kind))
  if (stuck) raiseAlarm(state, hash, alarmText(stuck), { isTold })
  else endAlarm(state, hash)
  if (writeAtomically(proofFile(state, hash), JSON.stringify(told))) forgetOldest(proofFolder(state))
}

function inShort(finding: Finding): Told {
  const { kind, what, fix } = finding
  const how = storyLine(finding)
  const [first] = fix
  return { kind, what, ...(how && { how }), ...(first && { fix: `${first.at} ${first.advice}` }) }
}

/** For whoever is at work under it, without having asked. */
const alarmText = ({ what, how, fix }: Told): string =>
  `an agent can get stuck in this policy, which is in force: ${what}${how ? ` (${how})` : ''}.${fix ? ` Fix: ${fix}.` : ''} All of it: signalbox check`

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
