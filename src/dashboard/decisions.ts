import type { TrailReader } from '../store/index.ts'
import { couldBe, type Filter, type Found, filterIn, isChosen, wordsOfText } from '../trail/index.ts'
import type { DecisionPage } from './api.ts'
import type { Archive } from './archive.ts'
import { withEnds } from './call-ends.ts'
import { readable } from './lookup.ts'
import { rangesOf } from './lookup-keys.ts'
import type { Query } from './query.ts'
import { Refusal } from './refusal.ts'
import { rowOf } from './row.ts'
import { scanBack, type Wanted } from './scan.ts'
import { keyOf } from './session-sums.ts'

const LIMIT = { usual: 100, most: 500 }
/** who waits for a search sees how far it is, and asks on */
const SEARCH_MS = 250
const PAGE = 1000

const NONE: DecisionPage = { rows: [], before: null, last: 0, looked: 0, unread: [] }

export function decisions(archive: Archive, query: Query): DecisionPage {
  const limit = query.number('limit', { least: 1, most: LIMIT.most }) ?? LIMIT.usual
  const after = query.number('after')
  const before = query.number('before') ?? Number.MAX_SAFE_INTEGER
  const { filter, project } = filterOf(query, Date.now())
  const page = archive.read(trail =>
    after === undefined
      ? pageBefore(archive, trail, wantedBy(archive, filter, project), before, limit)
      : pageAfter(trail, wantedBy(archive, filter, project), after, limit),
  )
  return page ?? NONE
}

export interface Asked {
  readonly filter: Filter
  readonly project: string | undefined
}

/** The same words as those of `signalbox log`. */
export function filterOf(query: Query, now: number): Asked {
  const words = ['decision', 'gate', 'rule', 'client', 'session', 'tool', 'subagent', 'event', 'since', 'until']
  const values = Object.fromEntries(words.map(name => [name, query.text(name)]))
  const filter = filterIn({ ...values, grep: query.text('text'), all: query.text('all') === '1' }, now)
  if (typeof filter === 'string') throw new Refusal(400, filter.replace(/`--(since|until) /, '`$1='))
  return { filter, project: query.text('project') }
}

/** Whether a record is one of those, by the very function that the log asks. */
export function wantedBy(archive: Archive, filter: Filter, project: string | undefined): Wanted {
  const roots = project === undefined ? undefined : projectOf(archive)
  const hasText = textIn(filter.grep ?? '')
  return {
    keys: rangesOf(filter, project),
    couldBe: json => couldBe({ json }, filter) && hasText(json),
    is: found => isChosen(found, filter) && (roots === undefined || roots(found) === project),
  }
}

/** As the record says it; of one that does not, what is known of its session, or was when it was sorted. */
function projectOf(archive: Archive): (found: Found) => string | null | undefined {
  const live = archive.rootOf()
  const known = new Map<string, string | null | undefined>()
  return ({ record: { client, session, root } }) => {
    if (root !== undefined) return root
    const key = keyOf({ client, session })
    if (!known.has(key)) known.set(key, live(client, session) ?? archive.lookup().session(client, session)?.root)
    return known.get(key)
  }
}

/** What is asked for may stand in several texts of a record, and in other quotes; its words stand there. */
function textIn(grep: string): (json: string) => boolean {
  const words = wordsOfText(grep)
  if (words.length === 0) return () => true
  return json => {
    const text = json.toLowerCase()
    return words.every(word => text.includes(word))
  }
}

export function pageBefore(
  archive: Archive,
  trail: TrailReader,
  wanted: Wanted,
  before: number,
  limit: number,
): DecisionPage {
  const { found, ...rest } = scanBack(trail, archive.lookup(), wanted, { before, most: limit, ms: SEARCH_MS })
  return { rows: withEnds(trail, found, rowOf), ...rest, last: trail.last() }
}

/** Forward there are but the new ones: no index is needed. */
function pageAfter(trail: TrailReader, wanted: Wanted, after: number, limit: number): DecisionPage {
  const found: Found[] = []
  const end = performance.now() + SEARCH_MS
  let last = after
  let looked = 0
  while (found.length < limit && performance.now() < end) {
    const page = readFrom(trail, last, wanted)
    if (page.looked === 0) break
    const room = limit - found.length
    found.push(...page.found.slice(0, room))
    const cut = page.found.length > room ? page.found[room - 1]?.seq : undefined
    looked += page.looked
    last = cut ?? page.last
  }
  return { rows: withEnds(trail, found.reverse(), rowOf), before: null, last, looked, unread: [] }
}

/** A page of records from there on, and those of them that are wanted. */
export function readFrom(trail: TrailReader, after: number, wanted: Wanted, most = PAGE) {
  const raw = trail.after(after, most)
  const found = raw.filter(one => wanted.couldBe?.(one.json) !== false).flatMap(readable)
  return { found: found.filter(wanted.is), last: raw.at(-1)?.seq ?? after, looked: raw.length }
}
