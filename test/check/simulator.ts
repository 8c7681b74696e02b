/**
 * The language once more, in small, and every state by brute force. It shares nothing with the program: it reads the
 * policy as it is written and knows only what the generator writes.
 */

export interface Doc {
  readonly gates: Readonly<Record<string, GateDoc>>
}

export interface GateDoc {
  readonly mode?: 'block' | 'warn'
  readonly initial?: State
  readonly opens?: 'human'
  readonly transitions?: readonly { id: string; from: State; to: State; when: When }[]
  readonly rules?: readonly RuleDoc[]
}

export interface RuleDoc {
  readonly id: string
  readonly while?: State
  readonly when: When
  readonly unless?: When
  readonly then: 'deny' | 'ask' | 'warn'
  readonly message: string
  readonly limit?: number
}

export type State = 'open' | 'closed'
type List = string | readonly string[]

export interface When {
  readonly event?: string
  readonly command?: List
  readonly action?: List
  readonly path?: string
  readonly agent?: List
  readonly caller?: List
  readonly succeeded?: boolean
  readonly gate?: Readonly<Record<string, State>>
  readonly any?: readonly When[]
  readonly not?: When
}

/** What a client can be told. */
export interface Profile {
  readonly asks: boolean
  readonly stopsAgents: boolean
}

type Status = 'succeeded' | 'failed' | 'unknown'

interface Happening {
  readonly kind: string
  readonly caller: string
  readonly action?: string
  readonly command?: string
  /** `null`: there is one, and nobody can tell which */
  readonly path?: string | null
  readonly agent?: string
  readonly status?: Status
}

interface Situation {
  readonly gates: Readonly<Record<string, State>>
  readonly fired: Readonly<Record<string, number>>
  /** type of the agent in flight, and what an `ask` at its spawn holds back */
  readonly live?: string
  readonly held: readonly Change[]
  readonly turn: number
  /** the turn in which each gate was last closed */
  readonly closedIn: Readonly<Record<string, number>>
  /** the turn in which the live agent began, and in which one of its type was last spawned */
  readonly began: number
  readonly spawned: number
}

interface Change {
  readonly gate: string
  readonly from: State
  readonly to: State
}

export interface Verdict {
  /** gates that can get stuck, by name */
  readonly stuck: readonly string[]
  /** a turn may be unable to end */
  readonly turn: boolean
  /** an agent may be unable to end */
  readonly agent: boolean
  readonly states: number
}

const listOf = (list: List): readonly string[] => (typeof list === 'string' ? [list] : list)

const COMMANDS = ['alpha', 'beta', 'gamma', 'delta', 'omega']
const PATHS = ['src/some', 'docs/some', 'some.txt']
const AGENTS = ['scout', 'builder', 'nobody']

interface Act {
  readonly action: string
  readonly command?: string
  readonly path?: string | null
  readonly agent?: string
}

const ACTS: readonly Act[] = [
  ...COMMANDS.map(command => ({ action: 'run', command })),
  ...[...PATHS, null].map(path => ({ action: 'write', path })),
  ...AGENTS.map(agent => ({ action: 'spawn', agent })),
  { action: 'read' },
]

class Machine {
  /** gates that a prompt closes */
  readonly byPrompt: ReadonlySet<string>
  readonly gates: readonly (readonly [string, GateDoc])[]
  constructor(
    doc: Doc,
    readonly profile: Profile,
  ) {
    this.gates = Object.entries(doc.gates)
    const closes = ({ transitions = [] }: GateDoc) =>
      transitions.some(one => one.to === 'closed' && one.when.event === 'prompt.submit')
    this.byPrompt = new Set(this.gates.flatMap(([name, gate]) => (closes(gate) ? [name] : [])))
  }

  first(): Situation {
    const gates = Object.fromEntries(this.gates.flatMap(([name, { initial }]) => (initial ? [[name, initial]] : [])))
    return { gates, fired: {}, held: [], turn: 0, closedIn: {}, began: 0, spawned: 0 }
  }

