import { closeSync, constants, fstatSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { hasErrorCode } from '../../lib/errors.ts'
import { ensurePrivateFolder } from '../../policy/index.ts'
import { ATTESTATION_KEY } from '../services/folders.ts'

const LENGTH = 32

/** The key that `signalbox run` signs with; undefined if it was never created. Throws if others can read or write the file. */
export function readAttestationKey(state: string): Uint8Array | undefined {
  const file = join(state, ATTESTATION_KEY)
  let descriptor: number
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
  try {
    const { mode, uid } = fstatSync(descriptor)
    const isOwn = (mode & constants.S_IFMT) === constants.S_IFREG && uid === process.getuid?.() && (mode & 0o077) === 0
    if (!isOwn) throw new Error(`${file} must be readable only by you (mode 0600); remove it, and a new one is created`)
    const key = readFileSync(descriptor)
    if (key.length !== LENGTH) throw new Error(`${file} contains no key; remove it, and a new one is created`)
    return key
  } finally {
    closeSync(descriptor)
  }
}

/** Creates the key at first use, atomically: one of several processes wins. It is raw bytes, which are hard to grep or print by accident. */
export function openAttestationKey(state: string): Uint8Array {
  const found = readAttestationKey(state)
  if (found) return found
  ensurePrivateFolder(state)
  const file = join(state, ATTESTATION_KEY)
  const draft = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(draft, Buffer.from(randomHex(LENGTH), 'hex'), { flag: 'wx', mode: 0o600 })
    linkSync(draft, file)
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  const made = readAttestationKey(state)
  if (!made) throw new Error(`${file} could not be created`)
  return made
}

/** `node:crypto` is loaded lazily: the hook needs it only to create the key. */
export const randomHex = (bytes: number): string =>
  (createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto')).randomBytes(bytes).toString('hex')
