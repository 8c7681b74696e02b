import { actorsOf, decisionsOf, type Filter, type Found, gatesOf, isOfInterest } from '../trail/index.ts'

/** Keys from one up to, but not, another. */
export interface Range {
  readonly from: string
  readonly to: string
}

/** By what a record can be looked up. Whatever `filterIn` and `chosen` know to ask for has a key here, but for text and times. */
export function keysOf(found: Found, root: string | undefined): readonly string[] {
  const { client, session, event, tool, rule, matches } = found.record
  return [
    ...decisionsOf(found).map(one => `d:${one}`),
    ...(isOfInterest(found.record) ? ['i:'] : []),
    `c:${client}`,
    `s:${session}`,
    `e:${event}`,
    ...actorsOf(found).map(one => `a:${one}`),
    ...(tool === undefined ? [] : [`t:${tool}`]),
    ...[...(rule === undefined ? [] : [rule]), ...matches.map(one => one.rule)].map(one => `r:${one}`),
    ...gatesOf(found).flatMap(endsOf),
    ...(root === undefined ? [] : [`p:${root}`]),
  ]
}

/** `project/a/b` is asked for as itself, as `a/b` and as `b`. */
const endsOf = (gate: string): readonly string[] =>
  [gate, ...[...gate.matchAll(/\//g)].map(({ index }) => gate.slice(index + 1))].map(one => `g:${one}`)

const exactly = (key: string): Range => ({ from: key, to: `${key}\0` })
const beginning = (key: string): Range => ({ from: key, to: `${key}\u{10ffff}` })

/** A record that is asked for has a key in one range of each of these lists. */
export function rangesOf(filter: Filter, project: string | undefined): readonly (readonly Range[])[] {
  const { decision, gate, rule, client, session, tool, subagent, event, all } = filter
  const lists = [
    decision?.map(one => exactly(`d:${one}`)),
    client?.flatMap(one => [exactly(`c:${one}`), { from: `c:${one}-`, to: `c:${one}.` }]),
    session?.map(one => beginning(`s:${one}`)),
    tool?.map(one => exactly(`t:${one}`)),
    subagent?.map(one => exactly(`a:${one}`)),
    event?.map(one => exactly(`e:${one}`)),
    rule?.map(one => exactly(`r:${one}`)),
    gate?.map(one => exactly(`g:${one}`)),
    project === undefined ? undefined : [exactly(`p:${project}`)],
    all ? undefined : [exactly('i:')],
  ]
  return lists.flatMap(one => (one === undefined ? [] : [one]))
}
