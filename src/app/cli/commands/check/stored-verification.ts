import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { VerificationFinding, VerificationResult } from '../../../../analysis/verify/index.ts'
import { endAlarm, raiseAlarm, verificationFile, verificationFolder } from '../../../../hook/index.ts'
import { isObject } from '../../../../lib/json.ts'
import { writeFileAtomically } from '../../../../policy/index.ts'
import { counterexampleLine, DEADLOCK_KINDS, isFindingKind } from './verification.ts'

/** A verification result in short, for commands that cannot wait for a proof. */
export interface StoredVerification {
  readonly complete: boolean
  readonly findings: readonly FindingSummary[]
}

/** A finding in short: what is wrong, the counterexample in one line, and the fix. */
interface FindingSummary {
  readonly kind: VerificationFinding['kind']
  readonly what: string
  readonly how?: string
  readonly fix?: string
}

const MAX_FILES = 64

/** Stores the result. A write error is harmless: later commands then have no result to show. */
export function storeVerification(
  state: string,
  hash: string,
  { complete, findings, inconclusive, unchecked }: VerificationResult,
  // `isOld`: the verified version is no longer in its file, so fixes with line numbers are left out
  { isShown = false, isOld = false } = {},
): void {
  const stored: StoredVerification = {
    complete: complete && inconclusive.length + unchecked.length === 0,
    findings: findings.map(finding => summarizeFinding(isOld ? { ...finding, fix: [] } : finding)),
  }
  const stuck = stored.findings.find(({ kind }) => DEADLOCK_KINDS.has(kind))
  if (stuck) raiseAlarm(state, hash, deadlockAlarmText(stuck), { isShown })
  else endAlarm(state, hash)
  if (writeFileAtomically(verificationFile(state, hash), JSON.stringify(stored)))
    removeOldest(verificationFolder(state))
}

function summarizeFinding(finding: VerificationFinding): FindingSummary {
  const { kind, what, fix } = finding
  const how = counterexampleLine(finding)
  const [first] = fix
  return { kind, what, ...(how && { how }), ...(first && { fix: `${first.at} ${first.advice}` }) }
}

/** The alarm for agents and people that work under this policy. */
const deadlockAlarmText = ({ what, how, fix }: FindingSummary): string =>
  `an agent can get stuck under the current policy: ${what}${how ? ` (${how})` : ''}.${fix ? ` Fix: ${fix}.` : ''} Details: signalbox check`

export function readStoredVerification(state: string, hash: string): StoredVerification | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(verificationFile(state, hash), 'utf8'))
    return isStoredVerification(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

const isStoredVerification = (value: unknown): value is StoredVerification =>
  isObject(value) &&
  typeof value.complete === 'boolean' &&
  Array.isArray(value.findings) &&
  value.findings.every(finding => isObject(finding) && isFindingKind(finding.kind) && typeof finding.what === 'string')

function removeOldest(folder: string): void {
  try {
    const files = readdirSync(folder).map(name => join(folder, name))
    if (files.length <= MAX_FILES) return
    const aged = files.map(file => ({ file, at: statSync(file).mtimeMs })).sort((a, b) => b.at - a.at)
    for (const { file } of aged.slice(MAX_FILES)) rmSync(file, { force: true })
  } catch {
    // another process removed the file
  }
}
