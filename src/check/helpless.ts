import type { Gate, Rule } from '../core/index.ts'
import { promptDeed, TURN_END } from './cone.ts'
import { callDeed, type Deed, refusable } from './deed.ts'
import type { Finding } from './finding.ts'
import { alwaysRefusing, isNeverPermitted } from './guarding.ts'
import type { Inquiry } from './inquiry.ts'
import { isWork } from './prompt.ts'
import { waitsIn } from './waiting.ts'

/** Where the main agent can do nothing at all, whatever it tries: no gate has to be stuck for that. */
export function helpless(inquiry: Inquiry): readonly Finding[] {
  const found = unasked(inquiry) ?? idle(inquiry) ?? undelegated(inquiry)
  return [...(found ? [found] : []), ...uncompacted(inquiry), ...(found ? [] : caught(inquiry))]
}

/** No prompt is ever let through. */
function unasked(inquiry: Inquiry): Finding | undefined {
  const prompts = inquiry.prompts.filter(isWork).map(promptDeed)
  return refusedEach(
    inquiry,
    prompts,
    'every prompt of the user',
    'let a prompt pass: name in `when` which ones it is about, or exempt one by `unless`',
  )
}

/** No call is ever let through. */
const idle = (inquiry: Inquiry): Finding | undefined =>
  refusedEach(
    inquiry,
    callsOf(inquiry),
    'every call of the main agent',
    'let calls pass: name in `when` what it is about, or exempt some by `unless`',
  )

const callsOf = ({ kinds }: Inquiry): readonly Deed[] => kinds.filter(({ by, call }) => by === 'main' && call)

function refusedEach(inquiry: Inquiry, deeds: readonly Deed[], all: string, advice: string): Finding | undefined {
  const by = refusingAll(inquiry, deeds)
  const [first] = by
  if (!first) return undefined
  const names = [...new Set(by.map(nameOf))].slice(0, 4)
  return told(
    inquiry,
    deeds.slice(0, 1),
    first,
    `${names.join(' and ')} refuse${names.length > 1 ? '' : 's'} ${all}`,
    advice,
  )
}

/** It may do nothing itself, others might, and nobody may be spawned. */
function undelegated(inquiry: Inquiry): Finding | undefined {
  const { view, program, oracle, agents } = inquiry
  const calls = callsOf(inquiry)
  const spawns = calls.filter(deed => deed.spawns !== undefined)
  const works = calls.filter(({ call }) => call?.before.call?.acts.some(({ action }) => WORK.has(action)))
  const isOthers = ({ call }: Deed): boolean =>
    call !== undefined && agents.some(type => !isNeverPermitted(callDeed(call, type, view), program, { oracle, view }))
  const [spawned] = refusingAll(inquiry, spawns)
  const own = spawned && refusingAll(inquiry, works).length > 0 ? works.find(isOthers) : undefined
  const kept = own && refusing(inquiry, own)
  if (!spawned || !kept) return undefined
  const why = `${nameOf(kept)} leaves all work to other agents, and ${nameOf(spawned)} lets nobody be spawned`
  return told(
    inquiry,
    [own, ...spawns.slice(0, 1)],
    spawned,
    why,
    'let an agent be spawned: exempt it by `unless: { agent: … }`',
  )
}

const WORK: ReadonlySet<string> = new Set(['write', 'delete', 'run'])

/** What does not fit into its context any more is never made shorter. */
function uncompacted({ view, program, oracle }: Inquiry): readonly Finding[] {
  const event = { kind: 'compact.before', client: '', name: '', session: '', caller: { kind: 'main' } } as const
  const by = view.has(event.kind) ? alwaysRefusing(event, program, { oracle, view }) : undefined
  if (!by) return []
  return [
    {
      kind: 'deadlock',
      what: 'the main agent can do nothing once its context is full',
      ...{ on: view.clients, gate: by.gate.id, story: [], why: `${nameOf(by)} refuses every compaction` },
      fix: [{ at: by.rule.at ?? by.gate.at ?? by.gate.id, advice: 'refuse it so many times only: `limit: 1`' }],
    },
  ]
}

