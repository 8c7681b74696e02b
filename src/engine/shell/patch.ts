import type { Action } from '../model/event.ts'
import { opaqueAction } from './interpreter/effect-collector.ts'

const PATCH_HEADERS = [
  ['*** Add File: ', 'write'],
  ['*** Update File: ', 'write'],
  ['*** Delete File: ', 'delete'],
  ['*** Move to: ', 'write'],
] as const

/** The file operations of an `apply_patch` text or a unified diff. Any other text is one opaque action. */
export function parsePatchActions(patch: string): readonly Action[] {
  if (typeof patch !== 'string') return [opaqueAction('')]
  const acts: Action[] = []
  let begun = false
  for (const written of patch.split('\n')) {
    // a header may be indented; an indented context line looks the same, and an extra action is safe
    const line = written.trimStart()
    begun ||= line.trimEnd() === '*** Begin Patch'
    const header = begun ? PATCH_HEADERS.find(([start]) => line.startsWith(start)) : undefined
    const path = header === undefined ? '' : line.slice(header[0].length).trim()
    if (header === undefined || path === '') continue
    const via = line.trimEnd()
    if (header[0] === '*** Move to: ') addMoveDeletion(acts, via)
    acts.push({ action: header[1], place: { lexical: path }, via })
  }
  const found = begun ? acts : parseUnifiedDiff(patch)
  return found.length > 0 ? found : [opaqueAction(patch.trim())]
}

/** A moved file no longer exists at its old path. */
function addMoveDeletion(acts: Action[], via: string): void {
  const last = acts.at(-1)
  if (last?.action === 'write' && last.place !== undefined) acts.push({ action: 'delete', place: last.place, via })
}

/** `*** old` and `--- new` on the next line: the headers of a context diff. */
const contextDiffFile = (lines: readonly string[], at: number): string | undefined =>
  lines[at - 1]?.startsWith('*** ') && !/^\*{3} [\d,]+ \*{4}/.test(lines[at - 1] ?? '')
    ? /^--- ([^\t\r]+)/.exec(lines[at] ?? '')?.[1]?.replace(/^[ab]\//, '')
    : undefined

/** The files of a unified diff: a file named behind `+++` is written; with `+++ /dev/null` the old file is deleted. */
function parseUnifiedDiff(diff: string): readonly Action[] {
  const lines = diff.split('\n')
  const acts = lines.flatMap((line, at): Action[] => {
    const named = /^Index: ([^\t\r]+)/.exec(line)?.[1] ?? contextDiffFile(lines, at)
    if (named !== undefined) return [{ action: 'write', place: { lexical: named }, via: line }]
    const [, mark = '', name = ''] = /^(---|\+\+\+|rename from|rename to) ([^\t\r]+)/.exec(line) ?? []
    const isHeader =
      mark === '---' ? lines[at + 1]?.startsWith('+++ ') : mark !== '+++' || lines[at - 1]?.startsWith('--- ')
    if (mark === '' || !isHeader || name === '/dev/null') return []
    const isGone = mark === 'rename from' || (mark === '---' && lines[at + 1]?.startsWith('+++ /dev/null'))
    const path = mark.startsWith('r') ? name : name.replace(/^"?[abciow]\//, '').replace(/"$/, '')
    return [{ action: isGone ? 'delete' : 'write', place: { lexical: path }, via: line }]
  })
  return acts
}
