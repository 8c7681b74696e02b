import type { Act } from '../core/index.ts'
import { isDiff, type ToolShape } from '../pattern/index.ts'
import { readPatch } from './patch.ts'
import { opaque } from './reading.ts'

type Reader = (line: string) => readonly Act[]

/** What a call does that looks like this. Whatever else it may do is one more act, which nothing exempts by what it looks like. */
export function actsOfShape(shape: ToolShape, readLine: Reader): readonly Act[] {
  const { lines, patches, files, urls, unreadable, isPartial } = shape
  return [
    ...lines.flatMap(readLine),
    ...patches.flatMap(patch => (isDiff(patch) ? readDiff(patch) : readPatch(patch))),
    ...files.map(
      ({ action, path }): Act => ({ action, place: { lexical: path, ...(action === 'other' && { strays: true }) } }),
    ),
    ...urls.map((url): Act => ({ action: 'fetch', url })),
    ...unreadable.map(opaque),
    ...(isPartial ? [OTHER] : []),
  ]
}

const OTHER: Act = { action: 'other' }

/** The files of a unified diff: written where they are named behind `+++`, gone where nothing is behind it. */
function readDiff(diff: string): readonly Act[] {
  const lines = diff.split('\n')
  const acts = lines.flatMap((line, at): Act[] => {
    const [, mark = '', name = ''] = /^(---|\+\+\+|rename from|rename to) ([^\t\r]+)/.exec(line) ?? []
    const isHeader =
      mark === '---' ? lines[at + 1]?.startsWith('+++ ') : mark !== '+++' || lines[at - 1]?.startsWith('--- ')
    if (mark === '' || !isHeader || name === '/dev/null') return []
    const isGone = mark === 'rename from' || (mark === '---' && lines[at + 1]?.startsWith('+++ /dev/null'))
    const path = mark.startsWith('r') ? name : name.replace(/^"?[abciow]\//, '').replace(/"$/, '')
    return [{ action: isGone ? 'delete' : 'write', place: { lexical: path }, via: line }]
  })
  return acts.length > 0 ? acts : [opaque(diff.trim())]
}
