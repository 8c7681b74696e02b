import type { Action, Decision, Event } from '../../../engine/index.ts'
import { toCommandLine, type Word } from '../../../engine/index.ts'
import { type CounterfactualCandidate, type CounterfactualTools, describeDecision } from './counterfactual.ts'
import { isLessStrict } from './less-strict.ts'

const MAX_WORDS = 40

/** Evaluates the line again without one word, or without one variable assignment, as if it were typed that way. */
export function findCounterfactualsByLine(
  event: Event,
  now: Decision,
  ask: (event: Event) => Decision,
  { retyped }: CounterfactualTools,
): readonly CounterfactualCandidate[] {
  const { acts = [], input = {} } = event.call ?? {}
  const run = acts.filter(action => action.words)
  const line = typeof input.command === 'string' ? input.command.trim() : recordedLine(run)
  if (!retyped || line === undefined) return []
  for (const action of run)
    for (const parts of removableParts(action)) {
      const without = removeFromLine(line, parts)
      const changed = without === undefined ? undefined : retyped(without)
      const decision = changed ? ask(changed) : now
      const change = `as \`${without}\`, without \`${parts[0]}\``
      if (changed && isLessStrict(decision, now))
        return [{ by: 'command', decision, event: changed, change, text: `${change}, ${describeDecision(decision)}` }]
    }
  return []
}

/** Rebuilds the line of a call whose input was not recorded; only if it ran a single command without assignments. */
const recordedLine = ([only, second]: readonly Action[]): string | undefined =>
  only?.words && !second && !only.assigns ? toCommandLine(only.words) : undefined

/** The parts of a command that can be left out, as typed. An option is removed together with its value. */
function removableParts({ words = [], assigns = {} }: Action): readonly (readonly string[])[] {
  if (words.length > MAX_WORDS || words.some(word => word.text === null)) return []
  const sub = words.findIndex((word, at) => at > 0 && word.role === 'plain')
  const parts = words.flatMap((word, at): readonly (readonly Word[])[] => {
    // Without its program or subcommand it would be another command.
    if (at === 0 || at === sub || word.role === 'value') return []
    const next = words[at + 1]
    return [word.role === 'option' && next?.role === 'value' ? [word, next] : [word]]
  })
  const set = Object.entries(assigns).flatMap(([name, value]) => (value === null ? [] : [[`${name}=${value}`]]))
  return [...parts.map(each => each.map(word => toCommandLine([word]))), ...set]
}

/** The line without `parts`; undefined if they do not occur in it next to each other. */
export function removeFromLine(line: string, parts: readonly string[]): string | undefined {
  const typed = parts.map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+')
  const found = new RegExp(`(^|[\\s;&|(])${typed}(?=$|[\\s;&|)])`).exec(line)
  if (!found) return undefined
  const [all, before = ''] = found
  const rest = line.slice(found.index + all.length)
  const isBlank = /^\s/.test(before)
  return `${line.slice(0, found.index)}${isBlank ? '' : before}${isBlank ? rest : rest.trimStart()}`.trim()
}
