import {
  actorsOf,
  decisionLabelsOf,
  gatesOfRecord,
  isNotable,
  type ParsedRecord,
  type RecordFilter,
} from '../../../audit/index.ts'

/** Keys from `from` up to `to`, exclusive. */
export interface KeyRange {
  readonly from: string
  readonly to: string
}

/** The lookup keys of a record. Every filter of `matchesFilter` has a key here, except text and times. */
export function lookupKeysOf(found: ParsedRecord, root: string | undefined): readonly string[] {
  const { client, session, event, tool, rule, matches } = found.record
  return [
    ...decisionLabelsOf(found).map(one => `d:${one}`),
    ...(isNotable(found.record) ? ['i:'] : []),
    `c:${client}`,
    `s:${session}`,
    `e:${event}`,
    ...actorsOf(found).map(one => `a:${one}`),
    ...(tool === undefined ? [] : [`t:${tool}`]),
    ...[...(rule === undefined ? [] : [rule]), ...matches.map(one => one.rule)].map(one => `r:${one}`),
    ...gatesOfRecord(found).flatMap(gateKeySuffixes),
    ...(root === undefined ? [] : [`p:${root}`]),
  ]
}

/** `project/a/b` is found as itself, as `a/b` and as `b`. */
const gateKeySuffixes = (gate: string): readonly string[] =>
  [gate, ...[...gate.matchAll(/\//g)].map(({ index }) => gate.slice(index + 1))].map(one => `g:${one}`)

const exactKey = (key: string): KeyRange => ({ from: key, to: `${key}\0` })
const keyPrefix = (key: string): KeyRange => ({ from: key, to: `${key}\u{10ffff}` })

/** A matching record has a key in at least one range of each list. */
export function lookupRangesOf(filter: RecordFilter, project: string | undefined): readonly (readonly KeyRange[])[] {
  const { decision, gate, rule, client, session, tool, subagent, event, all } = filter
  const lists = [
    decision?.map(one => exactKey(`d:${one}`)),
    client?.flatMap(one => [exactKey(`c:${one}`), { from: `c:${one}-`, to: `c:${one}.` }]),
    session?.map(one => keyPrefix(`s:${one}`)),
    tool?.map(one => exactKey(`t:${one}`)),
    subagent?.map(one => exactKey(`a:${one}`)),
    event?.map(one => exactKey(`e:${one}`)),
    rule?.map(one => exactKey(`r:${one}`)),
    gate?.map(one => exactKey(`g:${one}`)),
    project === undefined ? undefined : [exactKey(`p:${project}`)],
    all ? undefined : [exactKey('i:')],
  ]
  return lists.flatMap(one => (one === undefined ? [] : [one]))
}
