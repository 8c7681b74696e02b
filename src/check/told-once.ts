import type { Finding, StoryLine } from './finding.ts'
import { unwitnessed } from './merge-findings.ts'
import { stepWords } from './words.ts'

/** Gates that wait for each other are one story, and so is what is misleading because of it. For people: the proof itself is gate by gate. */
export function toldOnce(all: readonly Finding[]): readonly Finding[] {
  const locks = new Map<string, Finding[]>()
  for (const one of all) {
    const key = one.kind === 'deadlock' ? (ringOf(one, all) ?? lockOf(one)) : JSON.stringify([one.kind, one.what])
    locks.set(key, [...(locks.get(key) ?? []), one])
  }
  const once = [...locks.values()].flatMap(joined).map(one => ({ ...one, story: unrepeated(one.story) }))
  return once.filter(one => one.kind !== 'suggestion' || !once.some(other => explains(other, one)))
}

const END = ' can be closed with no way left to open it'

/** Gates each of which waits for all of the others, round and round: the same key for every one of them. */
function ringOf(one: Finding, all: readonly Finding[]): string | undefined {
  const sort = ({ kind, on, when, doubt, what }: Finding): string =>
    JSON.stringify([kind, on, when, doubt, what.endsWith(END)])
  const peers = all.filter(other => sort(other) === sort(one))
  const ring = peers.filter(other => waitsFor(one, other, peers) && waitsFor(other, one, peers))
  return ring.length > 1 && one.what.endsWith(END) ? JSON.stringify(['ring', ring.map(({ gate }) => gate)]) : undefined
}

/** … at last, by way of any others. */
function waitsFor(one: Finding, other: Finding, all: readonly Finding[]): boolean {
  const ids = new Set(one.needs)
  for (const id of ids) for (const next of all.find(({ gate }) => gate === id)?.needs ?? []) ids.add(next)
  return other.gate !== undefined && ids.has(other.gate)
}

const refusalsIn = ({ story }: Finding): readonly string[] =>
  story.filter(line => line.step.end === 'refused').map(refusalOf)

/** What was refused once is refused again: that is no step of a story. */
function unrepeated(story: readonly StoryLine[]): readonly StoryLine[] {
  const isNew = (line: StoryLine, nth: number): boolean =>
    line.step.end !== 'refused' ||
    !story.slice(0, nth).some(one => one.step.end === 'refused' && refusalOf(one) === refusalOf(line)) ||
    // in another state it may be what the story is about
    story.slice(0, nth).at(-1)?.step.end !== 'refused'
  return story.filter(isNew)
}

const refusalOf = ({ step, results }: StoryLine): string =>
  JSON.stringify([unwitnessed(stepWords(step)), results.map(({ record }) => [record.gate, record.rule])])

/** Who refuses what: whichever of the gates it is told of, it is the same. */
function lockOf(one: Finding): string {
  const refusals = [...new Set(refusalsIn(one))].sort()
  return JSON.stringify([one.kind, one.on, refusals.length > 0 ? refusals : one.what])
}

function joined(all: readonly Finding[]): readonly Finding[] {
  const [first, ...rest] = all
  if (!first || rest.length === 0 || !all.every(({ what }) => what.endsWith(END))) return all
  const names = all.map(({ what }) => what.slice(0, -END.length))
  const others = rest.flatMap(one => one.gate ?? [])
  return [
    { ...first, others, what: `${names.slice(0, -1).join(', ')} and ${names.at(-1)}${END.replace(/it$/, 'them')}` },
  ]
}

/** Where the agent is stuck over the very call that was suggested. */
function explains(stuck: Finding, misled: Finding): boolean {
  if (stuck.kind !== 'deadlock' && stuck.kind !== 'held') return false
  if (stuck.on.length > 0 && !(misled.on.length > 0 && misled.on.every(id => stuck.on.includes(id)))) return false
  const last = misled.story.at(-1)
  return last !== undefined && refusalsIn(stuck).includes(refusalOf(last))
}
