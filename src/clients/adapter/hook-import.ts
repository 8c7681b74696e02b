import type { EventKind } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { singleQuote } from '../../lib/shell-quote.ts'

/** A user's own hook, as it appears in a client's settings. */
export interface ExistingHook {
  /** the client's event name */
  readonly event: string
  readonly matcher?: unknown
  /** the enclosing group, if handlers are grouped */
  readonly group: JsonObject
  readonly handler: JsonObject
  /** it is the only hook of its event */
  readonly alone: boolean
}

/** A tool by its client name, or a regex over such names. */
export type ToolMatcher = string | { readonly regex: string }

/** The same hook as a policy sub-hook. */
export interface ImportedHook {
  readonly event: EventKind
  readonly called: string
  readonly client: string
  readonly matcher?: readonly ToolMatcher[]
  readonly run: string
  readonly timeoutMs: number
  readonly onError?: 'closed'
}

/** Why a hook is not imported; the text follows "stays: ". */
export interface SkippedHook {
  readonly stays: string
}

export interface UntouchedHookFile {
  readonly file: string
  readonly sign: RegExp
  readonly why: string
}

/** How to read a client's hooks, so that a policy can run them the same way. Not loaded by the hook process. */
export interface HookImporter {
  readonly id: string
  /** hook files beside the file that Signalbox registers in; a path with a final slash stands for the `.json` files of that folder */
  readonly files: Readonly<Record<'user' | 'project', readonly string[]>>
  /** hook files that we never edit: `sign` matches if they contain hooks, `why` explains */
  readonly foreign?: Readonly<Partial<Record<'user' | 'project', readonly UntouchedHookFile[]>>>
  /** hook files of other agents whose hooks this agent runs too */
  readonly borrows?: Readonly<Record<'user' | 'project', readonly string[]>>
  /** why no hook of a file is imported: the file disables its hooks, and importing would enable them */
  readonly silent?: (settings: JsonObject) => string | undefined
  /** key of hooks that the client treats as the same and runs once; absent: it runs duplicates twice */
  readonly same?: (own: ExistingHook) => string
  convert(own: ExistingHook): ImportedHook | SkippedHook
}

/** Keys for `same`: the command line alone, or with the hook's name. */
export const keyByCommand = ({ handler: { command } }: ExistingHook): string => String(command)
export const keyByNameAndCommand = ({ handler: { name, command } }: ExistingHook): string =>
  JSON.stringify([name, command])

/** How a client interprets a hook entry. */
export interface HookImportRules {
  readonly id: string
  readonly kindOf: (event: string) => EventKind
  /** events that Signalbox registers for */
  readonly events: readonly string[]
  /** events for which the client ignores the matcher */
  readonly unmatched: readonly string[]
  /** matchers that match every call; default: empty and `*` */
  readonly every?: readonly string[]
  /** handler keys that a policy can express, or that do not affect the agent */
  readonly keys: readonly string[]
  readonly timeoutMs: (handler: JsonObject, event: string) => number | SkippedHook
  /** tools that a matcher names */
  readonly tools: (matcher: string) => readonly ToolMatcher[] | SkippedHook
  /** the command line for `sh`; default: `command` */
  readonly line?: (handler: JsonObject) => string | SkippedHook
  /** whether a failing hook denies the call, by the client's rule or a setting */
  readonly closed?: (own: ExistingHook) => boolean | SkippedHook
}

const GROUP_KEYS = ['matcher', 'hooks']

