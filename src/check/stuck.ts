import type { Gate, Result } from '../core/index.ts'
import { rulesOf } from './atom.ts'
import { isResting } from './awaited.ts'
import { TURN_END } from './cone.ts'
import { callDeed, type Deed, isRefusal, mayBeRefusedBy, refusable } from './deed.ts'
import { doubtAbout } from './doubt.ts'
import type { Finding } from './finding.ts'
import type { Node } from './graph.ts'
import type { Explored, Inquiry } from './inquiry.ts'
import { isPacked, letEnd, letPass, mendsOf, type Obstacle, switchOff } from './mending.ts'
import { reasonOf } from './reason.ts'
import type { State } from './state.ts'
import { openersOf, whyNothingOpens } from './unopened.ts'
import { deedWords } from './words.ts'
import type { Move } from './world.ts'

/** Memories of a gate in this state: one, or one a caller; those of agents that run are looked at for themselves. */
const instances = ({ session, live }: State, gate: Gate): readonly string[] => {
  const keys = Object.keys({ ...session.gates, ...session.shared })
  return keys.filter(
    key => key === gate.id || key === `${gate.id}@main` || (key === `${gate.id}@unknown` && live !== undefined),
  )
}
const stateOf = ({ session }: State, key: string): string | undefined =>
  (session.gates[key] ?? session.shared[key])?.state

/** The nearest state in which the gate is closed and stays so, whatever an agent does. */
export function findStuck({ graph, world }: Explored, gate: Gate): Node | undefined {
  const keys = [...new Set(graph.nodes.flatMap(node => instances(node.state, gate)))]
  return nearest(
    keys.flatMap(key => {
      const isSeen = key === gate.id || key === `${gate.id}@main`
      const isOpen = ({ state, seenOpen }: Node): boolean =>
        stateOf(state, key) !== 'closed' || (isSeen && seenOpen.has(gate.id))
      const can = graph.canReach(isOpen, { people: true })
      if (!world.rests) return graph.nodes.filter((_, at) => !can[at])
      // that a prompt opens it helps only who waits for one
      const given = graph.canReach(isOpen, { people: true, isGiven: true })
      return graph.nodes.filter(({ state }, at) => !(isResting(state.session) ? given : can)[at])
    }),
  )
}

/**
 * … in which it is closed for an agent that runs, refuses something to it, and stays so for as long as that one runs: that
 * it may end is no way out. What its own end opens is open.
 */
export function findStuckAgent({ graph, world, calls }: Explored, gate: Gate): Node | undefined {
  const isOf = (key: string): boolean => key.startsWith(`${gate.id}@agent:`)
  const keys = [...new Set(graph.nodes.flatMap(node => Object.keys(node.state.session.gates).filter(isOf)))]
  // of two where callers are inferred nobody knows whose memory it is
  const isRefused = ({ live, session }: State): boolean =>
    live !== undefined &&
    session.spawns.length < 2 &&
    calls.some(call => {
      const { record } = world.ask(world.beginning(call, live.type), session, { approved: call.approved })
      return record.matches.some(one => one.gate === gate.id && isRefusal(one.effect, 'tool.before', world.view))
    })
  const stuck = keys.flatMap(key => {
    // the next one of its type has a memory of its own
    const can = graph.canReach(({ state, ended }) => stateOf(state, key) === 'open' || ended.includes(key), {
      people: true,
      via: ({ state }) => state.live !== undefined,
    })
    return graph.nodes.filter(({ state }, at) => !can[at] && stateOf(state, key) === 'closed')
  })
  return stuck.sort((a, b) => a.depth - b.depth).find(({ state }) => isRefused(state))
}

/** … in which the turn cannot end. The engine lets go of an agent at last; a policy is not to count on that. */
export function findHeldTurn({ graph, world }: Explored): Node | undefined {
  const ends = ({ state }: Node): boolean =>
    isResting(state.session) || world.turnEnds(state).outcome.decision !== 'deny'
  const can = graph.canReach(ends, { people: false })
  return nearest(graph.nodes.filter((_, at) => !can[at]))
}

/** … in which an agent cannot end: whoever spawned it waits for it, and helps it no more than others do. */
export function findHeldAgent({ graph }: Explored): Node | undefined {
  const can = graph.canReach(({ state }) => state.live === undefined, { people: false, isAwaited: true })
  return nearest(graph.nodes.filter((_, at) => !can[at]))
}

