import type { EventKind } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'

/** A hook of the person's own, as it stands in a client's settings. */
export interface ExistingHook {
  /** the client's own name */
  readonly event: string
  readonly matcher?: unknown
  /** what stands around it, where handlers come in groups */
  readonly group: JsonObject
  readonly handler: JsonObject
  /** it is the only one of its event */
  readonly alone: boolean
}

/** A tool by the client's own name. */
export type ToolMatcher = string | { readonly regex: string }

/** The same hook in a policy. */
export interface ImportedHook {
  readonly event: EventKind
  readonly called: string
  readonly client: string
  readonly matcher?: readonly ToolMatcher[]
  readonly run: string
  readonly timeoutMs: number
  readonly onError?: 'closed'
}

/** Why it stays where it is, in words that follow "stays: ". */
export interface SkippedHook {
  readonly stays: string
}

export interface UntouchedHookFile {
  readonly file: string
  readonly sign: RegExp
  readonly why: string
}

/** How a client's own hooks are read, so that the policy can run them as it would. Not on the hook's way. */
export interface HookImporter {
  readonly id: string
  /** files of hooks beside the one that Signalbox is named in; a folder ends with a slash and stands for its `.json` files */
  readonly files: Readonly<Record<'user' | 'project', readonly string[]>>
  /** files of hooks that are never touched: what shows that there are some, and why */
  readonly foreign?: Readonly<Partial<Record<'user' | 'project', readonly UntouchedHookFile[]>>>
  /** files of other agents whose hooks it runs too */
  readonly borrows?: Readonly<Record<'user' | 'project', readonly string[]>>
  /** why nothing of a file is taken: its hooks are switched off there, and must not come alive */
  readonly silent?: (settings: JsonObject) => string | undefined
  /** what it takes for the same hook of an event, and runs once; without it each of two runs */
  readonly same?: (own: ExistingHook) => string
  fate(own: ExistingHook): ImportedHook | SkippedHook
}

/** The line alone, and with the name it goes by. */
export const keyByCommand = ({ handler: { command } }: ExistingHook): string => String(command)
export const keyByNameAndCommand = ({ handler: { name, command } }: ExistingHook): string =>
  JSON.stringify([name, command])

/** What a client reads of a hook, and how. */
export interface HookImportRules {
  readonly id: string
  readonly kindOf: (event: string) => EventKind
  /** its events that Signalbox is registered for */
  readonly events: readonly string[]
  /** its events whose matcher is not looked at */
  readonly unmatched: readonly string[]
  /** matchers that every call matches; none, and `*`, unless told */
  readonly every?: readonly string[]
  /** keys of a handler that the policy can say, or that say nothing to the agent */
  readonly keys: readonly string[]
  readonly timeoutMs: (handler: JsonObject, event: string) => number | SkippedHook
  /** which tools, where the matcher names some */
  readonly tools: (matcher: string) => readonly ToolMatcher[] | SkippedHook
  /** the line for `sh`; `command` unless told */
  readonly line?: (handler: JsonObject) => string | SkippedHook
  /** a failure refuses, where that is the client's way or its setting */
  readonly closed?: (own: ExistingHook) => boolean | SkippedHook
}

const GROUP_KEYS = ['matcher', 'hooks']

/** In the order in which a person would ask. */
export const createHookConverter =
  (manners: HookImportRules) =>
  (own: ExistingHook): ImportedHook | SkippedHook => {
    const { id, kindOf, events, keys } = manners
    const { event, group, handler } = own
    const type = handler.type ?? 'command'
    if (type !== 'command') return skipHook(`it is a hook of the type \`${String(type)}\`, not a command`)
    const odd = [...unknownKeysIn(group, GROUP_KEYS), ...unknownKeysIn(handler, ['type', 'matcher', ...keys])]
    if (odd.length > 0) return skipHook(`a policy has no word for ${odd.map(key => `\`${key}\``).join(', ')}`)
    const kind = kindOf(event)
    if (kind === 'other' || !events.includes(event)) return skipHook(`Signalbox is not called for ${event}`)
    const run = manners.line ? manners.line(handler) : handler.command
    if (isSkippedHook(run)) return run
    if (typeof run !== 'string' || run.trim() === '') return skipHook('it names no command')
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

/** A key that is switched off says as little as one that is not there. */
const unknownKeysIn = (given: JsonObject, known: readonly string[]): readonly string[] =>
  Object.keys(given).filter(key => !known.includes(key) && given[key] !== false && given[key] !== null)

const TOOL_EVENTS: readonly EventKind[] = ['tool.before', 'tool.after', 'tool.failed', 'permission.request']

function toolMatchersOf(
  { event, matcher }: ExistingHook,
  kind: EventKind,
  { unmatched, tools, every = ['', '*'] }: HookImportRules,
) {
  if (matcher === undefined || unmatched.includes(event)) return undefined
  if (typeof matcher !== 'string') return skipHook('its matcher is no text')
  if (every.includes(matcher.trim())) return undefined
  if (!TOOL_EVENTS.includes(kind)) return skipHook(`a policy has no word for the matcher \`${matcher}\` of ${event}`)
  return tools(matcher)
}

/** Of a number of seconds; another kind of value is the client's default. */
export const timeoutFromSeconds =
  (key: string, ordinary: number) =>
  (handler: JsonObject): number => {
    const value = handler[key]
    return Math.round((typeof value === 'number' && value > 0 ? value : ordinary) * 1000)
  }

/** A word that `sh` takes as it is, whatever is in it. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Signs of a line that another shell than `sh` might read in another way. */
const BEYOND_POSIX_SH =
  /\[\[|<<<|[<>]\(|&>|\|&|\$'|\$"|\{[^}\s]*(?:,|\.\.)[^}\s]*\}|\$\{[^}]*[\^,/:@!#%[]|\$\[|(?:^|[\s;&|(])(?:source|function|declare|local|typeset|shopt|pushd|popd|echo|let|time|select|read|trap|set|test|\[)(?:\s|$)|\(\(|=\(|\*\*|~[+-]/

/** The line for `sh` where the client gives it to bash: as it is where both read the same. */
export const wrapForBash = (line: string): string =>
  BEYOND_POSIX_SH.test(line) ? `bash -c ${quoteForShell(line)}` : line

/** Variables that the client itself puts into the line, each as one word: for the shell they must stand in quotes. */
export function quoteClientVariables(line: string, names: readonly string[]): string | SkippedHook {
  const wanted = new RegExp(`\\$(?:${names.join('|')})`, 'y')
  let quote = ''
  let done = ''
  for (let at = 0; at < line.length; ) {
    wanted.lastIndex = at
    const name = wanted.exec(line)?.[0]
    if (name !== undefined) {
      if (/\w/.test(line[at + name.length] ?? '')) return skipHook(`${name} runs into the word behind it`)
      if (quote === "'") return skipHook(`${name} stands in single quotes, where only this client fills it in`)
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
