import { UNKNOWN_PART } from '../match/written-text.ts'
import type { Action } from '../model/event.ts'
import { opaqueAction } from './interpreter/effect-collector.ts'

const PATCH_HEADERS = [
  ['*** Add File: ', 'write'],
  ['*** Update File: ', 'write'],
  ['*** Delete File: ', 'delete'],
  ['*** Move to: ', 'write'],
] as const

/** What a patch does to one file, and the lines that it adds. */
interface FilePatch {
  readonly act: Action
  readonly added: string[]
}

/** The file operations of an `apply_patch` text or a unified diff. Any other text is one opaque action. */
export function parsePatchActions(patch: string): readonly Action[] {
  if (typeof patch !== 'string') return [opaqueAction('')]
  const files: FilePatch[] = []
  let begun = false
  let indent = 0
  for (const written of patch.split('\n')) {
    // a header may be indented; an indented context line looks the same, and an extra action is safe
    const line = written.trimStart()
    begun ||= line.trimEnd() === '*** Begin Patch'
    const header = begun ? PATCH_HEADERS.find(([start]) => line.startsWith(start)) : undefined
    const path = header === undefined ? '' : line.slice(header[0].length).trim()
    if (written.startsWith('+', indent)) files.at(-1)?.added.push(written.slice(indent + 1))
    if (header === undefined || path === '') continue
    indent = written.length - line.length
    const via = line.trimEnd()
    const isMove = header[0] === '*** Move to: '
    if (isMove) addMoveDeletion(files, via)
    // with a move, the new file also gets all that was in the old one
    files.push({ act: { action: header[1], place: { lexical: path }, via }, added: isMove ? [UNKNOWN_PART] : [] })
  }
  const found = begun ? files.map(withAddedText) : parseUnifiedDiff(patch)
  return found.length > 0 ? found : [opaqueAction(patch.trim())]
}

const withAddedText = ({ act, added }: FilePatch): Action =>
  act.action === 'write' ? { ...act, text: added.join('\n') } : act

/** A moved file no longer exists at its old path. */
function addMoveDeletion(files: FilePatch[], via: string): void {
  const last = files.at(-1)?.act
  if (last?.action === 'write' && last.place !== undefined)
    files.push({ act: { action: 'delete', place: last.place, via }, added: [] })
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
    const place = { lexical: path }
    if (isGone) return [{ action: 'delete', place, via: line }]
    const text = mark.startsWith('r') ? {} : { text: addedBelow(lines, at + (mark === '---' ? 2 : 1)) }
    return [{ action: 'write', place, via: line, ...text }]
  })
  return acts
}

/** The lines that a diff adds to one file, up to the header of the next one. */
function addedBelow(lines: readonly string[], from: number): string {
  const added: string[] = []
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ')) break
    if (line.startsWith('+')) added.push(line.slice(1))
  }
  return added.join('\n')
}
