import { existsSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tryOr } from '../../lib/errors.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { readRegularFile, writeFileAtomically } from '../../policy/index.ts'
import { hmacOf, isSameHmac } from '../attestation/hmac.ts'
import { type ProcessIdentity, processStartTime } from '../process/process-ancestry.ts'
import type { Approval } from './approval-token.ts'

/** A token is valid as long as its grant file exists. Deleting the file revokes it everywhere at once. */
const folderIn = (state: string): string => join(state, 'approvals')
const fileOf = (state: string, id: string): string => join(folderIn(state), `${id}.json`)

/** False if it could not be written. The grant has no holder yet. The file holds no secrets; its holder is signed. */
export const openGrant = (state: string, approval: Approval): boolean => write(state, approval, {})

/** Assigns the grant to one process and its children, so that other tasks of the same orchestrator cannot use it. */
export const assignGrant = (state: string, approval: Approval, to: ProcessIdentity, key: Uint8Array): boolean =>
  write(state, approval, { to, signature: signatureFor(approval.id, to, key) })

const write = (state: string, { id, root, pid, born, until, gates, world }: Approval, more: object): boolean =>
  writeFileAtomically(fileOf(state, id), `${JSON.stringify({ id, root, pid, born, until, gates, world, ...more })}\n`)

const signatureFor = (id: string, { pid, born }: ProcessIdentity, key: Uint8Array): string =>
  hmacOf(['signalbox grant 1', id, pid, born], key)

/** The process that the orchestrator assigned the grant to. */
export function grantHolder(state: string, id: string, key: Uint8Array): ProcessIdentity | undefined {
  const { to, signature } = contentOf(fileOf(state, id))
  if (!isObject(to) || typeof signature !== 'string') return undefined
  const { pid, born } = to
  if (typeof pid !== 'number' || typeof born !== 'string') return undefined
  return isSameHmac(signature, signatureFor(id, { pid, born }, key)) ? { pid, born } : undefined
}

/** The processes that currently work on a task. */
export const grantHolders = (state: string, key: Uint8Array): readonly ProcessIdentity[] =>
  idsIn(state).flatMap(id => grantHolder(state, id, key) ?? [])

/** Process ids are unique only within one pid namespace: a container has its own. */
export const processNamespace = (): string => tryOr('', () => readlinkSync('/proc/self/ns/pid'))

export const closeGrant = (state: string, id: string): void => rmSync(fileOf(state, id), { force: true })

const ID = /^[0-9a-f]{16}$/

export const hasGrant = (state: string, id: string): boolean => ID.test(id) && existsSync(fileOf(state, id))

/** Removes grants that killed processes left behind. */
export function sweepGrants(state: string, now: number): void {
  for (const id of idsIn(state)) {
    const { pid, born, until, world } = contentOf(fileOf(state, id))
    const isWhole = typeof pid === 'number' && typeof born === 'string' && typeof until === 'number'
    if (!isWhole || until <= now || (world === processNamespace() && processStartTime(pid) !== born))
      closeGrant(state, id)
  }
}

const idsIn = (state: string): readonly string[] =>
  existsSync(folderIn(state))
    ? readdirSync(folderIn(state))
        .map(name => name.replace(/\.json$/, ''))
        .filter(id => ID.test(id))
    : []

function contentOf(file: string): JsonObject {
  try {
    const value: unknown = JSON.parse(readRegularFile(file))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
