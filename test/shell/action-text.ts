import type { Action } from '../../src/engine/model/event.ts'
import { analyseShellLine } from '../../src/engine/shell/index.ts'

const word = (text: string | null): string => text ?? '?'

/** One act as a short line: `run rm -rf a`, `write src/a`, `fetch https://…`, `opaque`. */
export function tell(act: Action): string {
  if (act.opaque) return 'opaque'
  if (act.words) return ['run', ...act.words.map(({ text }) => word(text))].join(' ')
  if (act.place) return `${act.action} ${word(act.place.lexical)}${act.place.glob ? ' (glob)' : ''}`
  return `${act.action} ${word(act.url ?? null)}`
}

export const told = (line: string): string[] => analyseShellLine(line).acts.map(tell)

/** The acts that are not `run`. */
export const touched = (line: string): string[] => told(line).filter(act => !act.startsWith('run'))

export const runs = (line: string): string[] =>
  told(line)
    .filter(act => act.startsWith('run'))
    .map(act => act.slice(4))

/** The commands whose run act has the mark. */
export const marked = (line: string, mark: 'implied' | 'decides' | 'onlyReads', background = false): string[] =>
  analyseShellLine(line, { background })
    .acts.filter(act => act[mark])
    .map(act => tell(act).slice(4))
