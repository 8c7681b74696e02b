import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sha256Of } from '../../src/lib/sha256.ts'

it('is the SHA-256 that OpenSSL gives', () => {
  const same = (bytes: Uint8Array) => {
    expect(sha256Of(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'))
  }
  for (let length = 0; length < 200; length++) same(new Uint8Array(length).fill(length))
  fc.assert(fc.property(fc.uint8Array({ maxLength: 5000 }), same))
})
