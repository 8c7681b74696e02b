import {
  conditionsOf,
  type Doc,
  type GateDoc,
  listOf,
  type Profile,
  type RuleDoc,
  type State,
  type When,
} from './doc.ts'

/**
 * The language once more, in small. It shares nothing with the program: it reads the policy as it is written and knows
 * only what the generator writes.
 */

export type Status = 'succeeded' | 'failed' | 'unknown'

/** One of the things a call does. */
export interface Act {
  readonly action?: string
  readonly command?: string
  /** `null`: there is one, and nobody can tell which */
  readonly path?: string | null
  readonly agent?: string
  /** named where a policy names it */
  readonly tool?: string
}

export interface Happening {
  readonly kind: string
  readonly caller: string
  readonly acts: readonly Act[]
  readonly status?: Status
}

/** What is remembered of one gate, or of one caller's copy of it. */
export interface Memory {
  readonly state: State
  /** how much has passed since a mark, as far as the policy can tell: `opened.turns` */
  readonly since: Readonly<Record<string, number>>
  readonly fired: Readonly<Record<string, number>>
  /** the turn in which it was last closed, where that matters */
  readonly closedIn: number
}

export type Memories = Readonly<Record<string, Memory>>

export interface Change {
  readonly gate: string
  readonly key: string
  readonly from: State
  readonly to: State
}

export interface Situation {
  /** by gate; `gate@main` and `gate@agent` where each caller has its own */
  readonly memories: Memories
  /** type of the agent in flight, and what an `ask` at its spawn holds back */
  readonly live?: string
  readonly held: readonly Change[]
  /** a call that goes on while others are made, by its number, who makes it, and what an `ask` holds back */
  readonly pending?: { readonly call: number; readonly caller: string; readonly held: readonly Change[] }
  /** the main agent waits for a prompt, where one may be refused */
  readonly rests?: boolean
  readonly turn: number
  /** the turn in which the live agent began, and in which one of its type was last spawned */
  readonly began: number
  readonly spawned: number
}

/** What a rule that fired had to say. */
export interface Voice {
  readonly gate: string
  readonly rule: RuleDoc
  readonly effect: 'deny' | 'ask' | 'warn'
}

export interface Answer {
  readonly to: Situation
  readonly says: 'pass' | 'ask' | 'deny'
  /** changes that wait for the end of the call */
  readonly asked: readonly Change[]
  readonly voices: readonly Voice[]
}

type Truth = boolean | undefined

const SECONDS = 30
const NOTHING: readonly Change[] = []

export class Machine {
  readonly gates: readonly (readonly [string, GateDoc])[]
  readonly profile: Profile
  /** it matters in which turn an agent began */
  readonly countsTurns: boolean
  readonly countsSeconds: boolean
  /** a prompt may be refused: then nobody works before one was let through */
  readonly refusesPrompts: boolean
  readonly #scoped: ReadonlySet<string>
  /** gates that a prompt closes */
  readonly #byPrompt: ReadonlySet<string>
  /** how far each counter of a gate is looked at */
  readonly #caps: ReadonlyMap<string, ReadonlyMap<string, number>>
  readonly #known = new Map<When, Map<Act, Map<Happening, Truth>>>()
  readonly #memories = new Map<string, { readonly id: number; readonly memories: Memories }>()
  readonly #ids = new WeakMap<Memories, number>()
  readonly #answers = new Map<Happening, Map<string, Told>>()

  constructor(doc: Doc, profile: Profile) {
    this.gates = Object.entries(doc.gates)
    this.profile = profile
    const closes = ({ transitions = [] }: GateDoc) =>
      transitions.some(one => one.to === 'closed' && one.when.event === 'prompt.submit')
    this.#byPrompt = new Set(
      this.gates.flatMap(([name, gate]) => (gate.scope !== 'project' && closes(gate) ? [name] : [])),
    )
    this.#caps = new Map(this.gates.map(([name, gate]) => [name, capsOf(gate)]))
    this.refusesPrompts = this.gates.some(
      ([, { mode, rules = [] }]) =>
        mode !== 'warn' && rules.some(({ when, then }) => when.event === 'prompt.submit' && then !== 'warn'),
    )
    this.countsTurns = this.#byPrompt.size > 0
    this.countsSeconds = [...this.#caps.values()].some(caps => [...caps.keys()].some(key => key.endsWith('seconds')))
    this.#scoped = new Set(this.gates.flatMap(([name, { scope }]) => (scope === 'agent' ? [name] : [])))
  }

