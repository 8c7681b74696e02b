import type { Command, ParsedScript, Redirection } from 'unbash'
import type { Action } from '../../model/event.ts'
import type { Arg } from '../calls/argument.ts'
import { commandIndexOf, type ScriptLayout, scanScript, wordEndOf } from '../scan/command-list.ts'
import type { ShellScope } from '../scope/shell-scope.ts'
import type { PipelinePosition } from './pipeline-position.ts'

const MAX_ACTIONS = 20_000
const MAX_LINE = 1024 * 1024
const MAX_PARSED = 4 * 1024 * 1024
const MAX_HEREDOCS = 256
export const MAX_DEPTH = 16
export const MAX_UNKNOWN_WRAPPERS = 256

/** A command that `signalbox run` runs in the foreground and attests. */
export interface AttestedCommand {
  /** the arguments that the program receives */
  readonly argv: readonly string[]
  /** index of its first action among the actions of the line */
  readonly at: number
  /** the same actions, but `implied` and `decides` refer to this command's exit status instead of the line's */
  readonly acts: readonly Action[]
}

/** The results of one `analyseShellLine` pass. The walkers are passed in to avoid circular imports. */
export interface EffectCollector {
  readonly acts: Action[]
  /** commands run by `signalbox run`; absent while one of them is interpreted by itself */
  readonly attested?: AttestedCommand[]
  /** the text that the positions in the current syntax tree index */
  source: string
  /** the whole line under analysis */
  readonly line: string
  /** characters parsed so far, re-parses included */
  parsed: number
  depth: number
  /** commands that a program without a description may run, so far */
  guesses: number
  /** what has been walked of `source` so far; undefined if `source` cannot be checked */
  check: ParseCrossCheck | undefined
  /** some text contains code that was not walked */
  unseen: boolean
  /** the text of some word differs by shell, so a script built from it may differ too */
  differsByShell: boolean
  readonly walkNested: (collector: EffectCollector, script: ParsedScript, scope: ShellScope) => void
  readonly walkText: (collector: EffectCollector, text: string, scope: ShellScope, spot: PipelinePosition) => void
}

/** Thrown for a line that cannot be read. `analyseShellLine` catches it. */
export class UnreadableLineError extends Error {}

export function addAction(collector: EffectCollector, act: Action): void {
  if (collector.acts.length >= MAX_ACTIONS) throw new UnreadableLineError('too many acts')
  collector.acts.push(act)
}

export const madeBy = (act: Action, by: Action): Action => (act.opaque ? act : { ...act, by })

/** Counts text against the parsing limit. unbash re-parses a substitution when its script is accessed. */
export function chargeParsing(collector: EffectCollector, text: string): void {
  collector.parsed += text.length < SMALL_TEXT ? text.length : text.length + estimateRescans(text) / STEPS_PER_CHARACTER
  if (collector.parsed > MAX_PARSED) throw new UnreadableLineError('too much to parse')
}

/** The current text together with the line around it. A variable may be set anywhere in either. */
export function around(collector: EffectCollector): string {
  const { line, source } = collector
  if (source === line) return line
  // searching the whole line for each of many small texts is slow, so it counts as parsing
  chargeParsing(collector, line)
  return line.includes(source) ? line : `${line}\n${source}`
}

const SMALL_TEXT = 256
const STEPS_PER_CHARACTER = 48

/** unbash searches for the end of a brace expansion, and of `$[`, from each opening again, at worst to the end of the text. */
function estimateRescans(text: string): number {
  let steps = 0
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) {
    const next = text.charCodeAt(at + 1)
    if (next > 32 && next !== 125 && text.charCodeAt(at - 1) !== 36) steps += text.length - at
  }
  for (let at = text.indexOf('$['); at !== -1; at = text.indexOf('$[', at + 2)) steps += 4 * (text.length - at)
  return steps
}

/** Limits length and heredocs: unbash takes quadratic time in the number of heredocs. */
export function assertParsableSize(text: string): void {
  if (text.length > MAX_LINE) throw new UnreadableLineError('too long')
  let count = 0
  for (let at = text.indexOf('<<'); at !== -1; at = text.indexOf('<<', at + 2)) {
    count += 1
    if (count > MAX_HEREDOCS) throw new UnreadableLineError('too many heredocs')
  }
}

