import type { Act, Decision, Event } from '../core/index.ts'
import { asTyped, type Word } from '../pattern/index.ts'
import { laxer } from './laxer.ts'
import { type Option, type Turning, wouldBe } from './turning.ts'

const MOST_WORDS = 40

/** The whole line without one word of it, or one variable that is set in it; played as it would be typed. */
export function byLine(
  event: Event,
  now: Decision,
  ask: (event: Event) => Decision,
  { retyped }: Turning,
): readonly Option[] {
  const { acts = [], input = {} } = event.call ?? {}
  const run = acts.filter(act => act.words)
  const line = typeof input.command === 'string' ? input.command.trim() : keptLine(run)
  if (!retyped || line === undefined) return []
  for (const act of run)
    for (const parts of leavable(act)) {
      const without = lineWithout(line, parts)
      const changed = without === undefined ? undefined : retyped(without)
      const decision = changed ? ask(changed) : now
      const change = `as \`${without}\`, without \`${parts[0]}\``
      if (changed && laxer(decision, now))
        return [{ by: 'command', decision, event: changed, change, says: `${change}, ${wouldBe(decision)}` }]
    }
  return []
}

/** Of a line whose text was not kept: what it ran, where that was all. */
const keptLine = ([only, second]: readonly Act[]): string | undefined =>
  only?.words && !second && !only.assigns ? asTyped(only.words) : undefined

/** What could be left out of a command, each as it is typed: an option takes its value along. */
function leavable({ words = [], assigns = {} }: Act): readonly (readonly string[])[] {
  if (words.length > MOST_WORDS || words.some(word => word.text === null)) return []
  const sub = words.findIndex((word, at) => at > 0 && word.role === 'plain')
  const parts = words.flatMap((word, at): readonly (readonly Word[])[] => {
    // without its program or what that is to do, it is another command
    if (at === 0 || at === sub || word.role === 'value') return []
    const next = words[at + 1]
    return [word.role === 'option' && next?.role === 'value' ? [word, next] : [word]]
  })
  const set = Object.entries(assigns).flatMap(([name, value]) => (value === null ? [] : [[`${name}=${value}`]]))
  return [...parts.map(each => each.map(word => asTyped([word]))), ...set]
}

/** Undefined where they do not stand in the line like that. */
export function lineWithout(line: string, parts: readonly string[]): string | undefined {
  const typed = parts.map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+')
  const found = new RegExp(`(^|[\\s;&|(])${typed}(?=$|[\\s;&|)])`).exec(line)
  if (!found) return undefined
  const [all, before = ''] = found
  const rest = line.slice(found.index + all.length)
  const isBlank = /^\s/.test(before)
  return `${line.slice(0, found.index)}${isBlank ? '' : before}${isBlank ? rest : rest.trimStart()}`.trim()
}
