import type { Action, Event, Rule } from '../../../engine/index.ts'
import { type CommandPattern, type Condition, programName, toCommandLine } from '../../../engine/index.ts'
import { type CounterfactualCandidate, type CounterfactualTools, describeDecision } from './counterfactual.ts'
import { type CounterfactualQuery, denyingRulesOf } from './counterfactual-query.ts'
import { isLessStrict } from './less-strict.ts'

/** Finds small additions that a denying rule itself exempts: one more word in the shell line, or another path. */
export function findCounterfactualsByAddition(query: CounterfactualQuery): readonly CounterfactualCandidate[] {
  const { point, now, ask, tools } = query
  const { simulator, event } = point
  const lets = denyingRulesOf(query).flatMap(exemptedConditions)
  const actions = event.call?.acts ?? []
  const tries = lets.flatMap(condition => [
    ...changedLines(condition, actions, event, tools),
    ...changedPaths(condition, actions, event, simulator.root),
  ])
  for (const { changed, change } of tries) {
    const decision = ask(changed)
    if (isLessStrict(decision, now))
      return [{ by: 'command', decision, event: changed, change, text: `${change}, ${describeDecision(decision)}` }]
  }
  return []
}

/** Conditions that exempt an event from the rule: its `unless`, and `not` inside its `when`. */
const exemptedConditions = ({ when, unless }: Rule): readonly Condition[] => [
  ...(unless ? leafConditions(unless) : []),
  ...negatedConditions(when),
]

const negatedConditions = (when: Condition): readonly Condition[] => {
  if ('not' in when) return leafConditions(when.not)
  return 'all' in when ? when.all.flatMap(negatedConditions) : []
}

function leafConditions(condition: Condition): readonly Condition[] {
  if ('all' in condition) return condition.all.flatMap(leafConditions)
  if ('any' in condition) return condition.any.flatMap(leafConditions)
  return 'key' in condition ? [condition] : []
}

interface ChangedEvent {
  readonly changed: Event
  readonly change: string
}

function changedLines(
  leaf: Condition,
  actions: readonly Action[],
  { call }: Event,
  { retyped }: CounterfactualTools,
): readonly ChangedEvent[] {
  const line = call?.input.command
  if (!retyped || typeof line !== 'string' || !('key' in leaf) || leaf.key !== 'command') return []
  return leaf.in.flatMap(pattern =>
    actions.flatMap(action => {
      const added = 'program' in pattern ? addMissingWords(line, action, pattern) : undefined
      const changed = added && retyped(added.line)
      return added && changed ? [{ changed, change: `as \`${added.line}\`, with \`${added.what}\`` }] : []
    }),
  )
}

/** Adds the pattern's missing options after the subcommand, and missing words at the end, if all words so far fit the pattern. */
function addMissingWords(line: string, { words = [] }: Action, { program, words: wanted, options }: CommandPattern) {
  if (words.some(word => word.text === null) || programName(words[0]?.text ?? '') !== program) return undefined
  const plain = words.filter((word, at) => at > 0 && word.role === 'plain').map(word => word.text ?? '')
  if (wanted.includes('*') || wanted.slice(0, plain.length).some((word, at) => word !== plain[at])) return undefined
  const missing = options.filter(option => !words.some(word => word.text === option))
  const more = wanted.slice(plain.length)
  const what = [...missing, ...more].join(' ')
  const leading = words.slice(0, 1 + Math.min(plain.length, wanted.length))
  const head = toCommandLine(more.length > 0 ? words : leading)
  const at = line.indexOf(head)
  if (what === '' || at < 0) return undefined
  return { line: `${line.slice(0, at + head.length)} ${what}${line.slice(at + head.length)}`, what }
}

/** The call with another path that fits the condition's glob. Only for calls with a single action. */
function changedPaths(
  leaf: Condition,
  actions: readonly Action[],
  event: Event,
  root: string,
): readonly ChangedEvent[] {
  const [act, second] = actions
  const from = act?.place?.lexical
  const { call } = event
  if (!call || second || !from || !('key' in leaf) || leaf.key !== 'path') return []
  return leaf.in.flatMap(({ glob }) => {
    const to = samplePathFor(glob, from)
    if (to === undefined) return []
    const input = Object.fromEntries(
      Object.entries(call.input).map(([key, value]) => [key, isPath(value, from, root) ? to : value]),
    )
    const changed = { ...event, call: { ...call, input, acts: [{ ...act, place: { lexical: to, real: to } }] } }
    return [{ changed, change: `as ${relativeToRoot(to, root)}` }]
  })
}

const relativeToRoot = (path: string, root: string): string =>
  path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
const isPath = (value: unknown, path: string, root: string): boolean =>
  value === path || value === relativeToRoot(path, root)

/** For glob `docs/*.md` and `docs/a.txt` returns `docs/a.md`. A glob without `*` names another file: undefined. */
function samplePathFor(glob: string, from: string): string | undefined {
  const name = from.slice(from.lastIndexOf('/') + 1)
  const path = glob
    .replace(/\*\*$/, name)
    .replaceAll('**/', '')
    .replaceAll('*', name.replace(/\.[^.]*$/, ''))
  return !glob.includes('*') || /[?{}[\]*]/.test(path) ? undefined : path
}
