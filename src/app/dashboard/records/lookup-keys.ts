import {
  actorsOf,
  decisionLabelsOf,
  gatesOfRecord,
  hasEffect,
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
    ...decisionLabelsOf(found).map(label => `d:${label}`),
    ...(hasEffect(found.record) ? ['i:'] : []),
    `c:${client}`,
    `s:${session}`,
    `e:${event}`,
    ...actorsOf(found).map(actor => `a:${actor}`),
    ...(tool === undefined ? [] : [`t:${tool}`]),
    ...[...(rule === undefined ? [] : [rule]), ...matches.map(match => match.rule)].map(text => `r:${text}`),
    ...gatesOfRecord(found).flatMap(gateKeySuffixes),
    ...(root === undefined ? [] : [`p:${root}`]),
  ]
}

/** `project/a/b` is found as itself, as `a/b` and as `b`. */
const gateKeySuffixes = (gate: string): readonly string[] =>
  [gate, ...[...gate.matchAll(/\//g)].map(({ index }) => gate.slice(index + 1))].map(text => `g:${text}`)

const exactKey = (key: string): KeyRange => ({ from: key, to: `${key}\0` })
const keyPrefix = (key: string): KeyRange => ({ from: key, to: `${key}\u{10ffff}` })

/** A matching record has a key in at least one range of each list. */
export function lookupRangesOf(filter: RecordFilter, project: string | undefined): readonly (readonly KeyRange[])[] {
  const { decision, gate, rule, client, session, tool, subagent, event, all } = filter
  const lists = [
    decision?.map(text => exactKey(`d:${text}`)),
    client?.flatMap(text => [exactKey(`c:${text}`), { from: `c:${text}-`, to: `c:${text}.` }]),
    session?.map(text => keyPrefix(`s:${text}`)),
    tool?.map(text => exactKey(`t:${text}`)),
    subagent?.map(text => exactKey(`a:${text}`)),
    event?.map(text => exactKey(`e:${text}`)),
    rule?.map(text => exactKey(`r:${text}`)),
    gate?.map(text => exactKey(`g:${text}`)),
    project === undefined ? undefined : [exactKey(`p:${project}`)],
    all ? undefined : [exactKey('i:')],
  ]
  return lists.flatMap(item => (item === undefined ? [] : [item]))
}
