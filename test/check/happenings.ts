import { conditionsOf, type Doc, type List, listOf, type Profile } from './doc.ts'
import type { Act, Answer, Change, Happening, Machine, Situation, Status } from './machine.ts'

/** A call: all that one line or one tool does. */
export type Call = readonly Act[]

/** Something that happens, and where it leads. */
export interface Edge {
  readonly to: Situation
  /** an agent can bring it about by itself */
  readonly own: boolean
  /** the main agent does it: not while it waits for an agent */
  readonly isMain?: boolean
  /** an agent ends, and leaves these of its own open */
  readonly leaves?: readonly string[]
  /** a person gives the main agent work, which waited for it */
  readonly isBegun?: boolean
}

/** A call that was begun, or a stop, and what was said to it. */
export interface Heard {
  readonly by: string
  /** the number of the call; none: a stop */
  readonly call?: number
  readonly answer: Answer
}

/** What it is that may happen: nothing but one thing after the other, or several at once as well. */
export interface Pace {
  readonly atOnce: boolean
}

const ENDS: readonly { kind: string; status: Status }[] = [
  { kind: 'tool.after', status: 'succeeded' },
  { kind: 'tool.failed', status: 'failed' },
  { kind: 'tool.after', status: 'unknown' },
]

/** Everything the policy names and one of each kind that it does not. */
function singles(doc: Doc, { untold }: Profile): readonly Act[] {
  const whens = Object.values(doc.gates).flatMap(conditionsOf)
  const suggested = suggestedIn(doc)
  const named = (of: 'command' | 'agent' | 'caller'): readonly string[] => whens.flatMap(one => listOf(one[of] ?? []))
  const commands = [...named('command'), ...suggested.flatMap(one => (typeof one === 'string' ? one : [])), 'omega']
  const paths = whens.flatMap(({ path }) => (path === undefined ? [] : [`${path}some`]))
  const types = [...named('agent'), ...named('caller'), ...suggested.flatMap(one => Object(one).agent ?? [])]
  const agents = [...types.filter(one => one !== 'main' && one !== 'agent'), 'nobody']
  return [
    ...unique(commands).map(command => ({ action: 'run', command })),
    ...unique([...paths, 'some.txt', null]).map(path => ({ action: 'write', path })),
    ...unique(agents).map(agent => ({ action: 'spawn', agent })),
    { action: 'read' },
    ...unique(whens.flatMap(({ tool }) => tool ?? []))
      .filter(tool => !untold.includes(tool))
      .map(tool => ({ action: 'read', tool })),
  ]
}

const suggestedIn = ({ gates }: Doc) =>
  Object.values(gates).flatMap(({ rules = [] }) => rules.flatMap(({ suggest }) => suggest ?? []))

const unique = <T>(list: readonly T[]): readonly T[] => [...new Set(list)]

/** `a && b`, `a > f`: every choice of commands, and each command with each place. */
function lines(acts: readonly Act[]): readonly Call[] {
  const runs = acts.filter(act => act.command !== undefined && act.command !== 'omega')
  const places = acts.filter(act => typeof act.path === 'string')
  const choices = Array.from({ length: 2 ** runs.length }, (_, chosen) =>
    runs.filter((_one, at) => (chosen >> at) % 2 === 1),
  )
  return [
    ...choices.filter(each => each.length > 1),
    ...acts
      .filter(act => act.command !== undefined)
      .flatMap(run => places.map(place => [run, { ...place, action: 'write' }])),
  ]
}

