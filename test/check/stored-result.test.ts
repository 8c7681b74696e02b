import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { readStoredVerification } from '../../src/app/cli/commands/check/stored-verification.ts'
import { verificationFile } from '../../src/hook/index.ts'

const read = (kind: string) => {
  const state = mkdtempSync(join(tmpdir(), 'signalbox-stored-'))
  const file = verificationFile(state, 'hash')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ complete: true, findings: [{ kind, what: 'a turn cannot end' }] }))
  const found = readStoredVerification(state, 'hash')
  rmSync(state, { recursive: true })
  return found
}

it('a stored result is read back', () => expect(read('cannot-end')?.findings[0]?.kind).toBe('cannot-end'))
it('a stored result with a kind of an older version counts as none', () => expect(read('held')).toBeUndefined())