/** For as long as a clock runs every call is refused, and so is the end of the turn: there is nothing to wait with. */
function caught(inquiry: Inquiry): readonly Finding[] {
  const { field, program, view } = inquiry
  const calls = callsOf(inquiry)
  const isHeld = view.has('turn.stop') && field.refusers(TURN_END).length > 0
  if (!isHeld || waitsIn(program).length === 0 || calls.some(deed => field.refusers(deed).length === 0)) return []
  const { graph, world } = inquiry.explore(field.cone([], [...calls, TURN_END]), () => undefined, {
    states: MOST_STATES,
  })
  const moves = (at: number) => {
    const node = graph.nodes[at]
    return node
      ? world.moves(node.state).filter(({ step }) => step.by !== 'time' && step.by !== 'person' && step.by !== 'client')
      : []
  }
  const isCaught = (at: number): boolean => {
    const own = moves(at)
    return own.length > 0 && own.every(({ step }) => step.end === 'refused')
  }
  const keys = new Map(graph.nodes.map(({ state }, at) => [state.key, at]))
  let locked = new Set(graph.nodes.flatMap((_, at) => (isCaught(at) ? [at] : [])))
  for (let size = -1; size !== locked.size; ) {
    size = locked.size
    locked = new Set([...locked].filter(at => moves(at).every(({ to }) => locked.has(keys.get(to.key) ?? -1))))
  }
  const first = Math.min(...locked)
  const node = graph.nodes[first]
  if (!node) return []
  const { at, moves: story, held } = inquiry.confirm(graph.wayTo(node))
  const stop = inquiry.answer(TURN_END, at)
  const gate = program.gates.find(one => one.id === stop?.record.gate)
  if (!held || !stop || !gate) return []
  return [
    {
      kind: 'held',
      what: 'the main agent can get to where it can do nothing but be refused until time has passed',
      ...{ on: view.clients, gate: gate.id },
      story: [...story, { step: { by: 'main', end: 'refused', ...(END && { event: END }) }, results: [stop] }],
      why: `every call is refused, and so is the end of the turn (${gate.name}'s rule ${stop.record.rule})`,
      fix: [
        {
          at: gate.at ?? gate.id,
          advice:
            'let the turn end meanwhile: name calls only in `when` (`event: tool.before`), or refuse the end so many times only: `limit: 1`',
        },
      ],
    },
  ]
}

const MOST_STATES = 400
const [END] = TURN_END.events

interface By {
  readonly gate: Gate
  readonly rule: Rule
}

const nameOf = ({ gate, rule }: By): string => `${gate.name}'s rule ${rule.id}`

/** Who refuses the deed in every state. */
function refusing({ program, oracle, view }: Inquiry, deed: Deed): By | undefined {
  for (const event of refusable(deed)) {
    const by = alwaysRefusing(event, program, { oracle, view }, deed.call?.approved)
    if (by) return by
  }
  return undefined
}

/** Who refuses each of them; nobody where one is let through. */
function refusingAll(inquiry: Inquiry, deeds: readonly Deed[]): readonly By[] {
  const all: By[] = []
  for (const deed of deeds) {
    const by = refusing(inquiry, deed)
    if (!by) return []
    all.push(by)
  }
  return all
}

function told(inquiry: Inquiry, deeds: readonly Deed[], { gate, rule }: By, why: string, advice: string): Finding {
  const { at } = inquiry.confirm([])
  return {
    kind: 'deadlock',
    what: 'the main agent can do nothing here',
    ...{ on: inquiry.view.clients, gate: gate.id, why },
    story: deeds.flatMap(deed => {
      const result = inquiry.answer(deed, at)
      const [event] = deed.events
      const step = { by: deed.by, end: 'refused' as const, ...(deed.call ? { call: deed.call } : event && { event }) }
      return result ? [{ step, results: [result] }] : []
    }),
    fix: [{ at: rule.at ?? gate.at ?? gate.id, advice }],
  }
}
