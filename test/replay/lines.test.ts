import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LineReader, type TranscriptLine } from '../../src/analysis/replay/transcripts/line-reader.ts'

function linesOf(text: string | Buffer, isWhole = false): readonly TranscriptLine[] {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-lines-'))
  try {
    const file = join(folder, 'x')
    writeFileSync(file, text)
    const lines = new LineReader(file, isWhole)
    const all: TranscriptLine[] = []
    for (let next = lines.next(); next; next = lines.next()) all.push(...next)
    return all
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const LONG = 'é'.repeat(300_001)

it.each([
  ['', []],
  ['a', ['a']],
  ['a\nb\n', ['a', 'b']],
  ['a\n\nb', ['a', '', 'b']],
  [`${LONG}\nb\n${LONG}${LONG}\n\nc`, [LONG, 'b', LONG + LONG, '', 'c']],
])('lines that are longer than a piece come whole (%#)', (text, lines) => {
  expect(linesOf(text)).toEqual(lines)
})

it('of one text all is one line', () => {
  expect(linesOf('{\n}\n', true)).toEqual(['{\n}\n'])
})

it('a line of more than 64 MB is skipped alone', () => {
  const huge = Buffer.alloc(70_000_000, 'y')
  const lines = linesOf(Buffer.concat([Buffer.from('a\n'), huge, Buffer.from('\nb\nc\n')]))
  expect(lines).toEqual(['a', null, 'b', 'c'])
  expect(linesOf(Buffer.concat([Buffer.from('a\n'), huge]))).toEqual(['a', null])
})