  /** What was begun for an earlier prompt opens no gate that prompts close, once it was closed later. */
  isLate(gate: string, event: Happening, at: Situation): boolean {
    if (at.live === undefined || !this.byPrompt.has(gate)) return false
    const stops = event.kind === 'agent.stop'
    const returns = event.kind === 'tool.after' && event.action === 'spawn' && event.agent === at.live
    const began = stops ? at.began : returns ? at.spawned : undefined
    return began !== undefined && began < (at.closedIn[gate] ?? 0)
  }

  /** Kleene's: `undefined` is unknown. */
  truth(when: When, event: Happening, states: Situation['gates']): Truth {
    const { command, action, agent, path } = event
    const isIn = (list: List | undefined, value: string | undefined): Truth =>
      list === undefined || (value !== undefined && listOf(list).includes(value))
    return all([
      when.event === undefined || kinds(when.event).includes(event.kind),
      isIn(when.command, command),
      isIn(when.action, action),
      isIn(when.agent, agent),
      when.path === undefined || (path === null ? undefined : path?.startsWith(when.path) === true),
      when.caller === undefined || listOf(when.caller).some(one => isCaller(one, event.caller)),
      Object.entries(when.gate ?? {}).every(([name, state]) => states[name] === state),
      when.any ? not(all(when.any.map(one => not(this.truth(one, event, states))))) : true,
      when.not ? not(this.truth(when.not, event, states)) : true,
    ])
  }

  /** What is unknown (a place, or `succeeded` where nobody tells) opens nothing, and closes all the same. */
  happens(when: When, to: State, event: Happening, states: Situation['gates']): boolean {
    const { status } = event
    if (when.succeeded !== undefined && status === undefined) return false
    const ended =
      when.succeeded === undefined || (status === 'unknown' ? undefined : (status === 'succeeded') === when.succeeded)
    const is = all([this.truth(when, event, states), ended])
    return is === undefined ? to === 'closed' : is
  }

  changes(event: Happening, at: Situation): readonly Change[] {
    const { gates } = at
    return this.gates.flatMap(([gate, { transitions = [] }]) => {
      const state = gates[gate]
      for (const one of transitions) {
        if (one.from !== state || (one.to === 'open' && this.isLate(gate, event, at))) continue
        if (!this.happens(one.when, one.to, event, gates)) continue
        if (state === 'closed' && one.to === 'open' && this.spoils(transitions, event, gates)) continue
        return [{ gate, from: state, to: one.to }]
      }
      return []
    })
  }

  spoils(transitions: NonNullable<GateDoc['transitions']>, event: Happening, gates: Situation['gates']): boolean {
    const ended = event.kind === 'tool.after' || event.kind === 'tool.failed'
    const phases = ended ? [event, { ...event, kind: 'tool.before' }] : [event]
    return transitions.some(
      ({ from, to, when }) =>
        from === 'open' && to === 'closed' && phases.some(phase => this.spoiling(when, phase, gates)),
    )
  }

  /** The beginning of a call is asked about as if it were only beginning: how it ended says nothing of it. */
  spoiling(when: When, phase: Happening, gates: Situation['gates']): boolean {
    if (phase.kind === 'tool.before' && when.succeeded !== undefined) return false
    return this.happens(when, 'closed', phase, gates)
  }

  /** The strictest word, and what it fires. */
  judge(
    event: Happening,
    situation: Situation,
    changes: readonly Change[],
  ): { says: string; fired: Situation['fired'] } {
    const seen = { ...situation.gates }
    for (const { gate, to } of changes) if (to === 'open') seen[gate] = to
    const fired: Record<string, number> = { ...situation.fired }
    let says = 'pass'
    for (const [name, gate] of this.gates)
      for (const rule of gate.rules ?? []) {
        const key = `${name}/${rule.id}`
        if (!kinds(rule.when.event ?? 'tool.before').includes(event.kind)) continue
        if (rule.while !== undefined && seen[name] !== rule.while) continue
        const opensNow = changes.some(one => one.gate === name && one.to !== one.from && one.to === 'open')
        if (rule.limit !== undefined && !opensNow && (situation.fired[key] ?? 0) >= rule.limit) continue
        const is = this.truth(rule.when, event, seen)
        if (is === false) continue
        if (rule.unless && this.truth(rule.unless, event, seen)) continue
        if (rule.limit !== undefined) fired[key] = Math.min(rule.limit, (fired[key] ?? 0) + 1)
        // what is not certain only warns
        if (gate.mode === 'warn' || rule.then === 'warn' || is === undefined) continue
        if (rule.then === 'deny' || (says === 'pass' && rule.then === 'ask')) says = rule.then
      }
    return { says: this.lowered(says, event), fired }
  }

