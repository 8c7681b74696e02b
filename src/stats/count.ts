import { type AuditRecord, isOfAgent } from '../store/index.ts'
import { add, type Counts, nameOf } from './counts.ts'
import { bucketOf } from './histogram.ts'
import { DAY_HOURS, dayOf, hourOf } from './time.ts'

type Match = AuditRecord['matches'][number]

/** What became of a rule that spoke. */
export type Fate = 'decided' | 'overruled' | 'warned' | 'watched' | 'bypassed'

/** What a gate did about an event, by the strongest of what its rules said. Strongest first. */
export const DEEDS = ['deny', 'ask', 'bypassed', 'would deny', 'would ask', 'allow', 'warn', 'none'] as const
export type Deed = (typeof DEEDS)[number]

/** How one record counts. Pure, and of the record alone: what is counted now is what is counted when all is counted anew. */
export function count(record: AuditRecord): Counts {
  const counts: Counts = new Map()
  if (!isOfAgent(record)) return counts
  const { at, event, decision, ms, matches, errors, reason = '', gate = '', rule = '' } = record
  const bucket = typeof ms === 'number' ? String(bucketOf(ms)) : undefined
  add(counts, nameOf('event', event, decision))
  if (event === 'tool.before') {
    const hour = String(hourOf(at) - dayOf(hourOf(at)) * DAY_HOURS)
    add(counts, nameOf('at', hour, 'calls'))
    if (decision === 'deny') add(counts, nameOf('at', hour, 'denied'))
  }
  add(counts, nameOf('decided', decision === 'pass' ? '' : gate, decision))
  if (bucket !== undefined && ms !== undefined) {
    add(counts, nameOf('ms', bucket))
    add(counts, 'us', Math.round(ms * 1000))
  }
  for (const name of bypassesIn(record)) add(counts, name)
  if (record.whitelisted) add(counts, 'whitelisted')
  if (errors.length > 0) add(counts, 'errors')
  for (const id of failing(errors)) add(counts, nameOf('gate failed', id))
  if (decision === 'deny' && reason !== '') {
    add(counts, 'chars', reason.length)
    add(counts, nameOf('chars', gate, rule), reason.length)
  }
  for (const [id, own] of grouped(matches, one => one.gate)) {
    add(counts, nameOf('gate', id, deedOf(own, record)))
    if (bucket !== undefined) add(counts, nameOf('gate ms', id, bucket))
    for (const [name, [first]] of grouped(own, one => one.rule)) {
      if (first) add(counts, nameOf('rule', id, name, first.says, fateOf(first, record)))
      if (bucket !== undefined) add(counts, nameOf('rule ms', id, name, bucket))
    }
  }
  return counts
}

/** How a gate was got past: bypassed, or approved by a token or a variable. `bypassUsage` is any of them. */
function bypassesIn({ matches, approvedBy = [] }: AuditRecord): readonly string[] {
  const found = [
    ...(matches.some(one => one.bypassed) ? ['bypassed'] : []),
    ...(approvedBy.includes('token') ? ['approvedByToken'] : []),
    ...(approvedBy.some(name => name !== 'token') ? ['approvedByVariable'] : []),
  ]
  return found.length > 0 ? [...found, 'bypassUsage'] : []
}

/** `gate project/tests: …`, as the engine words it. */
const failing = (errors: readonly string[]): ReadonlySet<string> =>
  new Set(errors.flatMap(text => /^gate (\S+): /.exec(text)?.[1] ?? []))

/** One that speaks of several acts of a call speaks once. */
function grouped(matches: readonly Match[], by: (match: Match) => string): ReadonlyMap<string, readonly Match[]> {
  const groups = new Map<string, Match[]>()
  for (const match of matches) {
    const group = groups.get(by(match))
    if (group) group.push(match)
    else groups.set(by(match), [match])
  }
  return groups
}

const RANKS = ['pass', 'allow', 'ask', 'deny']
const isStricter = (one: string, other: string): boolean => RANKS.indexOf(one) > RANKS.indexOf(other)

function deedOf(matches: readonly Match[], record: AuditRecord): Deed {
  const deeds = matches.map(match => oneDeed(match, record))
  return DEEDS.find(deed => deeds.includes(deed)) ?? 'none'
}

function oneDeed({ says, effect, mode, bypassed }: Match, { decision }: AuditRecord): Deed {
  if (bypassed) return 'bypassed'
  const isRefusal = says === 'deny' || says === 'ask'
  if (mode !== 'block') {
    if (isRefusal && isStricter(says, decision)) return `would ${says}`
    return effect === 'warn' ? 'warn' : 'none'
  }
  if (effect === 'warn' || effect === 'none') return effect
  return effect === decision ? effect : 'none'
}

function fateOf({ effect, mode, bypassed }: Match, { decision }: AuditRecord): Fate {
  if (bypassed) return 'bypassed'
  if (effect === 'warn') return 'warned'
  if (mode !== 'block') return 'watched'
  return effect === decision ? 'decided' : 'overruled'
}
