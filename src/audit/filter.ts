import { parseTimeArgument, TIME_ARGUMENT_HELP } from '../lib/time-argument.ts'
import type { RawRecord } from '../store/index.ts'
import { describeRecord, hasBypass, hasEffect, hasWarning, isCanaryRecord, wouldHaveBlocked } from './outcome-label.ts'
import { type ParsedRecord, parseRecord } from './parsed-record.ts'

/** Which records to select. A list matches if any of its values does; all lists must match. */
export interface RecordFilter {
  readonly decision?: readonly string[]
  readonly gate?: readonly string[]
  readonly rule?: readonly string[]
  readonly client?: readonly string[]
  readonly session?: readonly string[]
  readonly tool?: readonly string[]
  /** type or id of the acting agent; `main` is the main agent */
  readonly subagent?: readonly string[]
  readonly event?: readonly string[]
  readonly since?: number
  readonly until?: number
  readonly grep?: string
  /** in this project or below it; records without a project match too */
  readonly project?: string
  /** also events that are not calls and had no effect */
  readonly all?: boolean
}

const LIST_KEYS = ['decision', 'gate', 'rule', 'client', 'session', 'tool', 'subagent', 'event'] as const

const DECISION_TESTS: Readonly<Record<string, (found: ParsedRecord) => boolean>> = {
  // A canary call is denied on purpose: it stopped no agent.
  deny: ({ record }) => record.decision === 'deny' && !isCanaryRecord(record),
  ask: ({ record }) => record.decision === 'ask',
  allow: ({ record }) => record.decision === 'allow',
  pass: ({ record }) => record.decision === 'pass',
  warn: ({ record }) => hasWarning(record),
  would: ({ record }) => wouldHaveBlocked(record),
  bypass: ({ record }) => hasBypass(record),
  error: ({ record }) => record.errors.length > 0,
  test: ({ record }) => isCanaryRecord(record),
}

/** All values of `decision` that the record matches. */
export const decisionLabelsOf = (found: ParsedRecord): readonly string[] =>
  Object.keys(DECISION_TESTS).filter(name => DECISION_TESTS[name]?.(found))

type FilterValues = Readonly<Record<string, unknown>>

/** The filter, or a one-line error for an invalid value. */
export function parseRecordFilter(values: FilterValues, now: number): RecordFilter | string {
  const lists: { [key in (typeof LIST_KEYS)[number]]?: readonly string[] } = {}
  for (const key of LIST_KEYS) {
    const words = splitList(values[key])
    if (words.length > 0) lists[key] = words
  }
  const strange = lists.decision?.find(text => !Object.hasOwn(DECISION_TESTS, text))
  if (strange !== undefined) return `unknown decision \`${strange}\`: ${Object.keys(DECISION_TESTS).join(', ')}`
  const times: { since?: number; until?: number } = {}
  for (const key of ['since', 'until'] as const) {
    if (values[key] === undefined) continue
    const at = parseTimeArgument(String(values[key]), now)
    if (at === undefined) return `\`--${key} ${values[key]}\`: ${TIME_ARGUMENT_HELP}`
    times[key] = at
  }
  return {
    ...lists,
    ...times,
    ...(values.grep !== undefined && { grep: String(values.grep).toLowerCase() }),
    ...(values.all === true && { all: true }),
  }
}

const splitList = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value])
    .flatMap(item => String(item).split(','))
    .map(text => text.trim())
    .filter(Boolean)

/** Cheap text check before parsing: most records do not match, and parsing is expensive. */
export function mayMatch({ json }: Pick<RawRecord, 'json'>, filter: RecordFilter): boolean {
  const { decision, client, tool, subagent, event, project } = filter
  const [only] = decision ?? []
  if (decision?.length === 1 && (only === 'deny' || only === 'ask') && !json.includes(`"decision":"${only}"`))
    return false
  if (project !== undefined && json.includes('"root":') && !json.includes(`"root":${jsonPrefixOf(project)}`))
    return false
  if (client?.length === 1 && !json.includes(`"client":"${client[0]}`)) return false
  if (
    [subagent, event].some(candidate => candidate?.length === 1 && !json.includes(`:${JSON.stringify(candidate[0])}`))
  )
    return false
  return !(tool?.length === 1 && !json.includes(`"tool":${JSON.stringify(tool[0])}`))
}

const jsonPrefixOf = (text: string): string => JSON.stringify(text).slice(0, -1)

