import type { Act, Decision, Event, Gate, Input, Rule } from '../core/index.ts'
import { asTyped, baseName, type CommandPattern, type Condition } from '../pattern/index.ts'
import { refusing } from './by-state.ts'
import { laxer } from './laxer.ts'
import { type Option, type Turning, wouldBe } from './turning.ts'

interface Asking {
  readonly input: Input
  readonly now: Decision
  readonly refused: Parameters<typeof refusing>[0]
  readonly ask: (event: Event) => Decision
  readonly turning: Turning
}

/** The least that a refusing rule itself names as what it lets through: a word more in the line, another path. */
export function byAddition({ input, now, refused, ask, turning }: Asking): readonly Option[] {
  const { event, program, facts } = input
  const gates = program.gates.filter(gate => refusing(refused).has(gate.id))
  const lets = gates.flatMap(({ id, rules }: Gate) =>
    rules.filter(one => refused.matches.some(match => match.gate === id && match.rule === one.id)).flatMap(letThrough),
  )
  const acts = event.call?.acts ?? []
  const tries = lets.flatMap(one => [...lines(one, acts, event, turning), ...paths(one, acts, event, facts.root)])
  for (const { changed, change } of tries) {
    const decision = ask(changed)
    if (laxer(decision, now))
      return [{ by: 'command', decision, event: changed, change, says: `${change}, ${wouldBe(decision)}` }]
  }
  return []
}

/** What a rule does not want to be about. */
const letThrough = ({ when, unless }: Rule): readonly Condition[] => [
  ...(unless ? leavesIn(unless) : []),
  ...negated(when),
]

const negated = (when: Condition): readonly Condition[] => {
  if ('not' in when) return leavesIn(when.not)
  return 'all' in when ? when.all.flatMap(negated) : []
}

function leavesIn(condition: Condition): readonly Condition[] {
  if ('all' in condition) return condition.all.flatMap(leavesIn)
  if ('any' in condition) return condition.any.flatMap(leavesIn)
  return 'not' in condition ? [] : [condition]
}

interface Try {
  readonly changed: Event
  readonly change: string
}

function lines(leaf: Condition, acts: readonly Act[], { call }: Event, { retyped }: Turning): readonly Try[] {
  const line = call?.input.command
  if (!retyped || typeof line !== 'string' || !('key' in leaf) || leaf.key !== 'command') return []
  return leaf.in.flatMap(pattern =>
    acts.flatMap(act => {
      const added = 'program' in pattern ? addedTo(line, act, pattern) : undefined
      const changed = added && retyped(added.line)
      return added && changed ? [{ changed, change: `as \`${added.line}\`, with \`${added.what}\`` }] : []
    }),
  )
}

/** Options behind what the command is to do, words at its end: where all that is there already is as the pattern wants it. */
function addedTo(line: string, { words = [] }: Act, { program, words: wanted, options }: CommandPattern) {
  if (words.some(word => word.text === null) || baseName(words[0]?.text ?? '') !== program) return undefined
  const plain = words.filter((word, at) => at > 0 && word.role === 'plain').map(word => word.text ?? '')
  if (wanted.includes('*') || wanted.slice(0, plain.length).some((word, at) => word !== plain[at])) return undefined
  const missing = options.filter(option => !words.some(word => word.text === option))
  const more = wanted.slice(plain.length)
  const what = [...missing, ...more].join(' ')
  const leading = words.slice(0, 1 + Math.min(plain.length, wanted.length))
  const head = asTyped(more.length > 0 ? words : leading)
  const at = line.indexOf(head)
  if (what === '' || at < 0) return undefined
  return { line: `${line.slice(0, at + head.length)} ${what}${line.slice(at + head.length)}`, what }
}

/** Of a call that touches one file. */
function paths(leaf: Condition, acts: readonly Act[], event: Event, root: string): readonly Try[] {
  const [act, second] = acts
  const from = act?.place?.lexical
  const { call } = event
  if (!call || second || !from || !('key' in leaf) || leaf.key !== 'path') return []
  return leaf.in.flatMap(({ glob }) => {
    const to = sampleOf(glob, from)
    if (to === undefined) return []
    const input = Object.fromEntries(
      Object.entries(call.input).map(([key, value]) => [key, isPath(value, from, root) ? to : value]),
    )
    const changed = { ...event, call: { ...call, input, acts: [{ ...act, place: { lexical: to, real: to } }] } }
    return [{ changed, change: `as ${near(to, root)}` }]
  })
}

const near = (path: string, root: string): string => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path)
const isPath = (value: unknown, path: string, root: string): boolean => value === path || value === near(path, root)

/** `docs/*.md` for `docs/a.txt` is `docs/a.md`; a file that is named whole is another file. */
function sampleOf(glob: string, from: string): string | undefined {
  const name = from.slice(from.lastIndexOf('/') + 1)
  const path = glob
    .replace(/\*\*$/, name)
    .replaceAll('**/', '')
    .replaceAll('*', name.replace(/\.[^.]*$/, ''))
  return !glob.includes('*') || /[?{}[\]*]/.test(path) ? undefined : path
}
