import { actsOf, type Gate, type Rule } from '../core/index.ts'
import { rulesOf } from './atom.ts'
import { helping } from './cone.ts'
import { type Deed, isRefusal, mayBeRefusedBy, mayHappen, refusable } from './deed.ts'
import type { Finding } from './finding.ts'
import type { Node } from './graph.ts'
import type { Explored, Inquiry } from './inquiry.ts'
import type { State } from './state.ts'
import { deedWords, nearest } from './stuck.ts'
import type { Move } from './world.ts'

/** Does the rule keep silent once a gate is open? All else that it may refuse is not the gate's matter. */
export const waitsForOpen = (rule: Rule, gate: Gate): boolean =>
  (rule.while === 'closed' && gate.initial !== undefined) ||
  [...helping(rule.when, false), ...(rule.unless ? helping(rule.unless, true) : [])].some(
    ([, state]) => state === 'open',
  )

/** What closed gates may refuse, and to whom: of all that is alike, one. */
export function guardedBy(inquiry: Inquiry): readonly Deed[] {
  const { kinds, program } = inquiry
  if (!program.gates.some(gate => rulesOf(gate).some(rule => waitsForOpen(rule, gate)))) return []
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
  return works.filter(deed => waitedFor(inquiry, deed).length > 0)
}

/** Gates whose rules refuse the deed until something is open. */
export const waitedFor = ({ field, oracle, view }: Inquiry, deed: Deed): readonly Gate[] =>
  field
    .refusers(deed)
    .filter(gate =>
      rulesOf(gate).some(
        rule =>
          waitsForOpen(rule, gate) &&
          refusable(deed).some(event => mayBeRefusedBy(rule, event, oracle, view, deed.call?.approved)),
      ),
    )

/** The nearest state in which a closed gate refuses the deed, and from which nobody gets to where none does. */
export function findBarred({ graph, world, like }: Explored, { by, call }: Deed): Node | undefined {
  const who = by === 'main' ? by : world.agents.find(type => like.ofAgent(type) === like.ofAgent(by))
  if (!call || who === undefined) return undefined
  const isThere = ({ live }: State): boolean =>
    who === 'main' ? live === undefined || !world.view.inferred : live?.type === who
  const isBarred = ({ session }: State): boolean => {
    const { record } = world.ask(world.beginning(call, who), session, { approved: call.approved })
    return record.matches.some(match => {
      const gate = world.program.gates.find(one => one.id === match.gate)
      const rule = gate && rulesOf(gate).find(one => one.id === match.rule)
      return gate && rule && isRefusal(match.effect, 'tool.before', world.view) && waitsForOpen(rule, gate)
    })
  }
  const barred = graph.nodes.map(({ state }) => (isThere(state) ? isBarred(state) : undefined))
  if (!barred.includes(true)) return undefined
  const free = new Set(graph.nodes.filter((_, at) => barred[at] === false))
  const can = graph.canReach(node => free.has(node), { people: true })
  return nearest(graph.nodes.filter((_, at) => barred[at] === true && !can[at]))
}

/** Each gate can be opened, and what they refuse is never let through. */
export function barred(inquiry: Inquiry, deed: Deed, moves: readonly Move[], state: State): Finding | undefined {
  const waited = waitedFor(inquiry, deed)
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
