import {
  type Action,
  actionsOf,
  type CommandMatcher,
  type Condition,
  callerLabel,
  type Event,
  FILE_STATES,
  type FieldPattern,
  fileOf,
  type MatchContext,
  matchFile,
  type SinceCondition,
  toCommandLine,
  UNKNOWN_PART,
} from '../../engine/index.ts'
import { fieldText } from '../../lib/json.ts'

type Leaf = Extract<Condition, { readonly key: string }>

const MAX_LENGTH = 120

/** The value that a condition was compared with, in the words of the policy. */
export function actualValueOf(leaf: Leaf, action: Action, context: MatchContext): string {
  const { event, facts } = context
  if (action.opaque && !ACTION_INDEPENDENT_KEYS.has(leaf.key))
    return `a command line that cannot be parsed: ${truncateLine(action.via ?? '')}`.trim()
  switch (leaf.key) {
    case 'event':
      return event.kind
    case 'caller':
      return callerText(event)
    case 'tool':
      return event.call ? toolText(event.call) : 'no call'
    case 'action':
      return event.call ? action.action : 'no call'
    case 'command':
    case 'words': {
      const { words } = leaf.maker ? (action.by ?? action) : action
      if (!words) return `no command, but ${actionText(action)}`
      return `\`${truncateLine(toCommandLine(words))}\`${leaf.key === 'command' ? narrowedCheckNote(leaf.in, action) : ''}`
    }
    case 'path':
      return action.place ? pathText(action, facts.root) : `no file, but ${actionText(action)}`
    case 'file':
      return fileText(action, context)
    case 'url':
      return action.url === undefined
        ? `no URL, but ${actionText(action)}`
        : (action.url ?? 'a URL that cannot be determined')
    case 'agent':
      return action.agent ?? event.agent ?? 'no agent'
    case 'prompt':
      return event.prompt ? truncateLine(JSON.stringify(event.prompt.text)) : 'no prompt'
    case 'text':
      return writtenTextText(action, event)
    case 'source':
      return event.prompt?.source ?? 'no prompt'
    case 'succeeded':
      return exitStatusText(event, action)
    case 'input':
      return fieldsText(leaf.fields, field => fieldText(event.call?.input, field))
    case 'env':
      return fieldsText(leaf.fields, name => facts.env[name])
    case 'assigns':
      return fieldsText(leaf.fields, name => action.assigns?.[name])
    case 'captured':
      return fieldsText(leaf.fields, context.captured)
    case 'gate':
      return leaf.states.map(({ gate }) => `${gate} ${context.state(gate) ?? 'unknown'}`).join(', ')
    case 'since':
      return leaf.counters.map(counter => sinceText(counter, context)).join(', ')
    case 'whitelisted':
      return context.program.allow.some(({ layer }) => leaf.layers.includes(layer))
        ? actionText(action)
        : 'no allow list'
    case 'approved':
      return facts.approved ? 'approved' : 'no approval'
  }
}

/** Says that words of the command narrow the check (a single test file), so its success does not count for the policy's command. */
function narrowedCheckNote(wanted: readonly CommandMatcher[], { words = [] }: Action): string {
  const added = words.filter(word => word.narrows).map(({ text }) => text ?? '…')
  const isAsked = wanted.some(matcher => 'program' in matcher && matcher.whole)
  return isAsked && added.length > 0
    ? `, which checks less unless the policy names \`${truncateLine(added.join(' '), 40)}\``
    : ''
}

/** Keys whose value does not depend on the action. */
const ACTION_INDEPENDENT_KEYS: ReadonlySet<string> = new Set(
  'event caller tool prompt source input env gate captured since approved'.split(' '),
)

export const truncateLine = (text: string, longest = MAX_LENGTH): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}

function writtenTextText(action: Action, { call }: Event): string {
  const { input } = call ?? {}
  const own = action.via === undefined ? (fieldText(input, 'content') ?? fieldText(input, 'new_string')) : undefined
  const text = action.text ?? own
  if (text !== undefined) return truncateLine(JSON.stringify(text)).replaceAll(UNKNOWN_PART, '…')
  return action.action === 'write' ? 'a text that cannot be determined' : `no text, but ${actionText(action)}`
}

const callerText = ({ caller }: Event): string => {
  const label = callerLabel(caller)
  if (caller.kind === 'agent') return label === caller.id && !caller.type ? `agent ${label}` : `agent ${caller.type}`
  return caller.kind === 'main' && caller.type ? `main, running as ${caller.type}` : label
}

const toolText = ({ tool, native }: NonNullable<Event['call']>): string =>
  native === undefined || native === tool ? tool : `${tool} (${native})`

