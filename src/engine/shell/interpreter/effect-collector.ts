import type { ParsedScript } from 'unbash'
import type { Action } from '../../model/action.ts'
import type { ShellScope } from '../scope/scope.ts'
import type { ParseCrossCheck } from './cross-check.ts'
import type { PipelinePosition } from './pipeline-position.ts'

const MAX_ACTIONS = 20_000
const MAX_LINE = 1024 * 1024
const MAX_PARSED = 4 * 1024 * 1024
const MAX_HEREDOCS = 256
export const MAX_DEPTH = 16

/** A command whose end `signalbox run` tells, in the foreground. */
export interface AttestedCommand {
  /** as the program is given it */
  readonly argv: readonly string[]
  /** where its acts begin among those of the line */
  readonly at: number
  /** the same acts, with what the status of this command implies in place of that of the line */
  readonly acts: readonly Action[]
}

/** What one call of `readShell` gathers. The walkers are handed in so that files need not import each other in a circle. */
export interface EffectCollector {
  readonly acts: Action[]
  /** what `signalbox run` runs; absent while one is being read by itself */
  readonly witnessed?: AttestedCommand[]
  /** the text that positions of the tree being walked index */
  source: string
  /** all that was given to be read */
  readonly line: string
  /** characters given to the parser so far, re-parses included */
  parsed: number
  depth: number
  /** what was walked of `source` so far; undefined where that cannot be checked */
  check: ParseCrossCheck | undefined
  /** some text holds code that was not walked */
  unseen: boolean
  /** some word's text differs by shell: where it is read as code, it is another one */
  differsByShell: boolean
  readonly walkNested: (reading: EffectCollector, script: ParsedScript, scope: ShellScope) => void
  readonly walkText: (reading: EffectCollector, text: string, scope: ShellScope, spot: PipelinePosition) => void
}

/** Thrown for a line that cannot be read; it never leaves `readShell`. */
export class UnreadableLineError extends Error {}

export function addAction(reading: EffectCollector, act: Action): void {
  if (reading.acts.length >= MAX_ACTIONS) throw new UnreadableLineError('too many acts')
  reading.acts.push(act)
}

/** Counts text before the parser sees it: unbash re-parses substitutions when they are looked at. */
export function chargeParsing(reading: EffectCollector, text: string): void {
  reading.parsed += text.length < SMALL_TEXT ? text.length : text.length + estimateRescans(text) / STEPS_PER_CHARACTER
  if (reading.parsed > MAX_PARSED) throw new UnreadableLineError('too much to parse')
}

/** The text that is walked and the line around it: a variable may be set anywhere in that. */
export function around(reading: EffectCollector): string {
  const { line, source } = reading
  if (source === line) return line
  // to look through all of it for each of many small texts would take too long
  chargeParsing(reading, line)
  return line.includes(source) ? line : `${line}\n${source}`
}

const SMALL_TEXT = 256
const STEPS_PER_CHARACTER = 48

/** unbash looks for the end of a brace expansion, and of `$[`, from each opening anew: at worst up to the end of the text. */
function estimateRescans(text: string): number {
  let steps = 0
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) {
    const next = text.charCodeAt(at + 1)
    if (next > 32 && next !== 125 && text.charCodeAt(at - 1) !== 36) steps += text.length - at
  }
  for (let at = text.indexOf('$['); at !== -1; at = text.indexOf('$[', at + 2)) steps += 4 * (text.length - at)
  return steps
}

/** unbash is quadratic in heredocs. */
export function assertParsableSize(text: string): void {
  if (text.length > MAX_LINE) throw new UnreadableLineError('too long')
  let count = 0
  for (let at = text.indexOf('<<'); at !== -1; at = text.indexOf('<<', at + 2)) {
    count += 1
    if (count > MAX_HEREDOCS) throw new UnreadableLineError('too many heredocs')
  }
}

export const opaqueAction = (via: string): Action => ({ action: 'other', opaque: true, via })
