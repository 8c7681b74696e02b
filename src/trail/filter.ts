import { MOMENTS, momentIn } from '../pattern/index.ts'
import type { RawRecord } from '../store/index.ts'
import { type Found, foundIn } from './found.ts'
import { isBypassed, isCanary, isOfInterest, isWarned, isWatched } from './word.ts'

/** Which records are asked for. A list is met by any of its words, and all lists must be. */
export interface Filter {
  readonly decision?: readonly string[]
  readonly gate?: readonly string[]
  readonly rule?: readonly string[]
  readonly client?: readonly string[]
  readonly session?: readonly string[]
  readonly tool?: readonly string[]
  /** the type or the id of who acted; `main` is the main agent */
  readonly subagent?: readonly string[]
  readonly event?: readonly string[]
  readonly since?: number
  readonly until?: number
  readonly grep?: string
  /** in this project or below it, and what has no known project */
  readonly project?: string
  /** those too that nobody had a word to say about */
  readonly all?: boolean
}

const LISTS = ['decision', 'gate', 'rule', 'client', 'session', 'tool', 'subagent', 'event'] as const

const DECISIONS: Readonly<Record<string, (found: Found) => boolean>> = {
  // nobody was stopped by a refusal that was asked for
  deny: ({ record }) => record.decision === 'deny' && !isCanary(record),
  ask: ({ record }) => record.decision === 'ask',
  allow: ({ record }) => record.decision === 'allow',
  pass: ({ record }) => record.decision === 'pass',
  warn: ({ record }) => isWarned(record),
  would: ({ record }) => isWatched(record),
  bypass: ({ record }) => isBypassed(record),
  error: ({ record }) => record.errors.length > 0,
  canary: ({ record }) => isCanary(record),
}

/** Every word for `decision` that it is met by. */
export const decisionsOf = (found: Found): readonly string[] =>
  Object.keys(DECISIONS).filter(one => DECISIONS[one]?.(found))

type Values = Readonly<Record<string, unknown>>

/** A problem in one line where it says something that is none. */
export function filterIn(values: Values, now: number): Filter | string {
  const lists: { [key in (typeof LISTS)[number]]?: readonly string[] } = {}
  for (const key of LISTS) {
    const words = wordsIn(values[key])
    if (words.length > 0) lists[key] = words
  }
  const strange = lists.decision?.find(one => !Object.hasOwn(DECISIONS, one))
  if (strange !== undefined) return `unknown decision \`${strange}\`: ${Object.keys(DECISIONS).join(', ')}`
  const times: { since?: number; until?: number } = {}
  for (const key of ['since', 'until'] as const) {
    if (values[key] === undefined) continue
    const at = momentIn(String(values[key]), now)
    if (at === undefined) return `\`--${key} ${values[key]}\`: ${MOMENTS}`
    times[key] = at
  }
  return {
    ...lists,
    ...times,
    ...(values.grep !== undefined && { grep: String(values.grep).toLowerCase() }),
    ...(values.all === true && { all: true }),
  }
}

const wordsIn = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value])
    .flatMap(one => String(one).split(','))
    .map(one => one.trim())
    .filter(Boolean)

/** Most records are not asked for, and reading one costs more than looking whether it could be. */
export function couldBe({ json }: Pick<RawRecord, 'json'>, filter: Filter): boolean {
  const { decision, client, tool, subagent, event, project } = filter
  const [only] = decision ?? []
  if (decision?.length === 1 && (only === 'deny' || only === 'ask') && !json.includes(`"decision":"${only}"`))
    return false
  if (project !== undefined && json.includes('"root":') && !json.includes(`"root":${beginOf(project)}`)) return false
  if (client?.length === 1 && !json.includes(`"client":"${client[0]}`)) return false
  if ([subagent, event].some(one => one?.length === 1 && !json.includes(`:${JSON.stringify(one[0])}`))) return false
  return !(tool?.length === 1 && !json.includes(`"tool":${JSON.stringify(tool[0])}`))
}

const beginOf = (text: string): string => JSON.stringify(text).slice(0, -1)

/** The record, if it is asked for; `unread` where nobody can tell. */
export function chosen(raw: RawRecord, filter: Filter): Found | 'unread' | undefined {
  if (!couldBe(raw, filter)) return undefined
  const found = foundIn(raw)
  if (!found) return 'unread'
  return isChosen(found, filter) ? found : undefined
}

/** By its id, or how that begins: `claude`. */
export const isClient = (id: string, word: string): boolean => id === word || id.startsWith(`${word}-`)

export function isChosen(found: Found, filter: Filter): boolean {
  const { record } = found
  const { decision, gate, rule, client, session, tool, subagent, event, since, until, grep, all, project } = filter
  if (!all && !isOfInterest(record)) return false
  if (since !== undefined && record.at < since) return false
  if (until !== undefined && record.at >= until) return false
  if (project !== undefined && !isIn(project, record.root)) return false
  if (decision && !decision.some(one => DECISIONS[one]?.(found))) return false
  if (client && !client.some(one => isClient(record.client, one))) return false
  if (session && !session.some(one => record.session.startsWith(one))) return false
  if (tool && !tool.includes(record.tool ?? '')) return false
  if (subagent && !actorsOf(found).some(one => subagent.includes(one))) return false
  if (event && !event.includes(record.event)) return false
  if (rule && !rule.some(one => record.rule === one || record.matches.some(match => match.rule === one))) return false
  if (gate && !gate.some(one => gatesOf(found).some(id => id === one || id.endsWith(`/${one}`)))) return false
  return grep === undefined || hasText(found, grep)
}

/** Parts of a project may be projects of their own. */
const isIn = (project: string, root: string | undefined): boolean =>
  root === undefined || root === project || root.startsWith(project.endsWith('/') ? project : `${project}/`)

/** Who acted, by whatever it is asked for: its type, and its own id where its agent tells one. */
export const actorsOf = ({ record: { caller, agent } }: Found): readonly string[] =>
  agent === undefined ? [caller] : [caller, agent]

/** Every gate that had a part in it. */
export const gatesOf = ({ record: { gate, matches, moves } }: Found): readonly string[] => [
  ...(gate === undefined ? [] : [gate]),
  ...matches.map(one => one.gate),
  ...moves.map(one => one.gate),
]

/** What is asked for, as it was typed or as it is shown: quotes and the signs between commands do not count. */
function hasText(found: Found, grep: string): boolean {
  const text = textOf(found).toLowerCase()
  if (text.includes(grep)) return true
  const wanted = bare(grep)
  return /[\p{L}\p{N}]/u.test(wanted) && bare(text).includes(wanted)
}

const bare = (text: string): string =>
  text
    .replace(/['"\\]/g, '')
    .replace(/\s*(?:\|[|&]?|&&?|;|⏎|\n)\s*/g, ';')
    .replace(/\s+/g, ' ')

/** Words that a record must hold to be found by this text. */
export const wordsOfText = (grep: string): readonly string[] => grep.match(/[\p{L}\p{N}]+/gu) ?? []

const textOf = (found: Found): string => {
  const { acts, line = '', reason = '', notes, errors, tool = '', name, session, rule = '', matches } = found.record
  return [
    ...[
      acts.map(one => one.replace(/^run /, '')).join('; '),
      line,
      ...acts,
      reason,
      ...notes,
      ...errors,
      tool,
      name,
      session,
      rule,
    ],
    ...[...matches.map(one => one.rule), ...gatesOf(found), ...actorsOf(found)],
  ].join('\n')
}
