import type { Action } from '../model/event.ts'
import type { ToolShape } from '../tool-shape/tool-shape.ts'
import { opaqueAction } from './interpreter/effect-collector.ts'
import { parsePatchActions } from './patch.ts'

type LineAnalyser = (line: string) => readonly Action[]

/** The actions of a tool call with this shape. A partial shape adds an `other` action for the unknown rest, which nothing exempts. */
export function actionsOfToolShape(shape: ToolShape, readLine: LineAnalyser): readonly Action[] {
  const { lines, patches, files, urls, unreadable, isPartial } = shape
  return [
    ...lines.flatMap(readLine),
    ...patches.flatMap(parsePatchActions),
    ...files.map(
      ({ action, path }): Action => ({
        action,
        // the operation on this file is unknown, so the path exempts nothing
        place: { lexical: path, ...(action === 'other' && { strays: true }) },
      }),
    ),
    ...urls.map((url): Action => ({ action: 'fetch', url })),
    ...unreadable.map(opaqueAction),
    ...(isPartial ? [OTHER_ACTION] : []),
  ]
}

const OTHER_ACTION: Action = { action: 'other' }