/** The first check that fails gives the reason shown to the user. */
export const createHookConverter =
  (manners: HookImportRules) =>
  (own: ExistingHook): ImportedHook | SkippedHook => {
    const { id, kindOf, events, keys } = manners
    const { event, group, handler } = own
    const type = handler.type ?? 'command'
    if (type !== 'command') return skipHook(`it is a hook of the type \`${String(type)}\`, not a command`)
    const odd = [...unknownKeysIn(group, GROUP_KEYS), ...unknownKeysIn(handler, ['type', 'matcher', ...keys])]
    if (odd.length > 0) return skipHook(`a policy cannot express ${odd.map(key => `\`${key}\``).join(', ')}`)
    const kind = kindOf(event)
    if (kind === 'other' || !events.includes(event)) return skipHook(`Signalbox is not called for ${event}`)
    const run = manners.line ? manners.line(handler) : handler.command
    if (isSkippedHook(run)) return run
    if (typeof run !== 'string' || run.trim() === '') return skipHook('it has no command')
    const timeoutMs = manners.timeoutMs(handler, event)
    if (isSkippedHook(timeoutMs)) return timeoutMs
    const tools = toolMatchersOf(own, kind, manners)
    if (isSkippedHook(tools)) return tools
    const closed = manners.closed?.(own) ?? false
    if (isSkippedHook(closed)) return closed
    return {
      client: id,
      event: kind,
      called: event,
      ...(tools && { matcher: tools }),
      run,
      timeoutMs,
      ...(closed && { onError: 'closed' }),
    }
  }

export const skipHook = (why: string): SkippedHook => ({ stays: why })

export const isSkippedHook = (value: unknown): value is SkippedHook =>
  typeof value === 'object' && value !== null && 'stays' in value

/** A key set to `false` or `null` counts as absent. */
const unknownKeysIn = (given: JsonObject, known: readonly string[]): readonly string[] =>
  Object.keys(given).filter(key => !known.includes(key) && given[key] !== false && given[key] !== null)

const TOOL_EVENTS: readonly EventKind[] = ['tool.before', 'tool.after', 'tool.failed', 'permission.request']

function toolMatchersOf(
  { event, matcher }: ExistingHook,
  kind: EventKind,
  { unmatched, tools, every = ['', '*'] }: HookImportRules,
) {
  if (matcher === undefined || unmatched.includes(event)) return undefined
  if (typeof matcher !== 'string') return skipHook('its matcher is not a string')
  if (every.includes(matcher.trim())) return undefined
  if (!TOOL_EVENTS.includes(kind)) return skipHook(`a policy cannot express the matcher \`${matcher}\` of ${event}`)
  return tools(matcher)
}

/** A timeout in seconds as ms; a value that is not a positive number gives the client's default. */
export const timeoutFromSeconds =
  (key: string, ordinary: number) =>
  (handler: JsonObject): number => {
    const value = handler[key]
    return Math.round((typeof value === 'number' && value > 0 ? value : ordinary) * 1000)
  }

/** Syntax that `sh` may interpret differently from other shells. */
const BEYOND_POSIX_SH =
  /\[\[|<<<|[<>]\(|&>|\|&|\$'|\$"|\{[^}\s]*(?:,|\.\.)[^}\s]*\}|\$\{[^}]*[\^,/:@!#%[]|\$\[|(?:^|[\s;&|(])(?:source|function|declare|local|typeset|shopt|pushd|popd|echo|let|time|select|read|trap|set|test|\[)(?:\s|$)|\(\(|=\(|\*\*|~[+-]/

/** A bash line for `sh`: unchanged if both read it the same way. */
export const wrapForBash = (line: string): string =>
  BEYOND_POSIX_SH.test(line) ? `bash -c ${singleQuote(line)}` : line

/** Quotes variables that the client substitutes as single words, so that a shell does not split them. */
export function quoteClientVariables(line: string, names: readonly string[]): string | SkippedHook {
  const wanted = new RegExp(`\\$(?:${names.join('|')})`, 'y')
  let quote = ''
  let done = ''
  for (let at = 0; at < line.length; ) {
    wanted.lastIndex = at
    const name = wanted.exec(line)?.[0]
    if (name !== undefined) {
      if (/\w/.test(line[at + name.length] ?? '')) return skipHook(`${name} is not separated from the text after it`)
      if (quote === "'") return skipHook(`${name} is in single quotes, where only this client replaces it`)
      done += quote === '"' ? name : `"${name}"`
      at += name.length
      continue
    }
    const char = line[at] ?? ''
    const isEscape = char === '\\' && quote !== "'"
    if (!isEscape && (char === '"' || char === "'") && (quote === '' || quote === char))
      quote = quote === '' ? char : ''
    const taken = isEscape ? line.slice(at, at + 2) : char
    done += taken
    at += taken.length
  }
  return done
}
