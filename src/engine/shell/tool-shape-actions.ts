import type { Action } from '../model/action.ts'
import type { ToolShape } from '../tool-shape/tool-shape.ts'
import { opaqueAction } from './interpreter/effect-collector.ts'
import { parsePatchActions } from './patch.ts'

type LineAnalyser = (line: string) => readonly Action[]

/** What a call does that looks like this. Whatever else it may do is one more act, which nothing exempts by what it looks like. */
export function actionsOfToolShape(shape: ToolShape, readLine: LineAnalyser): readonly Action[] {
  const { lines, patches, files, urls, unreadable, isPartial } = shape
  return [
    ...lines.flatMap(readLine),
    ...patches.flatMap(parsePatchActions),
    ...files.map(
      ({ action, path }): Action => ({
        action,
        // nobody knows what is done to it: that exempts nothing
        place: { lexical: path, ...(action === 'other' && { strays: true }) },
      }),
    ),
    ...urls.map((url): Action => ({ action: 'fetch', url })),
    ...unreadable.map(opaqueAction),
    ...(isPartial ? [OTHER_ACTION] : []),
  ]
}

const OTHER_ACTION: Action = { action: 'other' }