  first(): Situation {
    const rests = this.refusesPrompts
    return { memories: this.#stamped({}, 'main', 0), held: [], rests, turn: 0, began: 0, spawned: 0 }
  }

  keyOf(name: string, caller: string): string {
    return this.#scoped.has(name) ? `${name}@${caller === 'main' ? 'main' : 'agent'}` : name
  }

  /** The first event a gate sees stamps its initial state. */
  #stamped(memories: Memories, caller: string, turn: number): Memories {
    let all = memories
    for (const [name, { initial }] of this.gates) {
      const key = this.keyOf(name, caller)
      if (initial === undefined || all[key]) continue
      const marks = initial === 'open' ? ['opened', 'changed'] : ['closed', 'changed']
      const since = this.#reset({}, name, marks)
      const closedIn = this.#byPrompt.has(name) && initial === 'closed' ? turn : 0
      all = { ...all, [key]: { state: initial, since, fired: {}, closedIn } }
    }
    return all
  }

  #reset(since: Memory['since'], name: string, marks: readonly string[]): Memory['since'] {
    const keys = [...(this.#caps.get(name)?.keys() ?? [])].filter(key => marks.includes(key.split('.')[0] ?? ''))
    return keys.length === 0 ? since : { ...since, ...Object.fromEntries(keys.map(key => [key, 0])) }
  }

  /** So much of a unit has passed for these gates. */
  #pass(memories: Memories, unit: string, by: number, keys: readonly string[]): Memories {
    let all = memories
    for (const key of keys) {
      const memory = all[key]
      const caps = this.#caps.get(key.split('@')[0] ?? key)
      if (!memory || !caps?.size) continue
      const since = Object.fromEntries(
        Object.entries(memory.since).map(([mark, count]) => [
          mark,
          mark.endsWith(unit) ? Math.min(caps.get(mark) ?? 0, count + by) : count,
        ]),
      )
      all = { ...all, [key]: { ...memory, since } }
    }
    return all
  }