  lowered(says: string, { kind }: Happening): string {
    if (says === 'pass') return says
    if (kind === 'tool.before') return says === 'ask' && !this.profile.asks ? 'deny' : says
    if (kind === 'turn.stop') return 'deny'
    if (kind === 'agent.stop') return this.profile.stopsAgents ? 'deny' : 'pass'
    return 'pass'
  }

  apply(situation: Situation, changes: readonly Change[], fired: Situation['fired']): Situation {
    const gates = { ...situation.gates }
    const closedIn = { ...situation.closedIn }
    let left = fired
    for (const { gate, from, to } of changes) {
      if (gates[gate] !== from) continue
      gates[gate] = to
      if (to === 'closed' && this.byPrompt.has(gate)) closedIn[gate] = situation.turn
      if (from !== to) left = Object.fromEntries(Object.entries(left).filter(([key]) => !key.startsWith(`${gate}/`)))
    }
    return { ...situation, gates, closedIn, fired: left }
  }

  /** One event: the situation after it, and the word. `waiting`: what an `ask` held back. */
  tell(
    event: Happening,
    situation: Situation,
    waiting: readonly Change[] = [],
  ): { to: Situation; says: string; asked: readonly Change[] } {
    const changes = this.changes(event, situation)
    const { says, fired } = this.judge(event, situation, changes)
    if (says === 'deny') return { to: { ...situation, fired }, says, asked: [] }
    if (says === 'ask') return { to: { ...situation, fired }, says, asked: changes }
    return { to: this.apply(situation, [...waiting, ...changes], fired), says, asked: [] }
  }
}

type Truth = boolean | undefined
const not = (one: Truth): Truth => (one === undefined ? undefined : !one)
const all = (list: readonly Truth[]): Truth =>
  list.includes(false) ? false : list.includes(undefined) ? undefined : true

const kinds = (event: string): readonly string[] => (event === 'tool.after' ? ['tool.after', 'tool.failed'] : [event])
const isCaller = (wanted: string, caller: string): boolean =>
  wanted === (caller === 'main' ? 'main' : 'agent') || (caller !== 'main' && wanted === caller)

const ENDS: readonly { kind: string; status: Status }[] = [
  { kind: 'tool.after', status: 'succeeded' },
  { kind: 'tool.failed', status: 'failed' },
  { kind: 'tool.after', status: 'unknown' },
]

interface Edge {
  readonly to: Situation
  readonly own: boolean
}

function* edges(machine: Machine, at: Situation): Generator<Edge> {
  for (const caller of at.live ? ['main', at.live] : ['main'])
    for (const act of ACTS) yield* call(machine, at, act, caller)
  if (at.live) yield* ending(machine, at, at.live)
  yield {
    to: machine.tell({ kind: 'prompt.submit', caller: 'main' }, { ...at, turn: at.turn + 1, held: [] }).to,
    own: false,
  }
  yield { to: machine.tell({ kind: 'turn.stop', caller: 'main' }, at).to, own: true }
  for (const [name, { opens }] of machine.gates)
    if (opens === 'human' && at.gates[name] === 'closed')
      yield { to: machine.apply(at, [{ gate: name, from: 'closed', to: 'open' }], at.fired), own: true }
}

function* call(machine: Machine, at: Situation, act: Act, caller: string): Generator<Edge> {
  const begun = machine.tell({ kind: 'tool.before', caller, ...act }, at)
  if (begun.says === 'deny') {
    yield { to: begun.to, own: true }
    return
  }
  if (act.agent !== undefined && caller === 'main' && !at.live) {
    if (begun.says === 'ask') yield { to: begun.to, own: true }
    yield { to: { ...begun.to, live: act.agent, held: begun.asked, began: at.turn, spawned: at.turn }, own: true }
    return
  }
  const here = act.agent !== undefined && act.agent === at.live ? { ...begun.to, spawned: at.turn } : begun.to
  yield { to: here, own: true }
  for (const end of ENDS) yield { to: machine.tell({ ...end, caller, ...act }, here, begun.asked).to, own: true }
}

