import { ACTION_KINDS, type ActionKind, type Condition, EVENT_KINDS, type EventKind } from '../../../engine/index.ts'
import type { RuleDoc } from '../../schema/gate.ts'
import { type CompileContext, reportNoEffect } from '../context.ts'

type ConditionLeaf = Extract<Condition, { readonly key: string }>

const CALL_EVENTS: readonly EventKind[] = ['tool.before', 'tool.after', 'tool.failed', 'permission.request']

/** The kinds of action that a key can match. A key that is not listed can match every kind. */
const ACTIONS_BY_KEY: Readonly<Record<string, readonly ActionKind[]>> = {
  command: ['run'],
  words: ['run'],
  assigns: ['run'],
  path: ['read', 'write', 'delete', 'search', 'mcp', 'other'],
  file: ['run', 'read', 'write', 'delete', 'search', 'mcp', 'other'],
  url: ['fetch', 'mcp', 'other'],
}

const EVENTS_BY_KEY: Readonly<Record<string, readonly EventKind[]>> = {
  prompt: ['prompt.submit'],
  source: ['prompt.submit'],
  succeeded: ['tool.after', 'tool.failed'],
  ...Object.fromEntries(
    ['tool', 'action', 'command', 'words', 'path', 'file', 'url', 'input', 'assigns'].map(key => [key, CALL_EVENTS]),
  ),
}

const actionsOf = (part: ConditionLeaf): readonly ActionKind[] =>
  part.key === 'action' ? part.in : (!('maker' in part) && ACTIONS_BY_KEY[part.key]) || ACTION_KINDS

const eventsOf = (part: ConditionLeaf): readonly EventKind[] =>
  part.key === 'event' ? part.in : (EVENTS_BY_KEY[part.key] ?? EVENT_KINDS)

/** The values for which the condition can be true. `of` returns the possible values of a leaf. */
function possibleValues<T>(
  condition: Condition,
  all: readonly T[],
  of: (part: ConditionLeaf) => readonly T[],
): readonly T[] {
  if ('not' in condition || 'with' in condition) return all
  if ('key' in condition) return of(condition)
  const parts = ('all' in condition ? condition.all : condition.any).map(item => possibleValues(item, all, of))
  return all.filter(item =>
    'all' in condition ? parts.every(part => part.includes(item)) : parts.some(part => part.includes(item)),
  )
}

/** `unless` is matched against the action that `when` matched. Warns if it requires another kind of action or event: it exempts nothing. */
export function warnOfDeadExemption(context: CompileContext, doc: RuleDoc, when: Condition, unless: Condition): void {
  const actions = possibleValues(when, ACTION_KINDS, actionsOf)
  const events = possibleValues(when, EVENT_KINDS, eventsOf)
  if (actions.length === 0 || events.length === 0) return
  for (const branch of branchesOf(unless)) {
    const isOfOtherActs = !possibleValues(branch, ACTION_KINDS, actionsOf).some(text => actions.includes(text))
    const isOfOtherEvents = !possibleValues(branch, EVENT_KINDS, eventsOf).some(text => events.includes(text))
    const keys = keysOf(branch).filter(key =>
      isOfOtherActs ? key in ACTIONS_BY_KEY || key === 'action' : key in EVENTS_BY_KEY || key === 'event',
    )
    const keyList = keys.map(key => `\`${key}\``).join(', ')
    if (isOfOtherActs)
      reportNoEffect(
        context,
        doc,
        'unless',
        `\`unless\` matches nothing: ${keyList} is never true of ${joinWithOr(actions)}`,
        {
          help: suggestExemption(branch, actions),
        },
      )
    else if (isOfOtherEvents)
      reportNoEffect(
        context,
        doc,
        'unless',
        `\`unless\` matches nothing: ${keyList} is never true of ${joinWithOr(events)}`,
        {
          help: 'remove it, or put it into a rule about that event',
        },
      )
  }
}

const branchesOf = (condition: Condition): readonly Condition[] =>
  'any' in condition ? condition.any.flatMap(branchesOf) : [condition]

const keysOf = (condition: Condition): readonly string[] => {
  if ('not' in condition || 'with' in condition) return []
  if ('key' in condition) return [condition.key]
  return [...new Set(('all' in condition ? condition.all : condition.any).flatMap(keysOf))]
}

const joinWithOr = (words: readonly string[]): string => words.map(word => `\`${word}\``).join(' or ')

/** `rm -rf dist` is a run and a delete: to exempt the delete, name the deleted path. */
function suggestExemption(branch: Condition, actions: readonly ActionKind[]): string {
  const isOfFiles = actions.every(action => ACTIONS_BY_KEY.path?.includes(action))
  const parts = 'all' in branch ? branch.all : [branch]
  const words = parts
    .flatMap(part => ('key' in part && part.key === 'command' ? part.in : []))
    .flatMap(matcher => ('words' in matcher ? matcher.words : []))
  if (isOfFiles)
    return `a command and what it does to a file are two actions: write \`unless: { path: ${words.at(-1) ?? 'dir'}/ }\``
  return actions.includes('run')
    ? 'write `unless: { command: … }`'
    : 'a call can have several actions, and each is evaluated separately'
}
