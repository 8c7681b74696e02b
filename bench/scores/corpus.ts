import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** A dangerous call and the everyday harmless one next to it. A call is a shell line, or an event in short form: `{ write: .env }`. */
export interface DangerousCase {
  readonly subject: string
  readonly call: string
  /** what the harm is */
  readonly why: string
  /** the nearest harmless call */
  readonly twin: string
}

/** A call that only reads. */
export interface ReadingCase {
  readonly subject: string
  readonly call: string
}

export interface Corpus {
  readonly dangerous: readonly DangerousCase[]
  readonly reading: readonly ReadingCase[]
}

const HEADER = 'dangerous\tsafe twin\twhy'

/** Reads `dangerous/*.tsv` (one pair a line) and `reading/*.txt` (one call a line). The name of a file is its subject. */
export function readCorpus(folder: string): Corpus {
  return {
    dangerous: filesOf(join(folder, 'dangerous'), '.tsv').flatMap(({ subject, lines }) => {
      if (lines[0] !== HEADER) throw new Error(`${subject}.tsv must begin with the line ${JSON.stringify(HEADER)}`)
      return lines.slice(1).map(line => dangerousCase(subject, line))
    }),
    reading: filesOf(join(folder, 'reading'), '.txt').flatMap(({ subject, lines }) =>
      lines.map(call => ({ subject, call })),
    ),
  }
}

function filesOf(folder: string, end: string) {
  const names = readdirSync(folder)
    .filter(name => name.endsWith(end))
    .sort()
  return names.map(name => ({
    subject: basename(name, end),
    lines: readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean),
  }))
}

function dangerousCase(subject: string, line: string): DangerousCase {
  const [call = '', twin = '', why = '', ...more] = line.split('\t')
  if (!call || !twin || !why || more.length > 0)
    throw new Error(`${subject}.tsv: three columns are needed, separated by one tab each: ${line}`)
  return { subject, call, twin, why }
}
