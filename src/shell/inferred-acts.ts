import type { Act } from '../core/index.ts'
import type { ToolShape } from '../pattern/index.ts'
import { readPatch } from './patch.ts'
import { opaque } from './reading.ts'

type Reader = (line: string) => readonly Act[]

/** What a call does that looks like this. Whatever else it may do is one more act, which nothing exempts by what it looks like. */
export function actsOfShape(shape: ToolShape, readLine: Reader): readonly Act[] {
  const { lines, patches, files, urls, unreadable, isPartial } = shape
  return [
    ...lines.flatMap(readLine),
    ...patches.flatMap(readPatch),
    ...files.map(
      ({ action, path }): Act => ({
        action,
        // nobody knows what is done to it: that exempts nothing
        place: { lexical: path, ...(action === 'other' && { strays: true }) },
      }),
    ),
    ...urls.map((url): Act => ({ action: 'fetch', url })),
    ...unreadable.map(opaque),
    ...(isPartial ? [OTHER] : []),
  ]
}

const OTHER: Act = { action: 'other' }
