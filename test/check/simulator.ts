import { type Doc, type Profile, partsOf, type State, type When } from './doc.ts'
import { Happenings, type Heard, type Pace } from './happenings.ts'
import { Machine, type Situation, type Voice } from './machine.ts'

/** What comes of every state that can be reached, by brute force. */
export interface Verdict {
  /** gates that can get stuck, by name */
  readonly stuck: readonly string[]
  /** something that closed gates refuse can never be done again: by anybody, as far as one agent runs at a time; by the main agent */
  readonly barred: boolean
  readonly isMainBarred: boolean
  /** … or gates that are open are in the way as well */
  readonly isBarredInTurn: boolean
  /** a turn may be unable to end */
  readonly turn: boolean
  /** an agent may be unable to end */
  readonly agent: boolean
  /** the main agent may get to where every call is refused, and nothing that may happen leads out of it */
  readonly helpless: boolean
  /** the main agent may neither run nor write anything, nor spawn an agent that does, whatever happens */
  readonly isWorkLeftToNobody: boolean
  /** gates that suggest what is refused */
  readonly misleading: readonly string[]
}

export interface Simulation extends Verdict {
  readonly states: number
  /** how many steps it takes to the nearest state in which something is stuck */
  readonly depth: number
  /** there were too many states */
  readonly isCut: boolean
}

/** Of turns only their order counts, and without an agent in flight not even that. */
function settled(one: Situation, machine: Machine): Situation {
  if (!machine.countsTurns) return { ...one, memories: machine.kept(one.memories), turn: 0, began: 0, spawned: 0 }
  const each = Object.entries(one.memories)
  const isFree = one.live === undefined
  const turns = isFree ? [] : [one.turn, one.began, one.spawned, ...each.map(([, { closedIn }]) => closedIn)]
  const order = [...new Set(turns)].sort((a, b) => a - b)
  const rank = (turn: number): number => (isFree ? 0 : order.indexOf(turn))
  const memories = Object.fromEntries(
    each.map(([key, memory]) => [key, { ...memory, closedIn: rank(memory.closedIn) }]),
  )
  const ranked = { turn: rank(one.turn), began: rank(one.began), spawned: rank(one.spawned) }
  return { ...one, memories: machine.kept(memories), ...ranked }
}

/** Nothing has come of it. */
const isSame = (one: Situation, other: Situation): boolean =>
  one === other ||
  (one.memories === other.memories &&
    one.live === other.live &&
    one.held === other.held &&
    one.pending === other.pending &&
    one.rests === other.rests &&
    one.turn === other.turn &&
    one.began === other.began &&
    one.spawned === other.spawned)

interface Node {
  readonly at: Situation
  readonly depth: number
  /** from where an agent gets here by itself, and from where with the help of a person */
  readonly before: Set<number>
  readonly helped: Set<number>
  /** of the first, those where whoever was in flight did it itself */
  readonly alone: Set<number>
  /** and from where once a person gives it work */
  readonly begun: Set<number>
  isFollowed: boolean
  /** gates that refuse something to the agent in flight */
  readonly refusers: Set<string>
  /** calls that wait for a gate to open, and those that do not */
  readonly barred: Set<string>
  readonly free: Set<string>
  /** calls that are refused as the gates are, and those that are not */
  readonly refused: Set<string>
  readonly clear: Set<string>
  isTurnHeld: boolean
  /** a call of the main agent is let through */
  isMainFree: boolean
  /** one that runs, writes or spawns is */
  isMainAtWork: boolean
  /** from where anything that may happen leads here */
  readonly from: Set<number>
  /** what is an agent's own, and open once it has ended */
  readonly left: Set<string>
}

/** How one gets somewhere. */
interface Journey {
  readonly people: boolean
  readonly over?: (node: Node) => boolean
  /** that a person gives it work may itself be what helps */
  readonly isGiven?: boolean
  /** whoever spawned an agent waits for its end */
  readonly isAwaited?: boolean
}

/** The first thing that each gate says. */
const firstOfEach = (voices: readonly Voice[]): readonly Voice[] =>
  voices.filter((one, at) => voices.findIndex(other => other.gate === one.gate) === at)

const WORK: ReadonlySet<string> = new Set(['run', 'write', 'delete', 'spawn'])

class Space {
  readonly nodes: Node[] = []
  readonly misleading = new Set<string>()
  isCut = false
  readonly #index = new Map<string, number>()
  readonly #machine: Machine
  readonly #happenings: Happenings

