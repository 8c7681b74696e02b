import type { Command, Redirection } from 'unbash'
import { commandIndexOf, type ScriptLayout, scanScript, wordEndOf } from '../scan/index.ts'

/** What a scan that knows no syntax tree has found in a text, held against what is walked of its tree. */
export interface ParseCrossCheck {
  /** what is walked is taken out of its words */
  readonly layout: ScriptLayout
  readonly openings: Set<number>
  /** something was walked that the scan has not found, or found elsewhere */
  differs: boolean
}

/** Undefined where the text is not known for certain. */
export function createCrossCheck(text: string, line = () => text): ParseCrossCheck | undefined {
  const layout = scanScript(text, line)
  return layout && { layout, openings: new Set(), differs: false }
}

/** Whether all that the scan has found was walked, and nothing else. */
export const isCrossCheckComplete = ({ layout, openings, differs }: ParseCrossCheck): boolean =>
  !differs && layout.words.size === 0 && openings.size === layout.openings.size

/** The words of one command have to be words of one command to the scan too. */
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

/** A substitution whose commands are walked. `source`: the text of its own that their positions index, if it has one. */
export function crossCheckSubstitution(
  check: ParseCrossCheck | undefined,
  at: number,
  source: string | undefined,
): void {
  if (check === undefined) return
  check.openings.add(at)
  if (!check.layout.openings.has(at) || check.layout.openings.get(at) !== source) check.differs = true
}
