import {
  matchesFilter,
  mayMatch,
  type ParsedRecord,
  parseRecordFilter,
  type RecordFilter,
  searchWordsOf,
} from '../../../audit/index.ts'
import type { AuditLogReader } from '../../../store/index.ts'
import type { DecisionPage } from '../api.ts'
import type { DashboardRecords } from '../archive.ts'
import { withCallResults } from '../records/call-results.ts'
import { decisionRowOf } from '../records/decision-row.ts'
import { parseReadable } from '../records/lookup.ts'
import { lookupRangesOf } from '../records/lookup-keys.ts'
import { type RecordMatcher, scanBackwards } from '../records/scan.ts'
import { sessionKeyOf } from '../records/session-sums.ts'
import { HttpError } from '../server/http-error.ts'
import type { QueryParameters } from '../server/query.ts'

const PAGE_LIMIT = { usual: 100, most: 500 }
/** a search answers with its progress after this time, and the page asks again */
const SEARCH_MS = 250
const READ_SIZE = 1000

const EMPTY_PAGE: DecisionPage = { rows: [], before: null, last: 0, searched: 0, unreadable: [] }

export function listDecisions(archive: DashboardRecords, query: QueryParameters): DecisionPage {
  const limit = query.number('limit', { least: 1, most: PAGE_LIMIT.most }) ?? PAGE_LIMIT.usual
  const after = query.number('after')
  const before = query.number('before') ?? Number.MAX_SAFE_INTEGER
  const { filter, project } = parseDecisionFilter(query, Date.now())
  const page = archive.read(auditLog =>
    after === undefined
      ? decisionsBefore(archive, auditLog, recordMatcherFor(archive, filter, project), before, limit)
      : decisionsAfter(auditLog, recordMatcherFor(archive, filter, project), after, limit),
  )
  return page ?? EMPTY_PAGE
}

export interface DecisionSearch {
  readonly filter: RecordFilter
  readonly project: string | undefined
}

/** The same filters as `signalbox log`. */
export function parseDecisionFilter(query: QueryParameters, now: number): DecisionSearch {
  const words = ['decision', 'gate', 'rule', 'client', 'session', 'tool', 'subagent', 'event', 'since', 'until']
  const values = Object.fromEntries(words.map(name => [name, query.text(name)]))
  const filter = parseRecordFilter({ ...values, grep: query.text('text'), all: query.text('all') === '1' }, now)
  if (typeof filter === 'string') throw new HttpError(400, filter.replace(/`--(since|until) /, '`$1='))
  return { filter, project: query.text('project') }
}

/** Matches records with the same function as `signalbox log`. */
export function recordMatcherFor(
  archive: DashboardRecords,
  filter: RecordFilter,
  project: string | undefined,
): RecordMatcher {
  const roots = project === undefined ? undefined : createProjectLookup(archive)
  const hasText = createTextTest(filter.grep ?? '')
  return {
    keys: lookupRangesOf(filter, project),
    couldBe: json => mayMatch({ json }, filter) && hasText(json),
    is: found => matchesFilter(found, filter) && (roots === undefined || roots(found) === project),
  }
}

/** The project in the record. Older records have none: then the session's project, live or from the lookup. */
function createProjectLookup(archive: DashboardRecords): (found: ParsedRecord) => string | null | undefined {
  const live = archive.rootOf()
  const known = new Map<string, string | null | undefined>()
  return ({ record: { client, session, root } }) => {
    if (root !== undefined) return root
    const key = sessionKeyOf({ client, session })
    if (!known.has(key)) known.set(key, live(client, session) ?? archive.lookup().session(client, session)?.root)
    return known.get(key)
  }
}

/** A quick test: every search word must occur in the JSON. The text may span several fields, or have other quotes. */
function createTextTest(grep: string): (json: string) => boolean {
  const words = searchWordsOf(grep)
  if (words.length === 0) return () => true
  return json => {
    const text = json.toLowerCase()
    return words.every(word => text.includes(word))
  }
}

export function decisionsBefore(
  archive: DashboardRecords,
  auditLog: AuditLogReader,
  wanted: RecordMatcher,
  before: number,
  limit: number,
): DecisionPage {
  const how = { before, most: limit, ms: SEARCH_MS }
  const { found, scanned, unread, ...rest } = scanBackwards(auditLog, archive.lookup(), wanted, how)
  const rows = withCallResults(auditLog, found, decisionRowOf)
  return { rows, ...rest, searched: scanned, unreadable: unread, last: auditLog.last() }
}

/** Searching forward covers only new records, so no lookup is needed. */
function decisionsAfter(auditLog: AuditLogReader, wanted: RecordMatcher, after: number, limit: number): DecisionPage {
  const found: ParsedRecord[] = []
  const end = performance.now() + SEARCH_MS
  let last = after
  let looked = 0
  while (found.length < limit && performance.now() < end) {
    const page = readMatchingAfter(auditLog, last, wanted)
    if (page.looked === 0) break
    const room = limit - found.length
    found.push(...page.found.slice(0, room))
    const cut = page.found.length > room ? page.found[room - 1]?.seq : undefined
    looked += page.looked
    last = cut ?? page.last
  }
  return {
    rows: withCallResults(auditLog, found.reverse(), decisionRowOf),
    before: null,
    last,
    searched: looked,
    unreadable: [],
  }
}

/** Reads a page of records after `after` and returns the matching ones. */
export function readMatchingAfter(auditLog: AuditLogReader, after: number, wanted: RecordMatcher, most = READ_SIZE) {
  const raw = auditLog.after(after, most)
  const found = raw.filter(record => wanted.couldBe?.(record.json) !== false).flatMap(parseReadable)
  return { found: found.filter(wanted.is), last: raw.at(-1)?.seq ?? after, looked: raw.length }
}