/** The action as text, shown when a condition needs a value that the action does not have. */
export function actionText(action: Action): string {
  if (action.opaque) return `a command line that cannot be parsed${action.via ? `: ${truncateLine(action.via)}` : ''}`
  const object = action.words
    ? `\`${truncateLine(toCommandLine(action.words))}\``
    : action.place
      ? (action.place.lexical ?? '…')
      : (action.url ?? action.agent ?? '')
  return `${action.action} ${object}`.trim()
}

/** The other actions of the call. */
export function otherActionsText(action: Action, event: Event): string {
  const others = actionsOf(event).filter(other => other !== action)
  const shown = others.slice(0, MOST_OTHERS).map(actionText)
  const more = others.length > MOST_OTHERS ? ` and ${others.length - MOST_OTHERS} more` : ''
  return others.length === 0 ? 'no other action' : `${shown.join(', ')}${more}`
}

const MOST_OTHERS = 3

/** What is known about the file of the action. */
function fileText(action: Action, { event, facts }: MatchContext): string {
  const file = fileOf(action)
  const states = FILE_STATES.filter(state => matchFile([state], action, actionsOf(event), facts) === 'true')
  const unknown = FILE_STATES.filter(state => matchFile([state], action, actionsOf(event), facts) === 'unknown')
  const known = states.join(', ') || 'nothing known of it'
  const doubt = unknown.length > 0 ? `, unknown: ${unknown.join(', ')}` : ''
  if (file === undefined) return states.length > 0 ? `code that is ${known}` : `no file, but ${actionText(action)}`
  const near = file?.startsWith(`${facts.root}/`) ? file.slice(facts.root.length + 1) : file
  return `${near ?? 'a file that cannot be determined'}: ${known}${doubt}`
}

function pathText({ place }: Action, root: string): string {
  const near = (path: string) => (path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path)
  const { lexical = null, real } = place ?? {}
  if (lexical === null) return 'a path that cannot be determined'
  return real !== undefined && real !== lexical ? `${near(lexical)}, which resolves to ${near(real)}` : near(lexical)
}

/** What the status of the whole call proves about this command. */
function exitStatusText({ kind, call }: Event, { action, implied, decides, elsewhere, ended, via }: Action): string {
  if (kind !== 'tool.after' && kind !== 'tool.failed') return 'a call that has not ended'
  if (ended !== undefined) return `${ended}, as attested by \`signalbox run\``
  const status = call?.status ?? 'unknown'
  const whyNot = () => statusHiddenBy(call?.input.command, via)
  if (action !== 'run') return status
  if (status === 'unknown')
    return call?.input.run_in_background === true
      ? 'unknown: it runs in the background, so its end is not reported'
      : 'unknown: the agent does not report how it ended'
  if (status === 'succeeded' && elsewhere) return 'succeeded, but in another folder'
  if (status === 'succeeded' && !implied)
    return `the line succeeded, which does not prove that this command did${whyNot()}`
  if (status === 'failed' && !decides) return `the line failed, which does not prove that this command did${whyNot()}`
  return status
}

/** Why the line's status does not show the command's own, judged by the operators next to the command. */
function statusHiddenBy(line: unknown, via = ''): string {
  const at = typeof line === 'string' && via !== '' ? line.indexOf(via) : -1
  if (typeof line !== 'string' || at < 0) return ''
  const [, sign = ''] = /^[\s)}]*(\|\||\||&&|&|;|\n)?/.exec(line.slice(at + via.length)) ?? []
  if (sign !== '&&' && Object.hasOwn(STATUS_HIDERS, sign)) return `: ${STATUS_HIDERS[sign]}`
  return /\|\|[\s({]*$/.test(line.slice(0, at)) ? ': it comes after `||`, so it may not have run' : ''
}

const STATUS_HIDERS: Readonly<Record<string, string>> = {
  '|': 'the exit status is that of the last command of the pipe',
  '||': '`||` hides its failure',
  '&': 'it runs in the background',
  ';': 'the exit status is that of the last command',
  '\n': 'the exit status is that of the last command',
}

const fieldsText = (fields: readonly FieldPattern[], read: (field: string) => string | null | undefined): string =>
  fields
    .map(({ field }) => {
      const value = read(field)
      return `${field}=${value === undefined ? '(not set)' : value === null ? '(cannot be determined)' : truncateLine(value, 60)}`
    })
    .join(', ')

function sinceText({ mark, unit }: SinceCondition, { own, turn, facts }: MatchContext): string {
  const last = own?.[mark]
  if (!own || !last) return `never ${mark}`
  const passed = {
    turns: (own.turns ?? turn) - last.turn,
    seconds: (facts.now - last.at) / 1000,
    operations: own.operations,
  }
  const count = unit === 'operations' ? passed.operations - last.operations : Math.floor(passed[unit])
  return `${count} ${unit} since ${mark}`
}