  constructor(doc: Doc, profile: Profile, pace: Pace, most: number) {
    this.#machine = new Machine(doc, profile)
    this.#happenings = new Happenings(doc, this.#machine, pace)
    this.#add(settled(this.#machine.first(), this.#machine), 0)
    for (let at = 0; at < this.nodes.length && !this.isCut; at++) {
      const node = this.nodes[at]
      if (node) this.#follow(node, at)
      this.isCut = this.nodes.length > most
    }
  }

  #follow(node: Node, at: number): void {
    for (const { to, own, isMain, isBegun, leaves = [] } of this.#happenings.from(node.at, one =>
      this.#hear(node, one),
    )) {
      if (isSame(node.at, to)) continue
      const there = this.#add(settled(to, this.#machine), node.depth + 1)
      this.nodes[there]?.from.add(at)
      if (isBegun) this.nodes[there]?.begun.add(at)
      if (own) for (const key of leaves) node.left.add(key)
      if (own) this.nodes[there]?.[this.#isHuman(node.at, to) ? 'helped' : 'before'].add(at)
      if (own && !isMain && !this.#isHuman(node.at, to)) this.nodes[there]?.alone.add(at)
    }
    node.isFollowed = true
  }

  #add(to: Situation, depth: number): number {
    const { memories, live, held, pending, rests, turn, began, spawned } = to
    const more = held.length > 0 || pending ? JSON.stringify([held, pending]) : ''
    const key = `${this.#machine.idOf(memories)} ${live} ${turn} ${began} ${spawned} ${rests} ${more}`
    const known = this.#index.get(key)
    if (known !== undefined) return known
    this.#index.set(key, this.nodes.length)
    const none = { before: new Set<number>(), helped: new Set<number>(), begun: new Set<number>(), isFollowed: false }
    const alone = new Set<number>()
    this.nodes.push({
      at: to,
      depth,
      ...none,
      alone,
      refusers: new Set(),
      barred: new Set(),
      free: new Set(),
      refused: new Set(),
      clear: new Set(),
      isTurnHeld: false,
      isMainFree: false,
      isMainAtWork: false,
      from: new Set(),
      left: new Set(),
    })
    return this.nodes.length - 1
  }

  #hear(node: Node, { by, call, answer }: Heard): void {
    const refusals = answer.voices.filter(one => one.effect === 'deny')
    if (call === undefined && by === 'main') node.isTurnHeld = refusals.length > 0
    // a line that does several things can be taken apart: what refuses nothing but the line is in nobody's way
    const [act, second] = call === undefined ? [] : (this.#happenings.calls[call] ?? [])
    if (act && !second) {
      if (by !== 'main') for (const { gate } of refusals) node.refusers.add(gate)
      if (by === 'main' && refusals.length === 0) {
        node.isMainFree = true
        node.isMainAtWork ||= WORK.has(act.action ?? '')
      }
      ;(refusals.some(one => this.#waits(one)) ? node.barred : node.free).add(`${by} ${call}`)
      ;(refusals.some(one => this.#depends(one)) ? node.refused : node.clear).add(`${by} ${call}`)
    }
    for (const { gate, rule } of answer.voices)
      if (rule.suggest !== undefined && this.#misleads(gate, by, rule.suggest, answer)) this.misleading.add(gate)
  }

  /** Does the rule keep silent once a gate is open? */
  #waits({ gate, rule }: Voice): boolean {
    const isStateful = this.#machine.gates.some(([name, { initial }]) => name === gate && initial !== undefined)
    const has = (when: When | undefined, state: State): boolean =>
      when?.gate !== undefined && Object.values(when.gate).includes(state)
    return (isStateful && rule.while === 'closed') || has(rule.when, 'closed') || has(rule.unless, 'open')
  }

  /** Does it speak of the state of any gate? */
  #depends({ gate, rule }: Voice): boolean {
    const isStateful = this.#machine.gates.some(([name, { initial }]) => name === gate && initial !== undefined)
    const parts = [rule.when, ...(rule.unless ? [rule.unless] : [])].flatMap(partsOf)
    return (isStateful && rule.while !== undefined) || parts.some(one => one.gate !== undefined)
  }

  #suggested(suggest: string | { readonly agent: string }): number {
    return this.#happenings.calls.findIndex(
      ([act]) => (typeof suggest === 'string' ? act?.command : act?.agent) === (Object(suggest).agent ?? suggest),
    )
  }

  /** Refused, and not only by those who spoke in the same answer or name their own next step, which leads on. */
  #misleads(gate: string, by: string, suggest: string | { readonly agent: string }, first: Heard['answer']): boolean {
    const ask = (one: typeof suggest) => this.#happenings.ask(first.to, by, this.#suggested(one))
    const refusing = ({ voices }: Heard['answer']) => voices.filter(one => one.effect === 'deny')
    const isStep = (voice: Voice, before: readonly string[]): boolean =>
      voice.rule.suggest === undefined
        ? this.#isForPerson(voice)
        : !before.includes(voice.gate) && this.#waits(voice) && isLeading(voice, before)
    const isLeading = ({ gate: own, rule }: Voice, before: readonly string[]): boolean => {
      const answer = rule.suggest === undefined ? undefined : ask(rule.suggest)
      if (answer?.says !== 'deny') return true
      return firstOfEach(refusing(answer)).every(one => isStep(one, [...before, own]))
    }
    const refused = ask(suggest)
    if (refused.says !== 'deny') return false
    return firstOfEach(refusing(refused)).some(voice => {
      const spoke = refusing(first).find(one => one.gate === voice.gate)
      if (voice.gate === gate) return true
      return !(spoke && isLeading(spoke, [gate])) && !isStep(voice, [gate])
    })
  }

  /** Its message says that a person opens it. */
  #isForPerson({ gate, rule }: Voice): boolean {
    return (
      rule.while === 'closed' && this.#machine.gates.some(([name, { opens }]) => name === gate && opens === 'human')
    )
  }

  /** The generator makes no human gates with openings of their own, so only a person's hand opens them. */
  #isHuman(from: Situation, to: Situation): boolean {
    return this.#machine.gates.some(
      ([name, { opens }]) =>
        opens === 'human' && from.memories[name]?.state === 'closed' && to.memories[name]?.state === 'open',
    )
  }

  /** From where no agent gets to a good one. What was not followed may be good. */
  lost(isGood: (node: Node) => boolean, journey: Journey): readonly Node[] {
    const { people, over = () => true, isGiven = false, isAwaited = false } = journey
    const can = this.nodes.map(node => !node.isFollowed || isGood(node))
    const queue = can.flatMap((one, at) => (one ? [at] : []))
    const good = new Set(queue)
    const reach = (from: number): void => {
      const node = this.nodes[from]
      if (can[from] || !node || !over(node)) return
      can[from] = true
      queue.push(from)
    }
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      for (const from of this.nodes[at]?.before ?? [])
        if (!isAwaited || !this.nodes[from]?.at.live || this.nodes[at]?.alone.has(from)) reach(from)
      if (people) this.nodes[at]?.helped.forEach(reach)
      if (isGiven || !good.has(at)) this.nodes[at]?.begun.forEach(reach)
    }
    return this.nodes.filter((_, at) => !can[at])
  }

  /** It is closed, and nobody opens it again. For an agent that runs: while it runs, and where it is refused something. */
  stuckIn(name: string): readonly Node[] {
    const isOpen = ({ at }: Node, key: string): boolean => at.memories[key]?.state !== 'closed'
    const own = `${name}@agent`
    const opens = ({ at, left }: Node): boolean => at.memories[own]?.state === 'open' || left.has(own)
    // the next one has a gate of its own
    const over = ({ at }: Node): boolean => at.live !== undefined
    return [
      ...[name, `${name}@main`].flatMap(key => [
        ...this.lost(node => isOpen(node, key), { people: true }).filter(({ at }) => !at.rests),
        // who waits for a prompt may be helped by what that opens
        ...this.lost(node => isOpen(node, key), { people: true, isGiven: true }).filter(({ at }) => at.rests),
      ]),
      ...this.lost(opens, { people: true, over }).filter(node => !isOpen(node, own) && node.refusers.has(name)),
    ]
  }

  /** A closed gate refuses something, and from there nobody gets to where none does. */
  barred(by = ''): readonly Node[] {
    const calls = new Set(this.nodes.flatMap(node => [...node.barred].filter(call => call.startsWith(by))))
    return [...calls].flatMap(call =>
      this.lost(({ free }) => free.has(call), { people: true }).filter(({ barred }) => barred.has(call)),
    )
  }

  /** The gates refuse something as they are, and from there nobody gets to where they do not. */
  barredInTurn(): readonly Node[] {
    const calls = new Set(this.nodes.flatMap(node => [...node.refused]))
    return [...calls].flatMap(call =>
      this.lost(({ clear }) => clear.has(call), { people: true }).filter(({ refused }) => refused.has(call)),
    )
  }

  heldTurns(): readonly Node[] {
    return this.lost(node => !node.isTurnHeld, { people: false })
  }

  helpless(): readonly Node[] {
    const can = this.nodes.map(node => !node.isFollowed || node.isMainFree)
    const queue = can.flatMap((one, at) => (one ? [at] : []))
    for (let at = queue.pop(); at !== undefined; at = queue.pop())
      for (const from of this.nodes[at]?.from ?? [])
        if (!can[from]) {
          can[from] = true
          queue.push(from)
        }
    return this.nodes.filter((_, at) => !can[at])
  }

  isWorkLeftToNobody(): boolean {
    return this.nodes.every(node => node.isFollowed && !node.isMainAtWork)
  }

  heldAgents(): readonly Node[] {
    return this.lost(({ at }) => at.live === undefined, { people: false, isAwaited: true })
  }
}

