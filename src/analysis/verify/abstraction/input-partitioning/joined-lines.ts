import type { Condition, Program } from '../../../../engine/index.ts'
import { quoteShellWord } from '../../../../lib/shell-quote.ts'
import { atomsOf, conditionsOf } from '../condition-atoms.ts'
import type { ShorthandEvent } from '../residual-condition.ts'
import { type Conjunction, toDnf } from './disjunctive-normal-form.ts'
import { attributeKeysOf, type PatternSampler } from './pattern-sampler.ts'

/** Lines that are tried; with more, the attributes of the conditions count as incomplete. */
const MAX_JOINED = 240
/** Of one condition. */
const MAX_OWN = 3

/** For conditions with `with`: lines that join a call of every condition with a call that the `with` asks for. */
export function joinLines(
  program: Program,
  sampler: PatternSampler,
  satisfy: (conjunction: Conjunction) => readonly ShorthandEvent[],
): readonly string[] {
  const conditions = program.gates.flatMap(conditionsOf)
  const others = conditions.flatMap(othersIn)
  if (others.length === 0) return []
  const markIncomplete = () => {
    for (const key of others.flatMap(atomsOf).flatMap(attributeKeysOf)) sampler.incomplete.add(key)
  }
  const linesFor = (list: readonly Condition[]): readonly string[] => {
    const calls = list.flatMap(condition => toDnf(condition, markIncomplete)).flatMap(satisfy)
    return [...new Set(calls.flatMap(call => lineOf(call) ?? []))]
  }
  const wanted = linesFor(others)
  if (others.some(condition => linesFor([condition]).length === 0)) markIncomplete()
  const own = [...new Set(['some-program', ...linesFor(conditions), ...wanted])]
  const pairs = own.flatMap(line => wanted.filter(other => other !== line).map(other => `${line} && ${other}`))
  const all = [
    // first each condition with what its own `with` asks for: the others follow while there is room
    ...conditions.flatMap(condition => {
      const asked = linesFor(othersIn(condition)).slice(0, MAX_OWN)
      return asked.length === 0
        ? []
        : linesFor([condition])
            .slice(0, MAX_OWN)
            .flatMap(line => asked.map(other => `${line} && ${other}`))
    }),
    ...pairs,
    ...wanted.map(line => `${line} && ${line}`),
    ...(wanted.length > 2 ? [wanted.join(' && ')] : []),
  ]
  if (all.length > MAX_JOINED) markIncomplete()
  return [...new Set(all)].slice(0, MAX_JOINED)
}

function othersIn(condition: Condition): readonly Condition[] {
  if ('all' in condition) return condition.all.flatMap(othersIn)
  if ('any' in condition) return condition.any.flatMap(othersIn)
  if ('not' in condition) return othersIn(condition.not)
  return 'with' in condition ? [condition.with] : []
}

/** A command that does what the call does. */
function lineOf(call: ShorthandEvent): string | undefined {
  const { shell, tool, path, url = tool === 'WebFetch' ? 'https://some.example/page' : undefined } = call
  if (typeof shell === 'string') return shell
  if (typeof url === 'string') return `curl -s ${quoteShellWord(url)}`
  const command = typeof tool === 'string' && Object.hasOwn(COMMANDS, tool) ? COMMANDS[tool] : undefined
  return command && `${command} ${quoteShellWord(typeof path === 'string' ? path : 'some.txt')}`
}

const COMMANDS: Readonly<Record<string, string>> = {
  Read: 'cat',
  Write: 'echo x >',
  Edit: 'echo y >>',
  Delete: 'rm',
  Grep: 'grep x',
}