export const nearest = (nodes: readonly Node[]): Node | undefined =>
  nodes.reduce<Node | undefined>((best, node) => (best && best.depth <= node.depth ? best : node), undefined)

interface Refusal {
  readonly deed: Deed
  readonly gate: string
  readonly rule: string
  readonly at: string
  readonly result: Result
}

/** Who refuses the deed in this state; where its doer has to be spawned first, who refuses that, or it then. */
function refusalOf(inquiry: Inquiry, deed: Deed, state: State): Refusal | undefined {
  const isAway = deed.by !== 'main' && state.live?.type !== deed.by
  const spawn = isAway ? inquiry.field.deeds.find(one => one.spawns === deed.by) : undefined
  const refused = (asked: Deed, result: Result | undefined): Refusal | undefined => {
    const { gate, rule } = result?.record ?? {}
    if (result?.outcome.decision !== 'deny' || gate === undefined || rule === undefined) return undefined
    return { deed: asked, gate, rule, at: placeOf(inquiry, gate, rule), result }
  }
  const { order } = inquiry.field
  // an approval is asked for first
  const ordered = deed.call?.approved && order ? callDeed(order, deed.by, inquiry.view) : undefined
  const asked = ordered && refused(ordered, inquiry.answer(ordered, state))
  if (asked) return asked
  const first = refused(spawn ?? deed, inquiry.answer(spawn ?? deed, state))
  if (first || !spawn) return first
  const moves = inquiry.does(deed, state)
  const isRefused = moves.length > 0 && moves.every(one => one.step.end === 'refused')
  return isRefused ? refused(deed, moves[0]?.results.at(-1)) : undefined
}

export function placeOf({ program }: Inquiry, gate: string, rule: string): string {
  const found = program.gates.find(one => one.id === gate)
  const said = found && [...rulesOf(found), ...found.transitions].find(one => one.id === rule)
  return said?.at ?? found?.at ?? gate
}

const nameOf = ({ program }: Inquiry, id: string): string => program.gates.find(one => one.id === id)?.name ?? id

interface Chain {
  readonly why: readonly string[]
  readonly refusals: readonly Refusal[]
  /** those that would have to open */
  readonly gates: readonly Gate[]
  /** of these, what the first one waits for */
  readonly needs: readonly string[]
}

/** Gate by gate: what would open it, and who refuses that. */
function chain(inquiry: Inquiry, first: Gate, state: State, who?: string): Chain {
  const why: string[] = []
  const refusals: Refusal[] = []
  const queue = [first]
  const needs = new Set<string>()
  for (const gate of queue) {
    const wait = (next: Gate): void => {
      if (gate === first) needs.add(next.id)
      if (!queue.includes(next) && queue.length < 6) queue.push(next)
    }
    // what another one does opens it for that other one
    const openers = openersOf(inquiry, gate).filter(
      ({ by }) => who === undefined || gate.scope !== 'agent' || by === who,
    )
    const refused = openers.flatMap(deed => refusalOf(inquiry, deed, state) ?? [])
    const [one] = refused
    if (openers.length === 0) why.push(whyNothingOpens(inquiry, gate, who))
    else if (!one) {
      const reasons = openers.slice(0, 4).map(deed => reasonOf(inquiry, gate, deed, deedWords(deed), state))
      const reason = reasons.find(Boolean)
      why.push(
        reason?.says ?? `what would open ${gate.name} (${deedWords(openers[0] ?? TURN_END)}) does not open it here`,
      )
      reason?.next.forEach(wait)
    } else {
      const by = one.gate === gate.id ? 'its own' : `${nameOf(inquiry, one.gate)}'s`
      why.push(`${gate.name} needs \`${deedWords(one.deed)}\`, and ${by} rule ${one.rule} refuses that`)
    }
    refusals.push(...refused)
    for (const { gate: id } of refused.slice(0, 8)) {
      const next = inquiry.program.gates.find(other => other.id === id)
      if (next?.initial !== undefined) wait(next)
    }
  }
  return { why, refusals, gates: queue, needs: [...needs] }
}

/** Why nothing in it is certain, if so. */
function doubtOf(inquiry: Inquiry, { refusals, gates }: Chain, state: State): Pick<Finding, 'doubt'> {
  const rules = eachRule(refusals).flatMap(({ gate, rule }) => {
    const found = inquiry.program.gates.find(one => one.id === gate)
    return found ? rulesOf(found).filter(one => one.id === rule) : []
  })
  const doubt = doubtAbout(inquiry, { gates, rules, refused: refusals.map(one => one.deed), state })
  return doubt === undefined ? {} : { doubt }
}

