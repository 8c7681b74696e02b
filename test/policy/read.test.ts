import { execFileSync } from 'node:child_process'
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readRegularFile, readRegularFileBytes } from '../../src/lib/files.ts'
import { removeFolder } from '../support/remove-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'read-'))
afterAll(() => removeFolder(folder))

const write = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

describe('a file that somebody else may have put there', () => {
  it('is read whole, also behind a link', () => {
    const text = `é ${'x'.repeat(200_000)}`
    const file = write('a', text)
    symlinkSync(file, join(folder, 'link'))
    expect(readRegularFile(file)).toBe(text)
    expect(readRegularFile(join(folder, 'link'))).toBe(text)
    expect(readRegularFileBytes(file).length).toBe(Buffer.byteLength(text))
    expect(readRegularFile(write('empty', ''))).toBe('')
  })

  it('is not read where it is larger than it may be', () => {
    expect(() => readRegularFile(write('large', 'x'.repeat(2_000_001)), 2_000_000)).toThrow('it is larger than 2 MB')
  })

  it.each(['/dev/zero', '/dev/null', '/proc/self/status', '/proc/version', '/'])(
    'is not %s, which lies on no disk',
    file => {
      expect(() => readRegularFile(file)).toThrow('it is not a regular file')
    },
  )

  it('is not one for which the reader would wait, or read for ever', () => {
    // readable for root only; elsewhere it cannot be opened
    expect(() => readRegularFile('/proc/kmsg')).toThrow()
    // as long as all memory there could be
    expect(() => readRegularFile('/proc/self/pagemap')).toThrow()
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(() => readRegularFile(pipe)).toThrow('it is not a regular file')
  })
})
