import { sha256Of } from '../../lib/sha256.ts'

const BYTES = 16

/**
 * HMAC-SHA-256 over a list of values, truncated to 128 bits. The first value names the purpose, so that a signature for one purpose is
 * never valid for another.
 */
export function hmacOf(values: readonly unknown[], key: Uint8Array): string {
  const block = (pad: number) => Buffer.alloc(64, pad).map((byte, at) => byte ^ (key[at] ?? 0))
  const text = JSON.stringify(values)
  const inner = Buffer.from(sha256Of(Buffer.concat([block(0x36), Buffer.from(text)])), 'hex')
  const outer = Buffer.from(sha256Of(Buffer.concat([block(0x5c), inner])), 'hex')
  return outer.toString('base64url', 0, BYTES)
}

/** Compares in constant time. */
export function isSameHmac(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < other.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