/** A rule once, with the first deed it refuses. */
const eachRule = (refusals: readonly Refusal[]): readonly Refusal[] =>
  [...new Map([...refusals].reverse().map(one => [`${one.gate} ${one.rule}`, one])).values()].reverse()

/** `who`: the agent for which it is closed, where that is its own matter. */
export function deadlock(inquiry: Inquiry, gate: Gate, moves: readonly Move[], state: State, who?: string): Finding {
  const links = chain(inquiry, gate, state, who)
  const { why, refusals } = links
  const rules = eachRule(refusals).slice(0, 4)
  const work = who === undefined ? [] : refusedTo(inquiry, gate, state, who)
  return {
    kind: 'deadlock',
    what:
      who === undefined
        ? `${gate.name} can be closed with no way left to open it`
        : `${gate.name} can be closed for the agent ${who} with no way left to open it while that runs`,
    on: inquiry.view.clients,
    gate: gate.id,
    needs: links.needs,
    story: [...moves, ...work.map(attempt), ...rules.map(attempt)],
    why: why.join('; '),
    ...doubtOf(inquiry, links, state),
    fix: mendsOf(inquiry, gate, rules.map(asObstacle)),
  }
}

/** Something that the gate refuses to this agent. */
function refusedTo(inquiry: Inquiry, gate: Gate, state: State, who: string): readonly Refusal[] {
  for (const deed of inquiry.field.deeds) {
    if (deed.by !== who || !deed.call || deed.call.spawns !== undefined) continue
    const refusal = refusalOf(inquiry, deed, state)
    if (refusal?.gate === gate.id) return [refusal]
  }
  return []
}

const asObstacle = ({ deed, gate, rule, at }: Refusal): Obstacle => ({
  ...{ gate, rule, at, by: deed.by, call: deed.call },
  words: deedWords(deed),
})

const attempt = ({ deed, result }: Refusal): Move & Finding['story'][number] => ({
  step: {
    by: deed.by,
    end: 'refused',
    ...(deed.call ? { call: deed.call } : deed.events[0] && { event: deed.events[0] }),
  },
  results: [result],
  to: { session: result.session, key: '', kind: '', shape: '' },
})

export function held(inquiry: Inquiry, deed: Deed, moves: readonly Move[], state: State): Finding {
  const refused = refusalOf(inquiry, deed, state)
  const gate = inquiry.program.gates.find(one => one.id === refused?.gate)
  const links =
    gate?.initial === undefined ? { why: [], refusals: [], gates: [], needs: [] } : chain(inquiry, gate, state)
  const { why, refusals } = links
  const rules = eachRule([...(refused ? [refused] : []), ...refusals]).slice(0, 4)
  const who = deed === TURN_END ? 'a turn' : `the agent ${deed.by}`
  const because = refused ? `${nameOf(inquiry, refused.gate)}'s rule ${refused.rule} refuses it` : 'it is refused'
  return {
    kind: 'held',
    what: `${who} can get to where it cannot end`,
    on: inquiry.view.clients,
    ...(gate && { gate: gate.id }),
    story: [...moves, ...rules.map(attempt)],
    why: [because, ...why].join('; '),
    ...doubtOf(inquiry, links, state),
    fix:
      rules.length > 0
        ? rules
            .slice(0, 3)
            .flatMap(one =>
              isPacked(one.at)
                ? switchOff(inquiry, asObstacle(one))
                : one === refused
                  ? letEnd(one)
                  : letPass(inquiry, asObstacle(one)),
            )
        : mayHold(inquiry, deed).slice(0, 2),
  }
}

/** Where nobody can be named who refuses it just there: whoever ever does. */
const mayHold = (inquiry: Inquiry, deed: Deed): Finding['fix'] =>
  inquiry.field.refusers(deed).flatMap(gate =>
    rulesOf(gate)
      .filter(rule => refusable(deed).some(event => mayBeRefusedBy(rule, event, inquiry.oracle, inquiry.view)))
      .map(rule => ({ ...letEnd({ gate: gate.id, rule: rule.id, at: placeOf(inquiry, gate.id, rule.id) }) })),
  )