function* ending(machine: Machine, at: Situation, agent: string): Generator<Edge> {
  const stopped = machine.tell({ kind: 'agent.stop', caller: agent, agent }, at)
  if (stopped.says === 'deny') yield { to: stopped.to, own: true }
  else yield* finished(machine, stopped.to, at, agent, true)
  yield* finished(machine, at, at, agent, false)
}

function* finished(machine: Machine, from: Situation, at: Situation, agent: string, own: boolean): Generator<Edge> {
  for (const end of ENDS) {
    const { live: _, ...to } = machine.tell({ ...end, caller: 'main', action: 'spawn', agent }, from, at.held).to
    yield { to: { ...to, held: [] }, own }
  }
}

/** Of turns only their order counts, and without an agent in flight not even that. */
function settled(one: Situation, { byPrompt }: Machine): Situation {
  if (one.live === undefined || byPrompt.size === 0) return { ...one, turn: 0, closedIn: {}, began: 0, spawned: 0 }
  const turns = [...new Set([one.turn, one.began, one.spawned, ...Object.values(one.closedIn)])].sort((a, b) => a - b)
  const rank = (turn: number): number => turns.indexOf(turn)
  const closedIn = Object.fromEntries(Object.entries(one.closedIn).map(([gate, turn]) => [gate, rank(turn)]))
  return { ...one, turn: rank(one.turn), began: rank(one.began), spawned: rank(one.spawned), closedIn }
}

const keyOf = ({ gates, fired, live, held, turn, closedIn, began, spawned }: Situation): string =>
  JSON.stringify([
    gates,
    Object.entries(fired).sort(),
    live,
    held,
    turn,
    Object.entries(closedIn).sort(),
    began,
    spawned,
  ])

/** Every state that can be reached, and from which of them what cannot be. `people`: what only people open may be opened. */
export function simulate(doc: Doc, profile: Profile): Verdict {
  const machine = new Machine(doc, profile)
  const first = machine.first()
  const nodes = [first]
  const index = new Map([[keyOf(first), 0]])
  const back: { from: number; human: boolean }[][] = [[]]
  for (let at = 0; at < nodes.length; at++) {
    const here = nodes[at]
    if (!here) break
    for (const { to: reached, own } of edges(machine, here)) {
      const to = settled(reached, machine)
      const key = keyOf(to)
      let there = index.get(key)
      if (there === undefined) {
        there = nodes.length
        index.set(key, there)
        nodes.push(to)
        back.push([])
      }
      if (own) back[there]?.push({ from: at, human: isHuman(here, to, machine) })
    }
  }
  const fails = (good: (one: Situation) => boolean, people: boolean): boolean => {
    const can = nodes.map(good)
    const queue = can.flatMap((one, at) => (one ? [at] : []))
    for (let at = queue.pop(); at !== undefined; at = queue.pop())
      for (const { from, human } of back[at] ?? [])
        if (!can[from] && (people || !human)) {
          can[from] = true
          queue.push(from)
        }
    return can.includes(false)
  }
  const stuck = machine.gates.flatMap(([name, { initial, opens }]) =>
    initial && opens !== 'human' && fails(one => one.gates[name] === 'open', true) ? [name] : [],
  )
  const ends = (one: Situation): boolean => machine.tell({ kind: 'turn.stop', caller: 'main' }, one).says !== 'deny'
  return { stuck, turn: fails(ends, false), agent: fails(one => one.live === undefined, false), states: nodes.length }
}

/** The generator makes no human gates with openings of their own, so only a person's hand opens them. */
const isHuman = (from: Situation, to: Situation, { gates }: Machine): boolean =>
  gates.some(([name, { opens }]) => opens === 'human' && from.gates[name] === 'closed' && to.gates[name] === 'open')