export function simulate(doc: Doc, profile: Profile, { atOnce, most }: Pace & { most: number }): Simulation {
  const space = new Space(doc, profile, { atOnce }, most)
  const gates = Object.entries(doc.gates).filter(
    ([name, { initial, opens }]) => initial && opens !== 'human' && isInTheWay(name, doc, profile),
  )
  const stuck = gates.map(([name]) => [name, space.stuckIn(name)] as const).filter(([, nodes]) => nodes.length > 0)
  const [barred, turn, agent] = [space.barred(), space.heldTurns(), space.heldAgents()]
  const bad = [...stuck.flatMap(([, nodes]) => nodes), ...barred, ...turn, ...agent]
  return {
    stuck: stuck.map(([name]) => name).sort(),
    barred: barred.length > 0,
    isMainBarred: space.barred('main ').length > 0,
    isBarredInTurn: space.barredInTurn().length > 0,
    turn: turn.length > 0,
    agent: agent.length > 0,
    helpless: space.helpless().length > 0,
    isWorkLeftToNobody: space.isWorkLeftToNobody(),
    misleading: [...space.misleading].sort(),
    states: space.nodes.length,
    depth: bad.reduce((least, { depth }) => Math.min(least, depth), Infinity),
    isCut: space.isCut,
  }
}

