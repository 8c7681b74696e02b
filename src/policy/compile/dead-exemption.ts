import { ACTIONS, type Action, type Condition, EVENT_KINDS, type EventKind } from '../../pattern/index.ts'
import type { RuleDoc } from '../schema/gate.ts'
import { type Context, warnNoEffect } from './context.ts'

type Part = Extract<Condition, { readonly key: string }>

const CALLS: readonly EventKind[] = ['tool.before', 'tool.after', 'tool.failed', 'permission.request']

/** The acts that have what a key asks for; a key that is not here is asked of every act. */
const ACTS: Readonly<Record<string, readonly Action[]>> = {
  command: ['run'],
  assigns: ['run'],
  path: ['read', 'write', 'delete', 'search', 'mcp', 'other'],
  url: ['fetch', 'mcp', 'other'],
}

const EVENTS: Readonly<Record<string, readonly EventKind[]>> = {
  prompt: ['prompt.submit'],
  source: ['prompt.submit'],
  succeeded: ['tool.after', 'tool.failed'],
  ...Object.fromEntries(['tool', 'action', 'command', 'path', 'url', 'input', 'assigns'].map(key => [key, CALLS])),
}

const actionsOf = (part: Part): readonly Action[] => (part.key === 'action' ? part.in : (ACTS[part.key] ?? ACTIONS))

const eventsOf = (part: Part): readonly EventKind[] =>
  part.key === 'event' ? part.in : (EVENTS[part.key] ?? EVENT_KINDS)

/** All for which the condition can be true, as far as `of` its parts says. */
function possible<T>(condition: Condition, all: readonly T[], of: (part: Part) => readonly T[]): readonly T[] {
  if ('not' in condition) return all
  if ('key' in condition) return of(condition)
  const parts = ('all' in condition ? condition.all : condition.any).map(one => possible(one, all, of))
  return all.filter(item =>
    'all' in condition ? parts.every(one => one.includes(item)) : parts.some(one => one.includes(item)),
  )
}

/** An `unless` is asked of the one act that `when` has found: what asks for another kind of act, or of event, exempts nothing. */
export function warnOfDeadExemption(context: Context, doc: RuleDoc, when: Condition, unless: Condition): void {
  const actions = possible(when, ACTIONS, actionsOf)
  const events = possible(when, EVENT_KINDS, eventsOf)
  if (actions.length === 0 || events.length === 0) return
  for (const branch of branchesOf(unless)) {
    const isOfOtherActs = !possible(branch, ACTIONS, actionsOf).some(one => actions.includes(one))
    const isOfOtherEvents = !possible(branch, EVENT_KINDS, eventsOf).some(one => events.includes(one))
    const keys = keysOf(branch).filter(key =>
      isOfOtherActs ? key in ACTS || key === 'action' : key in EVENTS || key === 'event',
    )
    const asked = keys.map(key => `\`${key}\``).join(', ')
    if (isOfOtherActs)
      warnNoEffect(context, doc, 'unless', `\`unless\` matches nothing: ${asked} is never true of ${listed(actions)}`, {
        help: insteadOf(branch, actions),
      })
    else if (isOfOtherEvents)
      warnNoEffect(context, doc, 'unless', `\`unless\` matches nothing: ${asked} is never true of ${listed(events)}`, {
        help: 'leave it out, or put it into a rule about that event',
      })
  }
}

const branchesOf = (condition: Condition): readonly Condition[] =>
  'any' in condition ? condition.any.flatMap(branchesOf) : [condition]

const keysOf = (condition: Condition): readonly string[] => {
  if ('not' in condition) return []
  if ('key' in condition) return [condition.key]
  return [...new Set(('all' in condition ? condition.all : condition.any).flatMap(keysOf))]
}

const listed = (words: readonly string[]): string => words.map(word => `\`${word}\``).join(' or ')

/** `rm -rf dist` is a run and a delete: an exemption of the delete names what is deleted. */
function insteadOf(branch: Condition, actions: readonly Action[]): string {
  const isOfFiles = actions.every(action => ACTS.path?.includes(action))
  const parts = 'all' in branch ? branch.all : [branch]
  const words = parts
    .flatMap(one => ('key' in one && one.key === 'command' ? one.in : []))
    .flatMap(one => ('words' in one ? one.words : []))
  if (isOfFiles)
    return `a command and what it does to a file are two acts: write \`unless: { path: ${words.at(-1) ?? 'dir'}/ }\``
  return actions.includes('run')
    ? 'write `unless: { command: … }`'
    : 'a call may do several things, and each is judged by itself'
}
