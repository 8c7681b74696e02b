import { parseJsonc } from '../../install/index.ts'

/** The line number of a key in a JSON file. */
export function lineOfKey(text: string | undefined, path: readonly string[]): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  let part = parseJsonc(text)
  let from: number | undefined
  for (const key of path) {
    const found = part.kind === 'table' ? part.members.find(member => member.key === key) : undefined
    if (!found) return undefined
    part = found.value
    from = found.from
  }
  return from === undefined ? undefined : text.slice(0, from).split('\n').length
}
