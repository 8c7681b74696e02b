import { createRequire } from 'node:module'

const BLOCK = 64

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = []
  for (let number = 2; primes.length < count; number++)
    if (primes.every(prime => number % prime !== 0)) primes.push(number)
  return primes
}
const PRIMES = firstPrimes(BLOCK)

/** FIPS 180-4: the first 32 bits of what the roots of the first primes have after the point. */
const fractionBits = (root: number): number => (root % 1) * 2 ** 32
const K = new Int32Array(PRIMES.map(prime => fractionBits(Math.cbrt(prime)) | 0))
const START = PRIMES.slice(0, 8).map(prime => fractionBits(Math.sqrt(prime)) | 0)

/**
 * SHA-256 of a few bytes, in hex. Loading OpenSSL costs a one-shot process up to six milliseconds, a fifth of its time; this
 * function takes some microseconds a block.
 */
export function sha256Of(bytes: Uint8Array): string {
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) * BLOCK)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(padded.length - 4, bytes.length << 3)
  const hash = new Int32Array(START)
  const words = new Int32Array(BLOCK)
  for (let at = 0; at < padded.length; at += BLOCK) mix(hash, words, view, at)
  return Array.from(hash, word => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

function mix(hash: Int32Array, words: Int32Array, view: DataView, at: number): void {
  for (let nth = 0; nth < 16; nth++) words[nth] = view.getInt32(at + nth * 4)
  for (let nth = 16; nth < BLOCK; nth++) {
    const x = words[nth - 15] as number
    const y = words[nth - 2] as number
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3)
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10)
    words[nth] = ((words[nth - 16] as number) + s0 + (words[nth - 7] as number) + s1) | 0
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number]
  for (let nth = 0; nth < BLOCK; nth++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (K[nth] as number) + (words[nth] as number)) | 0
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  for (const [nth, word] of [a, b, c, d, e, f, g, h].entries()) hash[nth] = ((hash[nth] as number) + word) | 0
}

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
