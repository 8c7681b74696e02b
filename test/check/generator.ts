import type { Doc, GateDoc, RuleDoc, State, When } from './simulator.ts'

/** The same number gives the same policy. */
class Chance {
  #seed: number
  constructor(seed: number) {
    this.#seed = seed >>> 0
  }
  /** mulberry32 */
  number(): number {
    this.#seed = (this.#seed + 0x6d2b79f5) >>> 0
    let t = this.#seed
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  is(share: number): boolean {
    return this.number() < share
  }
  of<T>(list: readonly [T, ...T[]]): T {
    return list[Math.floor(this.number() * list.length)] ?? list[0]
  }
}

const COMMANDS = ['alpha', 'beta', 'gamma', 'delta'] as const
const AGENTS = ['scout', 'builder'] as const

/** Policies as people write them, in small: some lock up, some do not. */
export function policyOf(seed: number): Doc {
  const chance = new Chance(seed * 2654435761 + 1)
  const names = ['red', 'green', 'blue', 'amber'].slice(0, chance.of([1, 1, 2, 2, 2, 2, 3, 3, 3, 4]))
  const stateful = names.filter(() => chance.is(0.88))
  return { gates: Object.fromEntries(names.map(name => [name, gateOf(chance, name, stateful)])) }
}

function gateOf(chance: Chance, name: string, names: readonly string[]): GateDoc {
  const others = names.filter(one => one !== name)
  const rules = Array.from({ length: 1 + Math.floor(chance.number() * 2) }, (_, at) => ruleOf(chance, `r${at}`, others))
  if (!names.includes(name)) return { rules: rules.map(({ while: _, limit: __, ...rule }) => rule) }
  const human = chance.is(0.06)
  const closing = Array.from({ length: chance.is(0.2) ? 2 : 1 }, (_, at) => ({
    ...{ id: `c${at}`, from: 'open' as const, to: 'closed' as const },
    when: changing(chance, 'closed', others),
  }))
  const opening = Array.from({ length: human || chance.is(0.04) ? 0 : chance.is(0.25) ? 2 : 1 }, (_, at) => ({
    ...{ id: `o${at}`, from: 'closed' as const, to: 'open' as const },
    when: changing(chance, 'open', others),
  }))
  const self = chance.is(0.08)
    ? [{ id: 's', from: 'open' as const, to: 'open' as const, when: changing(chance, 'open', others) }]
    : []
  const transitions = chance.is(0.5) ? [...closing, ...opening, ...self] : [...self, ...opening, ...closing]
  return {
    ...(chance.is(0.1) && { mode: 'warn' as const }),
    ...(human && { opens: 'human' as const }),
    initial: chance.of<State>(['open', 'open', 'closed']),
    transitions,
    rules,
  }
}

/** What closes a gate, or opens it. */
function changing(chance: Chance, to: State, others: readonly string[]): When {
  const kind = chance.number()
  const extra = extraOf(chance, others)
  if (kind < 0.4)
    return { event: 'tool.after', command: chance.of(COMMANDS), succeeded: to === 'open' || chance.is(0.5), ...extra }
  if (kind < 0.55) return { event: 'tool.before', command: chance.of(COMMANDS), ...extra }
  if (kind < 0.7) return { event: 'tool.before', action: 'write', ...(chance.is(0.4) && { path: 'src/' }), ...extra }
  if (kind < 0.8) return { event: 'agent.stop', agent: chance.of(AGENTS), ...gateOnly(extra) }
  if (kind < 0.86) return { event: 'tool.before', action: 'spawn', agent: chance.of(AGENTS), ...extra }
  if (kind < 0.9) return { event: 'turn.stop', ...gateOnly(extra) }
  if (to === 'closed') return { event: 'prompt.submit', ...gateOnly(extra) }
  return {
    any: [
      { event: 'tool.before', command: chance.of(COMMANDS) },
      { event: 'agent.stop', agent: chance.of(AGENTS) },
    ],
  }
}

const gateOnly = ({ gate }: When): When => (gate ? { gate } : {})

function extraOf(chance: Chance, others: readonly string[]): When {
  const [first, ...rest] = others
  return {
    ...(first !== undefined &&
      chance.is(0.12) && { gate: { [chance.of([first, ...rest])]: chance.of<State>(['open', 'open', 'closed']) } }),
    ...(chance.is(0.12) && { caller: chance.of(['main', 'agent', 'scout']) }),
  }
}

function ruleOf(chance: Chance, id: string, others: readonly string[]): RuleDoc {
  const stops = chance.is(0.1)
  const when: When = stops
    ? { event: 'turn.stop' }
    : { event: 'tool.before', ...spokenOf(chance), ...(chance.is(0.3) ? extraOf(chance, others) : {}) }
  const agentStops = chance.is(0.03)
  return {
    id,
    ...(chance.is(0.9) && { while: chance.of<State>(['closed', 'closed', 'closed', 'open']) }),
    when: agentStops ? { event: 'agent.stop', agent: chance.of(AGENTS) } : when,
    ...(chance.is(0.45) && !stops && !agentStops && { unless: exemptOf(chance, others) }),
    then: chance.of(['deny', 'deny', 'deny', 'deny', 'ask', 'warn']),
    message: 'No.',
    ...(chance.is(0.07) && { limit: 1 + Math.floor(chance.number() * 2) }),
  }
}

function spokenOf(chance: Chance): When {
  const kind = chance.number()
  if (kind < 0.3) return { command: [chance.of(COMMANDS), chance.of(COMMANDS)] }
  if (kind < 0.5) return { action: 'run' }
  if (kind < 0.65) return { action: 'write', ...(chance.is(0.3) && { path: 'docs/' }) }
  if (kind < 0.75) return { action: 'spawn', ...(chance.is(0.6) && { agent: chance.of(AGENTS) }) }
  if (kind < 0.85) return { action: ['run', 'write'] }
  return {}
}

function exemptOf(chance: Chance, others: readonly string[]): When {
  const kind = chance.number()
  const [first, ...rest] = others
  if (kind < 0.55) return { command: [chance.of(COMMANDS), chance.of(COMMANDS)] }
  if (kind < 0.75) return { caller: chance.of(['agent', 'scout', 'main']) }
  if (kind < 0.85 && first !== undefined) return { gate: { [chance.of([first, ...rest])]: 'open' } }
  if (kind < 0.92) return { action: 'spawn' }
  return { not: { action: 'run' } }
}
