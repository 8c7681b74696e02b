import { createRequire } from 'node:module'

// biome-ignore format: the table of FIPS 180-4, four a line would be a page
const K = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
  0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
  0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
  0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
  0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
  0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
])
// biome-ignore format: the same
const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]
const BLOCK = 64

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
