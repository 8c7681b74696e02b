import { actsOf, type Gate, type Rule } from '../core/index.ts'
import { rulesOf } from './atom.ts'
import { isResting } from './awaited.ts'
import { callDeed, type Deed, isRefusal, mayBeRefusedBy, mayHappen, refusable } from './deed.ts'
import type { Finding } from './finding.ts'
import type { Node } from './graph.ts'
import { isBarring, waitsForOpen } from './guarding.ts'
import type { Explored, Inquiry } from './inquiry.ts'
import type { State } from './state.ts'
import { nearest } from './stuck.ts'
import { deedWords } from './words.ts'
import type { Move } from './world.ts'

/** What closed gates may refuse, and to whom: of all that is alike, one. */
export function guardedBy(inquiry: Inquiry): readonly Deed[] {
  const { kinds, program } = inquiry
  if (program.gates.every(gate => gate.initial === undefined)) return []
  // who has the word of a person may do more
  const asksApproval = kinds.some(({ call }) => call?.approved)
  const spawned = new Set(inquiry.field.deeds.map(deed => deed.spawns))
  const works = kinds.filter(
    ({ by, call }) =>
      call &&
      (by === 'main' || spawned.has(by)) &&
      !call.witnessed &&
      call.approved === asksApproval &&
      // what does two things at once may be two of those that are never let through together
      actsOf(call.before).length === 1,
  )
  return works.filter(deed => waitedFor(inquiry, deed).length > 0 || isBarredInTurn(inquiry, deed))
}

/** Refused by several rules, each of which keeps silent where a gate is closed: where one does, another may speak. */
const isBarredInTurn = (inquiry: Inquiry, deed: Deed): boolean =>
  inquiry.field.refusers(deed).flatMap(gate => barringIn(inquiry, gate, deed)).length > 1

/** Gates whose rules refuse the deed until something is open. */
export const waitedFor = (inquiry: Inquiry, deed: Deed): readonly Gate[] =>
  inquiry.field.refusers(deed).filter(gate => barringIn(inquiry, gate, deed, waitsForOpen).length > 0)

/** Its rules that refuse the deed until something is open, or closed. */
const barringIn = ({ oracle, view, field }: Inquiry, gate: Gate, deed: Deed, isIt = isBarring): readonly Rule[] =>
  rulesOf(gate).filter(
    rule =>
      isIt(rule, gate, deed, { oracle, view, field }) &&
      refusable(deed).some(event => mayBeRefusedBy(rule, event, oracle, view, deed.call?.approved)),
  )

/**
 * The nearest state in which a closed gate refuses the deed, and from which nobody gets to where none does. What an agent may not do while it
 * runs (nobody writes while a review is made) another may do once it has ended, if the same rules are all that kept it from that.
 */
export function findBarred(inquiry: Inquiry, { graph, world, like }: Explored, deed: Deed): Node | undefined {
  const { by, call } = deed
  const who = by === 'main' ? by : world.agents.find(type => like.ofAgent(type) === like.ofAgent(by))
  if (!call || who === undefined) return undefined
  const isThere = ({ live, session }: State, one: string): boolean =>
    one === 'main' ? !isResting(session) && (live === undefined || !world.view.inferred) : live?.type === one
  const rules = world.program.gates.flatMap(gate => barringIn(inquiry, gate, deed).map(rule => `${gate.id} ${rule.id}`))
  const isBarred = ({ session }: State, one: string): boolean => {
    const { record } = world.ask(world.beginning(call, one), session, { approved: call.approved })
    return record.matches.some(
      match => rules.includes(`${match.gate} ${match.rule}`) && isRefusal(match.effect, 'tool.before', world.view),
    )
  }
  const barred = graph.nodes.map(({ state }) => (isThere(state, who) ? isBarred(state, who) : undefined))
  if (!barred.includes(true)) return undefined
  const others = ['main', ...world.agents].filter(one => one !== who && by !== 'main' && isAsBarred(inquiry, deed, one))
  const isFree = ({ state }: Node, at: number): boolean =>
    barred[at] === false || others.some(one => isThere(state, one) && !isBarred(state, one))
  const free = new Set(graph.nodes.filter(isFree))
  // what is refused only while gates are open may be meant to be refused from then on
  if (waitedFor(inquiry, deed).length === 0 && free.size > 0) return undefined
  const can = graph.canReach(node => free.has(node), { people: true })
  return nearest(graph.nodes.filter((_, at) => barred[at] === true && !can[at]))
}

/** Do the rules that refuse it to one refuse the same to this one, too? */
function isAsBarred(inquiry: Inquiry, deed: Deed, who: string): boolean {
  if (!deed.call) return false
  const same = callDeed(deed.call, who, inquiry.view)
  return inquiry.program.gates.every(gate => {
    const other = barringIn(inquiry, gate, same)
    return barringIn(inquiry, gate, deed).every(rule => other.includes(rule))
  })
}

/** Each gate can be opened, and what they refuse is never let through. */
export function barred(inquiry: Inquiry, deed: Deed, moves: readonly Move[], state: State): Finding | undefined {
  const waited = inquiry.field.refusers(deed).filter(one => barringIn(inquiry, one, deed).length > 0)
  const result = inquiry.answer(deed, state)
  const gate = waited.find(({ id }) => id === result?.record.gate) ?? waited[0]
  if (!gate || !result) return undefined
  const undoing = undoingOf(inquiry, waited)
  const names = waited.map(one => one.name).join(' and ')
  return {
    kind: 'deadlock',
    livelock: true,
    what: `${gate.name} can be closed with no way left to do what it refuses`,
    on: inquiry.view.clients,
    gate: gate.id,
    story: [
      ...moves,
      { step: { by: deed.by, end: 'refused', ...(deed.call && { call: deed.call }) }, results: [result] },
    ],
    why: [
      `\`${deedWords(deed)}\` is let through only where ${names} ${waited.length > 1 ? 'let' : 'lets'} it, and no way leads there`,
      ...undoing.map(one => `\`${deedWords(one.deed)}\` opens ${one.opens.name} and closes ${one.closes.name}`),
    ].join('; '),
    fix:
      undoing.length > 0
        ? undoing.slice(0, 2).map(one => ({
            at: one.at ?? one.closes.at ?? one.closes.id,
            advice: `let \`${deedWords(one.deed)}\` leave ${one.closes.name} open`,
          }))
        : [{ at: gate.at ?? gate.id, advice: `let \`${deedWords(deed)}\` pass where the others let it` }],
  }
}

interface Undoing {
  readonly deed: Deed
  readonly opens: Gate
  readonly closes: Gate
  readonly at?: string | undefined
}

/** What opens one of them and closes another. */
function undoingOf({ field, oracle }: Inquiry, gates: readonly Gate[]): readonly Undoing[] {
  return gates.flatMap(opens =>
    gates.flatMap(closes => {
      if (opens === closes) return []
      const both = field.movers(opens, 'open').find(deed => field.movers(closes, 'closed').includes(deed))
      const step = closes.transitions.find(
        one => one.to === 'closed' && both?.events.some(event => mayHappen(one, event, oracle, both.call?.approved)),
      )
      return both ? [{ deed: both, opens, closes, at: step?.at }] : []
    }),
  )
}