  later(at: Situation): Situation {
    return { ...at, memories: this.kept(this.#pass(at.memories, 'seconds', SECONDS, Object.keys(at.memories))) }
  }

  nextTurn(at: Situation): Situation {
    const { pending, ...rest } = at
    const memories = this.#pass(at.memories, 'turns', 1, Object.keys(at.memories))
    return { ...rest, memories, turn: at.turn + 1, held: [], ...(pending && { pending: { ...pending, held: [] } }) }
  }

  /** What was begun for an earlier prompt opens no gate that prompts close, once it was closed later. */
  #isLate(gate: string, event: Happening, at: Situation, memory: Memory): boolean {
    if (at.live === undefined || !this.#byPrompt.has(gate)) return false
    const stops = event.kind === 'agent.stop'
    const [act] = event.acts
    const returns = event.kind === 'tool.after' && act?.action === 'spawn' && act.agent === at.live
    const began = stops ? at.began : returns ? at.spawned : undefined
    return began !== undefined && began < memory.closedIn
  }

  /** Kleene's: `undefined` is unknown. */
  #truth(when: When, act: Act, event: Happening, seen: Seen): Truth {
    return all([
      this.#plain(when, act, event),
      when.gate === undefined || Object.entries(when.gate).every(([name, state]) => seen.stateOf(name) === state),
      when.since === undefined || seen.hasPassed(when.since),
      when.any ? not(all(when.any.map(one => not(this.#truth(one, act, event, seen))))) : true,
      when.not ? not(this.#truth(when.not, act, event, seen)) : true,
    ])
  }

  /** What does not depend on states, remembered. */
  #plain(when: When, act: Act, event: Happening): Truth {
    const acts = this.#known.get(when) ?? new Map<Act, Map<Happening, Truth>>()
    this.#known.set(when, acts)
    const events = acts.get(act) ?? new Map<Happening, Truth>()
    acts.set(act, events)
    if (!events.has(event)) events.set(event, plainTruth(when, act, event))
    return events.get(event)
  }

  /** What is unknown (a place, or `succeeded` where nobody tells) opens nothing, and closes all the same. */
  #happens(when: When, to: State, event: Happening, seen: Seen): boolean {
    return event.acts.some(act => {
      const is = this.#truth(when, act, event, seen)
      return is === undefined ? to === 'closed' : is
    })
  }

  #seen(memories: Memories, name: string, caller: string): Seen {
    return {
      stateOf: other => memories[this.keyOf(other, caller)]?.state ?? 'open',
      hasPassed: since => {
        const passed = memories[this.keyOf(name, caller)]?.since ?? {}
        return Object.entries(since).every(([mark, counts]) =>
          Object.entries(counts).every(([unit, least]) => (passed[`${mark}.${unit}`] ?? -1) >= least),
        )
      },
    }
  }

  /** Clock transitions come first, gate by gate, and stay. */
  #clocked(event: Happening, at: Situation): Memories {
    let { memories } = at
    for (const [gate, { transitions = [] }] of this.gates) {
      if (transitions.every(one => one.when.event !== undefined || one.when.any)) continue
      const [change] = this.#changesOf(gate, event, { ...at, memories }, true)
      if (change) memories = this.#moved(memories, change, at.turn)
    }
    return memories
  }

  #changesOf(gate: string, event: Happening, at: Situation, clock: boolean): readonly Change[] {
    const transitions = this.gates.find(([name]) => name === gate)?.[1].transitions ?? []
    const key = this.keyOf(gate, event.caller)
    const memory = at.memories[key]
    if (!memory) return []
    const seen = this.#seen(at.memories, gate, event.caller)
    const { state } = memory
    const events = transitions.filter(one => isClock(one.when) === clock)
    for (const one of events) {
      if (one.from !== state || (one.to === 'open' && this.#isLate(gate, event, at, memory))) continue
      if (!this.#happens(one.when, one.to, event, seen)) continue
      if (!clock && state === 'closed' && one.to === 'open' && this.#spoils(events, event, seen)) continue
      return [{ gate, key, from: state, to: one.to }]
    }
    return []
  }

  /** The end of a call is asked about its beginning too, as if it were only beginning. */
  #spoils(transitions: NonNullable<GateDoc['transitions']>, event: Happening, seen: Seen): boolean {
    const ended = event.kind === 'tool.after' || event.kind === 'tool.failed'
    const phases = ended ? [event, beginningOf(event)] : [event]
    return transitions.some(
      ({ from, to, when }) =>
        from === 'open' && to === 'closed' && phases.some(phase => this.#happens(when, 'closed', phase, seen)),
    )
  }

  #moved(memories: Memories, { gate, key, from, to }: Change, turn: number): Memories {
    const memory = memories[key]
    if (!memory || memory.state !== from) return memories
    const mark = to === 'open' ? 'opened' : 'closed'
    const marks = from === to ? [mark] : [mark, 'changed']
    return {
      ...memories,
      [key]: {
        state: to,
        since: this.#reset(memory.since, gate, marks),
        fired: from === to ? memory.fired : {},
        closedIn: to === 'closed' && this.#byPrompt.has(gate) ? turn : memory.closedIn,
      },
    }
  }

  /** A person opens it, for everybody. */
  opened(at: Situation, name: string): Situation {
    let { memories } = at
    for (const key of [name, `${name}@main`, `${name}@agent`])
      memories = this.#moved(memories, { gate: name, key, from: 'closed', to: 'open' }, at.turn)
    return { ...at, memories }
  }

  /** Whoever has something to say. A rule sees what the event opens. */
  #judge(event: Happening, memories: Memories, seen: Memories): { voices: readonly Voice[]; fired: Memories } {
    const voices: Voice[] = []
    let fired = memories
    for (const [gate, { rules = [], mode }] of this.gates)
      for (const rule of rules) {
        if (!kinds(rule.when.event ?? 'tool.before').includes(event.kind)) continue
        const key = this.keyOf(gate, event.caller)
        const memory = seen[key]
        if (rule.while !== undefined && memory && memory.state !== rule.while) continue
        if (rule.limit !== undefined && (memory?.fired[rule.id] ?? 0) >= rule.limit) continue
        const is = this.#fires(rule, event, this.#seen(seen, gate, event.caller))
        if (is === false) continue
        if (rule.limit !== undefined) fired = counted(fired, key, rule.id, rule.limit)
        // what is not certain only warns
        const effect = mode === 'warn' || is === undefined ? 'warn' : this.#effectOf(rule.then, event)
        voices.push({ gate, rule, effect })
      }
    return { voices, fired }
  }

  /** One act that satisfies `when` and is not exempt. */
  #fires(rule: RuleDoc, event: Happening, seen: Seen): Truth {
    let found: Truth = false
    for (const act of event.acts) {
      const is = this.#truth(rule.when, act, event, seen)
      if (is === false || (rule.unless && this.#truth(rule.unless, act, event, seen))) continue
      if (is) return true
      found = undefined
    }
    return found
  }

  /** Where nobody can be asked it is a refusal; where nothing can be refused it is words. */
  #effectOf(then: RuleDoc['then'], { kind }: Happening): Voice['effect'] {
    if (then === 'warn') return then
    if (kind === 'tool.before') return then === 'ask' && !this.profile.asks ? 'deny' : then
    if (kind === 'turn.stop' || kind === 'prompt.submit') return 'deny'
    return kind === 'agent.stop' && this.profile.stopsAgents ? 'deny' : 'warn'
  }

  /** The same memories are the same object, and have one number. */
  kept(memories: Memories): Memories {
    if (this.#ids.has(memories)) return memories
    const key = JSON.stringify(
      Object.entries(memories)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, { state, since, fired, closedIn }]) => [name, state, sorted(since), sorted(fired), closedIn]),
    )
    const known = this.#memories.get(key) ?? { id: this.#memories.size, memories }
    this.#memories.set(key, known)
    this.#ids.set(known.memories, known.id)
    return known.memories
  }

  idOf(memories: Memories): number {
    return this.#ids.get(this.kept(memories)) ?? -1
  }

  /** One event: the situation after it, and the word. `waiting`: what an `ask` held back. What was told once is remembered. */
  tell(event: Happening, given: Situation, waiting: readonly Change[] = NOTHING): Answer {
    const { turn, began, spawned, live } = given
    const flight = this.countsTurns ? `${turn} ${began} ${spawned} ${live}` : ''
    const key = `${this.idOf(given.memories)} ${flight} ${waiting.length > 0 ? JSON.stringify(waiting) : ''}`
    const answers = this.#answers.get(event) ?? new Map<string, Told>()
    this.#answers.set(event, answers)
    const { memories, ...said } = answers.get(key) ?? this.#told(event, given, waiting)
    answers.set(key, { memories, ...said })
    return { to: memories === given.memories ? given : { ...given, memories }, ...said }
  }

  #told(event: Happening, given: Situation, waiting: readonly Change[]): Told {
    const at = { ...given, memories: this.#stamped(given.memories, event.caller, given.turn) }
    const memories = this.#clocked(event, at)
    const clocked = { ...at, memories }
    const changes = this.gates.flatMap(([gate]) => this.#changesOf(gate, event, clocked, false))
    let seen = memories
    for (const one of changes) if (one.to === 'open') seen = this.#moved(seen, one, at.turn)
    const { voices, fired } = this.#judge(event, memories, seen)
    const effects = voices.map(one => one.effect)
    const says = effects.includes('deny') ? 'deny' : effects.includes('ask') ? 'ask' : 'pass'
    const isCounted = ([name, { counts }]: (typeof this.gates)[number]): boolean => {
      if (!counts) return event.kind === 'tool.before'
      const now = this.#seen(memories, name, event.caller)
      return event.acts.some(act => this.#truth(counts, act, event, now) === true)
    }
    const counting = says === 'deny' ? [] : this.gates.filter(isCounted)
    const own = counting.map(([name]) => this.keyOf(name, event.caller))
    let after = own.length > 0 ? this.#pass(fired, 'operations', 1, own) : fired
    for (const one of [...waiting, ...(says === 'pass' ? changes : NOTHING)]) after = this.#moved(after, one, at.turn)
    return { memories: this.kept(after), says, asked: says === 'ask' ? changes : NOTHING, voices }
  }
}

type Told = Omit<Answer, 'to'> & Pick<Situation, 'memories'>
const sorted = (record: Readonly<Record<string, unknown>>): unknown => Object.entries(record).sort()

/** The states and counters that a condition is asked about. */
interface Seen {
  stateOf(gate: string): State
  hasPassed(since: NonNullable<When['since']>): boolean
}

function plainTruth(when: When, act: Act, event: Happening): Truth {
  const isIn = (list: When['command'], value: string | undefined): boolean =>
    list === undefined || (value !== undefined && listOf(list).includes(value))
  return all([
    when.event === undefined || kinds(when.event).includes(event.kind),
    isIn(when.command, act.command),
    isIn(when.action, act.action),
    isIn(when.agent, act.agent),
    isIn(when.tool, act.tool),
    when.never === undefined,
    when.path === undefined || (act.path === null ? undefined : act.path?.startsWith(when.path) === true),
    when.caller === undefined || listOf(when.caller).some(one => isCaller(one, event.caller)),
    when.succeeded === undefined || hasSucceeded(when.succeeded, act, event),
  ])
}

/** A line that succeeded tells of every command in it; one that failed only of the command that is the whole line. */
function hasSucceeded(wanted: boolean, { action }: Act, { kind, status, acts }: Happening): Truth {
  if (kind !== 'tool.after' && kind !== 'tool.failed') return false
  if (status === 'unknown' || (status === 'failed' && acts.length > 1 && action === 'run')) return undefined
  return (status === 'succeeded') === wanted
}

const not = (one: Truth): Truth => (one === undefined ? undefined : !one)
const all = (list: readonly Truth[]): Truth =>
  list.includes(false) ? false : list.includes(undefined) ? undefined : true

const isClock = (when: When): boolean => when.event === undefined && when.any === undefined
const kinds = (event: string): readonly string[] => (event === 'tool.after' ? ['tool.after', 'tool.failed'] : [event])
const isCaller = (wanted: string, caller: string): boolean =>
  wanted === (caller === 'main' ? 'main' : 'agent') || (caller !== 'main' && wanted === caller)

const beginnings = new WeakMap<Happening, Happening>()
function beginningOf(event: Happening): Happening {
  const known = beginnings.get(event) ?? { ...event, kind: 'tool.before' }
  beginnings.set(event, known)
  return known
}

function counted(memories: Memories, key: string, rule: string, limit: number): Memories {
  const memory = memories[key]
  if (!memory) return memories
  const times = Math.min(limit, (memory.fired[rule] ?? 0) + 1)
  return { ...memories, [key]: { ...memory, fired: { ...memory.fired, [rule]: times } } }
}

function capsOf(gate: GateDoc): ReadonlyMap<string, number> {
  const caps = new Map<string, number>()
  for (const { since = {} } of conditionsOf(gate))
    for (const [mark, counts] of Object.entries(since))
      for (const [unit, least] of Object.entries(counts)) {
        const key = `${mark}.${unit}`
        caps.set(key, Math.max(caps.get(key) ?? 0, least))
      }
  return caps
}
