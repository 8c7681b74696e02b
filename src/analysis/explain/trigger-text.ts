import type { Condition, Gate, SinceCondition } from '../../engine/index.ts'
import { describeCondition } from './condition-text.ts'

type Transition = Gate['transitions'][number]
type Leaf = Extract<Condition, { readonly key: string }>

/** Describes what triggers a transition: `npm test` that succeeds; the end of the agent `router`. */
export function describeTrigger({ id, when, clock }: Transition, root: string): string {
  if (clock) return waitingPhrase(when) ?? `the next event when ${describeCondition(when, root)}`
  return triggerPhrase(when, root) ?? `${id} (${describeCondition(when, root)})`
}

/** `writing src/**`; undefined if the transition needs anything else, or one of several paths. */
export function describeFileTrigger({ when, events }: Transition, root: string): string | undefined {
  const leaves = 'all' in when ? when.all : [when]
  const isOne = leaves.every(leaf => 'key' in leaf && (leaf.key !== 'path' || leaf.in.length === 1))
  return isOne && events.every(kind => kind === 'tool.before') ? fileActionPhrase(leaves, root) : undefined
}

/** `waiting 60 s`, `the next event after 3 operations since it opened`; undefined if the condition needs more than counters and gates. */
function waitingPhrase(when: Condition): string | undefined {
  const leaves = 'all' in when ? when.all : [when]
  const counters = leaves.flatMap(leaf => ('key' in leaf && leaf.key === 'since' ? leaf.counters : []))
  const states = leaves.flatMap(leaf => ('key' in leaf && leaf.key === 'gate' ? leaf.states : []))
  if (counters.length === 0 || !leaves.every(leaf => 'key' in leaf && CLOCK_KEYS.has(leaf.key))) return undefined
  const also = states.map(({ gate, state }) => `${gate.slice(gate.lastIndexOf('/') + 1)} is ${state.join(' or ')}`)
  const meanwhile = also.length > 0 ? ` while ${also.join(' and ')}` : ''
  if (counters.every(counter => counter.unit === 'seconds'))
    return `waiting ${Math.max(...counters.map(counter => counter.atLeast))} s${meanwhile}`
  // the event that is judged is not counted: the one after so many is the first that finds it so
  return `the next event after ${counters.map(counterPhrase).join(' and ')}${meanwhile}`
}

const CLOCK_KEYS: ReadonlySet<string> = new Set(['since', 'gate'])

const counterPhrase = ({ mark, unit, atLeast }: SinceCondition): string =>
  `${atLeast} ${atLeast === 1 ? unit.slice(0, -1) : unit} since it ${mark}`

function triggerPhrase(when: Condition, root: string): string | undefined {
  if ('any' in when) {
    const each = when.any.map(condition => triggerPhrase(condition, root))
    return each.every(text => text !== undefined) ? each.join(', or ') : undefined
  }
  const leaves = 'all' in when ? when.all : [when]
  const of = <K extends Leaf['key']>(key: K) =>
    leaves.find((leaf): leaf is Extract<Leaf, { readonly key: K }> => 'key' in leaf && leaf.key === key)
  const kinds = of('event')?.in ?? []
  const touched =
    kinds.length > 0 && kinds.every(kind => kind === 'tool.before') ? fileActionPhrase(leaves, root) : undefined
  if (touched !== undefined) return touched
  if (!leaves.every(leaf => 'key' in leaf && PHRASED_KEYS.has(leaf.key))) return undefined
  const ends = kinds.length > 0 && kinds.every(kind => kind === 'tool.after' || kind === 'tool.failed')
  const command = of('command')
  const succeeded = of('succeeded')?.in
  if (command && ends) {
    const line = describeCondition(command, root).replace(/^command /, '')
    return succeeded?.length === 1 && succeeded[0] === 'true' ? `${line} that succeeds` : `the end of ${line}`
  }
  const agents = leaves.flatMap(leaf => ('key' in leaf && leaf.key === 'agent' ? leaf.in : []))
  if (agents.length > 0 && kinds.every(kind => kind === 'agent.stop'))
    return `the end of the agent ${agents.map(name => `\`${name}\``).join(' or ')}`
  return undefined
}

/** `writing PLAN.md`; undefined if the condition needs anything besides event, action and path. */
function fileActionPhrase(leaves: readonly Condition[], root: string): string | undefined {
  const kinds = leaves.flatMap(leaf => ('key' in leaf && leaf.key === 'action' ? leaf.in : []))
  const paths = leaves
    .filter(leaf => 'key' in leaf && leaf.key === 'path')
    .map(leaf => describeCondition(leaf, root).slice(5))
  const isOther = leaves.some(leaf => !('key' in leaf) || !['event', 'action', 'path'].includes(leaf.key))
  const words = kinds.map(kind => ACTION_GERUNDS[kind])
  if (isOther || paths.length > 1 || words.length === 0 || words.includes(undefined)) return undefined
  return `${words.join(' or ')} ${paths[0]?.replaceAll(' | ', ' or ') ?? 'a file'}`
}

const ACTION_GERUNDS: Readonly<Partial<Record<string, string>>> = {
  write: 'writing',
  delete: 'deleting',
  read: 'reading',
}

const PHRASED_KEYS: ReadonlySet<string> = new Set(['event', 'command', 'succeeded', 'agent', 'action'])