/** Of those that no condition of the policy can tell apart, one. Whom it spawns is somebody else each time. */
function oneOfEach(calls: readonly Call[], doc: Doc): readonly Call[] {
  const whens = Object.values(doc.gates).flatMap(conditionsOf)
  const suggested: readonly unknown[] = suggestedIn(doc)
  const has = (list: List | undefined, value: string | undefined): boolean =>
    list !== undefined && value !== undefined && listOf(list).includes(value)
  const kindOf = ({ action, command, path, agent, tool }: Act): string =>
    JSON.stringify([
      agent,
      ...(command === undefined ? [] : ['runs', suggested.includes(command) && command]),
      ...(path === undefined ? [] : [path === null]),
      ...whens.map(one => [
        has(one.command, command),
        has(one.action, action),
        has(one.tool, tool),
        one.path !== undefined && path?.startsWith(one.path) === true,
      ]),
    ])
  const keyed = calls.map(call => [[...new Set(call.map(kindOf))].sort().join() + (call.length > 1), call] as const)
  return [...new Map([...keyed].reverse()).values()].reverse()
}

/** All that can happen in a situation. */
export class Happenings {
  readonly calls: readonly Call[]
  readonly #machine: Machine
  readonly #pace: Pace
  readonly #shares: boolean
  /** calls whose end somebody speaks of */
  readonly #told: ReadonlySet<number>
  readonly #events = new Map<string, Happening>()

  constructor(doc: Doc, machine: Machine, pace: Pace) {
    const acts = singles(doc, machine.profile)
    this.#machine = machine
    this.#pace = pace
    this.calls = oneOfEach([...acts.map(act => [act]), ...(pace.atOnce ? lines(acts) : [])], doc)
    this.#shares = pace.atOnce && machine.gates.some(([, { scope }]) => scope === 'project')
    const endings = machine.gates
      .flatMap(([, { transitions = [], counts }]) => [...transitions.map(one => one.when), ...(counts ? [counts] : [])])
      .filter(({ event }) => event === 'tool.after' || event === 'tool.failed')
    const isTold = (act: Act): boolean =>
      endings.some(
        ({ command, action, tool }) =>
          (tool === undefined || tool === act.tool) &&
          (command === undefined || (act.command !== undefined && listOf(command).includes(act.command))) &&
          (action === undefined || (act.action !== undefined && listOf(action).includes(act.action))),
      )
    this.#told = new Set(this.calls.flatMap((call, at) => (call.some(isTold) ? [at] : [])))
  }

  /** The same object for the same event: answers are remembered by it. */
  event(kind: string, caller: string, call?: number, status?: Status): Happening {
    const key = `${kind} ${caller} ${call} ${status}`
    const known = this.#events.get(key)
    if (known) return known
    const none: Call = [kind.startsWith('agent.') ? { agent: caller } : {}]
    const acts = call === undefined ? none : (this.calls[call] ?? none)
    const made: Happening = { kind, caller, acts, ...(status && { status }) }
    this.#events.set(key, made)
    return made
  }

  callers({ live, rests }: Situation): readonly string[] {
    return [...(rests ? [] : ['main']), ...(live ? [live] : [])]
  }

  /** What would be said to a call, or to a stop. */
  ask(at: Situation, by: string, call?: number): Answer {
    const kind = call !== undefined ? 'tool.before' : by === 'main' ? 'turn.stop' : 'agent.stop'
    return this.#machine.tell(this.event(kind, by, call), at)
  }

