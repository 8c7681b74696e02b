import { createRequire } from 'node:module'
import { sha256Of } from '../lib/sha256.ts'

type Crypto = typeof import('node:crypto')

/** From here on loading OpenSSL is quicker than doing without it: a long text, or a process that stays. */
const LONG_TEXT = 4096
const MAX_PURE_HASHES = 24

let crypto: Crypto | undefined
let hashCount = 0

export function sha256(text: string): string {
  if (!crypto && text.length < LONG_TEXT && hashCount++ < MAX_PURE_HASHES) return sha256Of(Buffer.from(text))
  crypto ??= createRequire(import.meta.url)('node:crypto') as Crypto
  // in one call where Node has it (20.12 and later): half the time
  return crypto.hash ? crypto.hash('sha256', text) : crypto.createHash('sha256').update(text).digest('hex')
}

/** A text that every driver gives back as it was: libsql cuts it at a NUL, and half a character is none in UTF-8. */
export const toStorableText = (text: string): string => text.slice(0, 300).replace(/[\0\p{Surrogate}]/gu, '\ufffd')