export const opaqueAction = (via: string): Action => ({ action: 'other', opaque: true, via })

interface CollectedCounts {
  readonly acts: number
  readonly attested: number
}

/** How much has been collected so far. */
export const marksOf = ({ acts, attested = [] }: EffectCollector): CollectedCounts => ({
  acts: acts.length,
  attested: attested.length,
})

/** What was collected since then runs elsewhere: rules see it, but it touches no file here, exempts nothing and proves nothing. */
export function moveElsewhere({ acts, attested }: EffectCollector, since: CollectedCounts): void {
  attested?.splice(since.attested)
  acts.push(...acts.splice(since.acts).flatMap(actionElsewhere))
}

function actionElsewhere({ onlyReads, implied, decides, ...act }: Action): readonly Action[] {
  return act.action === 'run' ? [{ ...act, folder: null }] : act.opaque ? [act] : []
}

/** Compares a scan of the text, made without a syntax tree, with the nodes that are walked in the parser's tree. */
interface ParseCrossCheck {
  /** words are removed from `layout.words` as they are walked */
  readonly layout: ScriptLayout
  readonly openings: Set<number>
  /** true if a walked node was not found by the scan, or found at another position */
  differs: boolean
}

/** Undefined if the scan cannot read the text with certainty. */
export function createCrossCheck(text: string, line = () => text): ParseCrossCheck | undefined {
  const layout = scanScript(text, line)
  return layout && { layout, openings: new Set(), differs: false }
}

/** True if everything the scan found was walked, and nothing else. */
export const isCrossCheckComplete = ({ layout, openings, differs }: ParseCrossCheck): boolean =>
  !differs && layout.words.size === 0 && openings.size === layout.openings.size

/** Checks that the words of one command also belong to one command in the scan. */
export function crossCheckCommand(
  check: ParseCrossCheck | undefined,
  { name, prefix, suffix, redirects }: Command,
): void {
  if (check === undefined) return
  let command: number | undefined
  const saw = (node: { pos: number; end: number }): void => {
    const found = crossCheckWord(check, node)
    command ??= found
    if (found !== command) check.differs = true
  }
  for (const item of prefix) if (item.type === 'Assignment') saw(item)
  if (name !== undefined) saw(name)
  for (const item of suffix) if (item.type === 'Word' || item.type === 'Assignment') saw(item)
  crossCheckRedirections(check, redirects)
}

export function crossCheckRedirections(check: ParseCrossCheck | undefined, redirects: readonly Redirection[]): void {
  if (check === undefined) return
  for (const redirect of redirects)
    if (redirect.type !== 'HereDoc' && redirect.target !== undefined) crossCheckWord(check, redirect.target)
}

function crossCheckWord(check: ParseCrossCheck, { pos, end }: { pos: number; end: number }): number | undefined {
  const placed = check.layout.words.get(pos)
  check.layout.words.delete(pos)
  if (placed !== undefined && wordEndOf(placed) === end) return commandIndexOf(placed)
  check.differs = true
  return undefined
}

/** Records a walked substitution. `source`: its own text, if its positions index that text instead of the outer one. */
export function crossCheckSubstitution(
  check: ParseCrossCheck | undefined,
  at: number,
  source: string | undefined,
): void {
  if (check === undefined) return
  check.openings.add(at)
  if (!check.layout.openings.has(at) || check.layout.openings.get(at) !== source) check.differs = true
}

/** Interprets a command once more as if it were the whole line, because the attestation reports this command's own exit status. */
export function collectAttestedCommand(
  collector: EffectCollector,
  args: readonly Arg[],
  at: number,
  interpret: (alone: EffectCollector) => void,
): void {
  const argv = args.flatMap(({ text, glob }) => (text === null || glob ? [] : [text]))
  if (!collector.attested || argv.length < args.length) return
  const { attested, ...alone } = collector
  const acts: Action[] = []
  interpret({ ...alone, acts })
  if (acts.length === collector.acts.length - at) attested.push({ argv, at, acts })
}