/** The record if it matches; `unread` if it cannot be parsed. */
export function matchRecord(raw: RawRecord, filter: RecordFilter): ParsedRecord | 'unread' | undefined {
  if (!mayMatch(raw, filter)) return undefined
  const found = parseRecord(raw)
  if (!found) return 'unread'
  return matchesFilter(found, filter) ? found : undefined
}

/** Matches the id, or its first part: `claude`. */
export const isClientMatch = (id: string, word: string): boolean => id === word || id.startsWith(`${word}-`)

export function matchesFilter(found: ParsedRecord, filter: RecordFilter): boolean {
  const { record } = found
  const { decision, gate, rule, client, session, tool, subagent, event, since, until, grep, all, project } = filter
  if (!all && !hasEffect(record)) return false
  if (since !== undefined && record.at < since) return false
  if (until !== undefined && record.at >= until) return false
  if (project !== undefined && !isInProject(project, record.root)) return false
  if (decision && !decision.some(text => DECISION_TESTS[text]?.(found))) return false
  if (client && !client.some(text => isClientMatch(record.client, text))) return false
  if (session && !session.some(text => record.session.startsWith(text))) return false
  if (tool && !tool.includes(record.tool ?? '')) return false
  if (subagent && !actorsOf(found).some(actor => subagent.includes(actor))) return false
  if (event && !event.includes(record.event)) return false
  if (rule && !rule.some(text => record.rule === text || record.matches.some(match => match.rule === text)))
    return false
  if (gate && !gate.some(text => gatesOfRecord(found).some(id => id === text || id.endsWith(`/${text}`)))) return false
  return grep === undefined || matchesText(found, grep)
}

/** Subfolders of a project can be projects of their own. */
const isInProject = (project: string, root: string | undefined): boolean =>
  root === undefined || root === project || root.startsWith(project.endsWith('/') ? project : `${project}/`)

/** The caller's names for the filter: its type, and its agent id if there is one. */
export const actorsOf = ({ record: { caller, agent } }: ParsedRecord): readonly string[] =>
  agent === undefined ? [caller] : [caller, agent]

/** Every gate that decided, matched or moved. */
export const gatesOfRecord = ({ record: { gate, matches, moves } }: ParsedRecord): readonly string[] => [
  ...(gate === undefined ? [] : [gate]),
  ...matches.map(match => match.gate),
  ...moves.map(move => move.gate),
]

/** Matches the text as typed or as displayed: ignores quotes and which separator stands between commands. */
function matchesText(found: ParsedRecord, grep: string): boolean {
  const text = searchableTextOf(found).toLowerCase()
  if (text.includes(grep)) return true
  const wanted = normalizeText(grep)
  return /[\p{L}\p{N}]/u.test(wanted) && normalizeText(text).includes(wanted)
}

const normalizeText = (text: string): string =>
  text
    .replace(/['"\\]/g, '')
    .replace(/\s*(?:\|[|&]?|&&?|;|⏎|\n)\s*/g, ';')
    .replace(/\s+/g, ' ')

/** Words of the displayed text that no record contains. */
const DISPLAYED_ONLY: ReadonlySet<string> = new Set(['opens', 'closes'])

/** Words that a record must contain to match this text. */
export const searchWordsOf = (grep: string): readonly string[] =>
  (grep.match(/[\p{L}\p{N}]+/gu) ?? []).filter(word => !DISPLAYED_ONLY.has(word))

/** As the log and the feed show it: paths in the project are relative, and the gates that moved are named. */
function displayedTextsOf({ record }: ParsedRecord): readonly string[] {
  const { root, moves } = record
  const text = describeRecord(record)
  return [
    text,
    ...(root === undefined ? [] : [text.replaceAll(`${root}/`, '')]),
    ...moves.map(({ gate, to }) => `${to === 'open' ? 'opens' : 'closes'} ${gate.slice(gate.lastIndexOf('/') + 1)}`),
  ]
}

const searchableTextOf = (found: ParsedRecord): string => {
  const { acts, line = '', reason = '', notes, errors, tool = '', name, session, rule = '', matches } = found.record
  return [
    ...[
      acts.map(text => text.replace(/^run /, '')).join('; '),
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
    ...displayedTextsOf(found),
    ...[...matches.map(match => match.rule), ...gatesOfRecord(found), ...actorsOf(found)],
  ].join('\n')
}
