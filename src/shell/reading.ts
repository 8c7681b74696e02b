import type { ParsedScript } from 'unbash'
import type { Act } from '../core/index.ts'
import type { Check } from './cross-check.ts'
import type { Scope } from './scope.ts'
import type { Spot } from './spot.ts'

const MAX_ACTS = 20_000
const MAX_LINE = 1024 * 1024
const MAX_PARSED = 4 * 1024 * 1024
const MAX_HEREDOCS = 256
export const MAX_DEPTH = 16

/** A command whose end `signalbox run` tells, in the foreground. */
export interface Witnessed {
  /** as the program is given it */
  readonly argv: readonly string[]
  /** where its acts begin among those of the line */
  readonly at: number
  /** the same acts, with what the status of this command implies in place of that of the line */
  readonly acts: readonly Act[]
}

/** What one call of `readShell` gathers. The walkers are handed in so that files need not import each other in a circle. */
export interface Reading {
  readonly acts: Act[]
  /** what `signalbox run` runs; absent while one is being read by itself */
  readonly witnessed?: Witnessed[]
  /** the text that positions of the tree being walked index */
  source: string
  /** all that was given to be read */
  readonly line: string
  /** characters given to the parser so far, re-parses included */
  parsed: number
  depth: number
  /** what was walked of `source` so far; undefined where that cannot be checked */
  check: Check | undefined
  /** some text holds code that was not walked */
  unseen: boolean
  /** some word's text differs by shell: where it is read as code, it is another one */
  differsByShell: boolean
  readonly walkNested: (reading: Reading, script: ParsedScript, scope: Scope) => void
  readonly walkText: (reading: Reading, text: string, scope: Scope, spot: Spot) => void
}

/** Thrown for a line that cannot be read; it never leaves `readShell`. */
export class Unreadable extends Error {}

export function push(reading: Reading, act: Act): void {
  if (reading.acts.length >= MAX_ACTS) throw new Unreadable('too many acts')
  reading.acts.push(act)
}

/** Counts text before the parser sees it: unbash re-parses substitutions when they are looked at. */
export function charge(reading: Reading, text: string): void {
  reading.parsed += text.length < SMALL ? text.length : text.length + rescans(text) / STEPS_PER_CHARACTER
  if (reading.parsed > MAX_PARSED) throw new Unreadable('too much to parse')
}

/** The text that is walked and the line around it: a variable may be set anywhere in that. */
export function around(reading: Reading): string {
  const { line, source } = reading
  if (source === line) return line
  // to look through all of it for each of many small texts would take too long
  charge(reading, line)
  return line.includes(source) ? line : `${line}\n${source}`
}

const SMALL = 256
const STEPS_PER_CHARACTER = 48

/** unbash looks for the end of a brace expansion, and of `$[`, from each opening anew: at worst up to the end of the text. */
function rescans(text: string): number {
  let steps = 0
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) {
    const next = text.charCodeAt(at + 1)
    if (next > 32 && next !== 125 && text.charCodeAt(at - 1) !== 36) steps += text.length - at
  }
  for (let at = text.indexOf('$['); at !== -1; at = text.indexOf('$[', at + 2)) steps += 4 * (text.length - at)
  return steps
}

/** unbash is quadratic in heredocs. */
export function checkSize(text: string): void {
  if (text.length > MAX_LINE) throw new Unreadable('too long')
  let count = 0
  for (let at = text.indexOf('<<'); at !== -1; at = text.indexOf('<<', at + 2)) {
    count += 1
    if (count > MAX_HEREDOCS) throw new Unreadable('too many heredocs')
  }
}

export const opaque = (via: string): Act => ({ action: 'other', opaque: true, via })
