import { createRequire } from 'node:module'
import { sha256Of } from '../lib/sha256.ts'

type Crypto = typeof import('node:crypto')

/** From here on, loading OpenSSL is faster than hashing in JavaScript: for a long text, or in a process that stays. */
const LONG_TEXT = 4096
const MAX_PURE_HASHES = 24

let crypto: Crypto | undefined
let hashCount = 0

export function sha256(text: string): string {
  if (!crypto && text.length < LONG_TEXT && hashCount++ < MAX_PURE_HASHES) return sha256Of(Buffer.from(text))
  crypto ??= createRequire(import.meta.url)('node:crypto') as Crypto
  // `crypto.hash` (Node 20.12 and later) takes half the time
  return crypto.hash ? crypto.hash('sha256', text) : crypto.createHash('sha256').update(text).digest('hex')
}

/** Makes a text that every driver returns unchanged: libsql cuts a text at NUL, and UTF-8 has no lone surrogates. */
export const toStorableText = (text: string): string => text.slice(0, 300).replace(/[\0\p{Surrogate}]/gu, '\ufffd')