/** Is anything refused because this gate is closed, by itself or by way of others? One that nobody waits for may stay closed. */
function isInTheWay(name: string, doc: Doc, profile: Profile): boolean {
  const bad = new Set<string>()
  for (const [own, { rules = [], transitions = [] }] of Object.entries(doc.gates))
    for (const { while: state, when, unless, then, limit } of rules) {
      // it refuses so often, and then no more until the gate moves
      const isMovedThere = transitions.some(({ from, to }) => from === state && to === state)
      if (limit !== undefined && state !== undefined && !isMovedThere) continue
      const kind = when.event ?? 'tool.before'
      const isRefused = then === 'deny' || (then === 'ask' && (!profile.asks || kind !== 'tool.before'))
      const refusable = ['tool.before', 'turn.stop', 'prompt.submit', ...(profile.stopsAgents ? ['agent.stop'] : [])]
      if (!isRefused || !refusable.includes(kind)) continue
      if (state !== undefined) bad.add(`${own} ${state}`)
      // what opens it is judged as if it were open
      const isSeen = transitions.some(one => one.to === state && partsOf(one.when).some(part => part.event === kind))
      if (isSeen) bad.add(`${own} closed`).add(`${own} open`)
      for (const state of [...asked(when, true), ...(unless ? asked(unless, false) : [])]) bad.add(state)
      if (partsOf(when).some(one => one.since)) bad.add(`${own} closed`).add(`${own} open`)
    }
  const steps = Object.entries(doc.gates).flatMap(([own, { transitions = [] }]) =>
    transitions.map(step => ({ ...step, own })),
  )
  for (const state of bad)
    for (const { own, from, to, when } of steps)
      if (from !== to && state === `${own} ${from}`) for (const wanted of asked(when, false)) bad.add(wanted)
  return bad.has(`${name} closed`)
}

/** States of gates that make the condition so, or not so. */
function asked({ gate = {}, any = [], not }: When, want: boolean): readonly string[] {
  return [
    ...Object.entries(gate).map(([name, state]) => `${name} ${want === (state === 'open') ? 'open' : 'closed'}`),
    ...any.flatMap(one => asked(one, want)),
    ...(not ? asked(not, !want) : []),
  ]
}
