import type { Command, Redirection } from 'unbash'
import { commandIndexOf, type ScriptLayout, scanScript, wordEndOf } from '../scan/index.ts'

/** Compares a scan of the text, made without a syntax tree, with the nodes that are walked in the parser's tree. */
export interface ParseCrossCheck {
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