  *from(at: Situation, heard: (one: Heard) => void): Generator<Edge> {
    const machine = this.#machine
    for (const by of this.callers(at))
      for (const call of this.calls.keys())
        for (const edge of this.#call(at, call, by, heard)) yield by === 'main' ? { ...edge, isMain: true } : edge
    if (at.live) yield* this.#ending(at, at.live, heard)
    if (at.pending) yield* this.#lateEnd(at, at.pending)
    const prompted = machine.tell(this.event('prompt.submit', 'main'), machine.nextTurn(at))
    const begins = at.rests && prompted.says !== 'deny'
    yield { to: begins ? { ...prompted.to, rests: false } : prompted.to, own: false, isBegun: at.rests === true }
    if (!at.rests) {
      const answer = this.ask(at, 'main')
      heard({ by: 'main', answer })
      const ends = machine.refusesPrompts && answer.says !== 'deny'
      yield { to: ends ? { ...answer.to, rests: true } : answer.to, own: true, isMain: true }
    }
    if (machine.countsSeconds) yield { to: machine.later(at), own: true }
    for (const [name, { opens }] of machine.gates)
      if (opens === 'human' && at.memories[machine.keyOf(name, 'main')]?.state === 'closed')
        yield { to: machine.opened(at, name), own: true }
    if (this.#shares) yield { to: this.#another(at), own: false }
  }

  *#call(at: Situation, call: number, by: string, heard: (one: Heard) => void): Generator<Edge> {
    const answer = this.ask(at, by, call)
    const { to, says, asked } = answer
    const acts = this.calls[call] ?? []
    const agent = acts[0]?.agent
    const starts = agent !== undefined && by === 'main' && !at.live && says !== 'deny'
    if (!starts || says === 'ask') heard({ by, call, answer })
    // a line that does several things gets into states; as a way out of them it is nothing anybody would find
    const own = acts.length === 1
    if (says === 'deny') {
      yield { to, own }
      return
    }
    if (starts) {
      if (says === 'ask') yield { to, own: true }
      const begun = { ...to, live: agent, held: asked, began: at.turn, spawned: at.turn }
      const started = this.#machine.tell(this.event('agent.start', agent), begun).to
      // whoever spawns an agent hears of it when that has begun
      heard({ by, call, answer: { ...answer, to: started } })
      yield { to: started, own: true }
      return
    }
    const here = agent !== undefined && agent === at.live ? { ...to, spawned: at.turn } : to
    yield { to: here, own }
    for (const { kind, status } of ENDS)
      yield { to: this.#machine.tell(this.event(kind, by, call, status), here, asked).to, own }
    if (this.#pace.atOnce && !at.pending && agent === undefined && (asked.length > 0 || this.#told.has(call)))
      yield { to: { ...here, pending: { call, caller: by, held: asked } }, own: false }
  }

  /** It ends while others were made in between; it need not. */
  *#lateEnd(at: Situation, { call, caller, held }: NonNullable<Situation['pending']>): Generator<Edge> {
    const { pending: _, ...rest } = at
    yield { to: rest, own: false }
    for (const { kind, status } of ENDS)
      yield { to: this.#machine.tell(this.event(kind, caller, call, status), rest, held).to, own: false }
  }

  *#ending(at: Situation, agent: string, heard: (one: Heard) => void): Generator<Edge> {
    const answer = this.ask(at, agent)
    heard({ by: agent, answer })
    if (answer.says === 'deny') yield { to: answer.to, own: true }
    else yield* this.#finished(answer.to, at.held, agent, true)
    yield* this.#finished(at, at.held, agent, false)
  }

  *#finished(from: Situation, held: readonly Change[], agent: string, own: boolean): Generator<Edge> {
    const spawn = this.calls.findIndex(([act]) => act?.agent === agent)
    for (const { kind, status } of ENDS) {
      const { to } = this.#machine.tell(this.event(kind, 'main', spawn, status), from, held)
      const { live: _, pending, ...rest } = to
      const each = Object.entries(to.memories)
      const memories = Object.fromEntries(each.filter(([key]) => !key.endsWith('@agent')))
      const leaves = each.flatMap(([key, { state }]) => (key.endsWith('@agent') && state === 'open' ? [key] : []))
      yield { to: { ...rest, memories, held: [], ...(pending?.caller === 'main' && { pending }) }, own, leaves }
    }
  }

  /** Another session begins: what is the project's is as it is, all else as at first. */
  #another({ memories }: Situation): Situation {
    const first = this.#machine.first()
    const shared = this.#machine.gates.flatMap(([name, { scope }]) => (scope === 'project' ? [name] : []))
    const kept = Object.fromEntries(shared.flatMap(name => (memories[name] ? [[name, memories[name]]] : [])))
    return { ...first, memories: { ...first.memories, ...kept } }
  }
}
