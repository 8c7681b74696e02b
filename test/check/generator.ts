import { Chance } from './chance.ts'
import type { Doc, GateDoc, Mark, RuleDoc, Scope, State, TransitionDoc, Unit, When } from './doc.ts'

const COMMANDS = ['alpha', 'beta', 'gamma', 'delta'] as const
const AGENTS = ['scout', 'builder'] as const
const NAMES = ['red', 'green', 'blue', 'amber'] as const

/** What a policy is about. All at once would be more states than can be tried one by one. */
export const THEMES = [
  'plain',
  'lines',
  'agents',
  'project',
  'clocks',
  'prompts',
  'rivals',
  'chains',
  'sums',
  'variables',
  'gaps',
] as const
export type Theme = (typeof THEMES)[number]

/** Where a gate is made: what it is about, and the other gates that have a state. */
interface Site {
  readonly chance: Chance
  readonly theme: Theme
  readonly others: readonly string[]
}

export const themeOf = (seed: number): Theme => THEMES[Math.floor(seed / 2) % THEMES.length] ?? 'plain'

/** Policies as people write them, in small: some lock up, some do not. */
export function policyOf(seed: number): Doc {
  const chance = new Chance(seed * 2654435761 + 1)
  const theme = themeOf(seed)
  const names = NAMES.slice(0, SIZES[theme](chance))
  if (theme === 'rivals') return { gates: chance.is(0.15) ? opposedOf(chance) : rivalsOf(chance, names) }
  if (theme === 'lines' && chance.is(0.4)) return { gates: crossingOf(chance) }
  if (theme === 'sums') return { gates: sumsOf(chance) }
  if (theme === 'chains') return { gates: chainOf(chance, names) }
  const stateful = names.filter(() => chance.is(theme === 'plain' ? 0.88 : 0.95))
  const gates = names.map(name => {
    const others = stateful.filter(one => one !== name)
    return [name, gateOf({ chance, theme, others }, stateful.includes(name))] as const
  })
  return {
    gates: Object.fromEntries(theme === 'clocks' ? gates.map(([name, gate]) => [name, counting(chance, gate)]) : gates),
  }
}

/** Where operations matter, sometimes only these are some. */
function counting(chance: Chance, gate: GateDoc): GateDoc {
  const isAsked = gate.transitions?.some(({ when }) =>
    Object.values(when.since ?? {}).some(one => one?.operations !== undefined),
  )
  if (!isAsked || !chance.is(0.6)) return gate
  const kind = chance.number()
  const command = chance.of(COMMANDS)
  if (kind < 0.3) return { ...gate, counts: { event: 'tool.after', command, succeeded: true } }
  if (kind < 0.45) return { ...gate, counts: { event: 'tool.before', command } }
  if (kind < 0.6) return { ...gate, counts: { event: 'tool.before', action: 'write' } }
  if (kind < 0.7) return { ...gate, counts: { event: 'prompt.submit' } }
  if (kind < 0.8) return { ...gate, counts: { event: 'turn.stop' } }
  if (kind < 0.9) return { ...gate, counts: { event: 'agent.stop', agent: chance.of(AGENTS) } }
  return { ...gate, counts: { command } }
}

const SIZES: Readonly<Record<Theme, (chance: Chance) => number>> = {
  plain: chance => chance.of([1, 2, 2, 2, 2, 3]),
  lines: chance => chance.of([2, 2, 2, 3]),
  agents: chance => chance.of([1, 2, 2]),
  project: chance => chance.of([1, 2, 2, 2, 3]),
  clocks: chance => chance.of([1, 1, 2]),
  prompts: chance => chance.of([1, 1, 2]),
  rivals: chance => chance.of([2, 2, 2, 3]),
  chains: () => 3,
  sums: () => 2,
  variables: chance => chance.of([1, 2, 2]),
  gaps: chance => chance.of([1, 2, 2]),
}

function gateOf(site: Site, isStateful: boolean): GateDoc {
  const { chance, theme } = site
  const rules = Array.from({ length: chance.of([1, 1, 2]) }, (_, at) => ruleOf(site, `r${at}`))
  if (!isStateful) return { rules: rules.map(({ while: _, limit: __, ...rule }) => rule) }
  const scope = scopeOf(chance, theme)
  const human = scope !== 'agent' && chance.is(0.06)
  const closing = stepsOf(site, 'closed', chance.is(0.2) ? 2 : 1, scope)
  const opening = stepsOf(site, 'open', human || chance.is(0.04) ? 0 : chance.is(0.25) ? 2 : 1, scope)
  const self: readonly TransitionDoc[] = chance.is(0.08)
    ? [{ id: 's', from: 'open', to: 'open', when: changing(site, 'open') }]
    : []
  const transitions = chance.is(0.5) ? [...closing, ...opening, ...self] : [...self, ...opening, ...closing]
  return {
    ...(chance.is(0.08) && { mode: 'warn' as const }),
    ...(human && { opens: 'human' as const }),
    ...(scope !== 'session' && { scope }),
    initial: chance.of<State>(['open', 'open', 'closed']),
    transitions,
    rules: rules.map(rule => advised(chance, rule, opening)),
  }
}

function scopeOf(chance: Chance, theme: Theme): Scope {
  if (theme === 'agents') return chance.is(0.7) ? 'agent' : 'session'
  return theme === 'project' && chance.is(0.7) ? 'project' : 'session'
}

function stepsOf(site: Site, to: State, many: number, scope: Scope): readonly TransitionDoc[] {
  const from = to === 'open' ? 'closed' : 'open'
  return Array.from({ length: many }, (_, at) => ({
    ...{ id: `${to[0]}${at}`, from, to },
    when: site.theme === 'clocks' && site.chance.is(0.4) ? clockOf(site, to, scope) : changing(site, to),
  }))
}

/** So long ago. A project's turns are those of many sessions. */
function clockOf({ chance, others }: Site, to: State, scope: Scope): When {
  const mark: Mark = chance.is(0.2) ? 'changed' : to === 'open' ? 'closed' : 'opened'
  const unit: Unit = scope === 'project' ? 'seconds' : chance.of<Unit>(['operations', 'turns', 'seconds'])
  const least = unit === 'seconds' ? chance.of([60, 60, 90]) : chance.of([1, 1, 2])
  return { since: { [mark]: { [unit]: least } }, ...lookOf(chance, others, 0.15) }
}

/** What closes a gate, or opens it. */
function changing(site: Site, to: State): When {
  const { chance, theme } = site
  const extra = extraOf(site)
  if (theme === 'gaps' && chance.is(0.5))
    return { event: chance.of(['tool.before', 'tool.after']), tool: 'TaskOutput', ...extra }
  if (theme === 'prompts' && to === 'closed' && chance.is(0.6))
    return { event: 'prompt.submit', ...lookOf(chance, site.others, 0.12) }
  const kind = theme === 'lines' ? chance.number() * 0.55 : chance.number()
  if (kind < 0.36)
    return { event: 'tool.after', command: chance.of(COMMANDS), succeeded: to === 'open' || chance.is(0.5), ...extra }
  if (kind < 0.4) return { event: 'tool.failed', command: chance.of(COMMANDS), ...extra }
  if (kind < 0.55) return { event: 'tool.before', command: chance.of(COMMANDS), ...extra }
  if (kind < 0.68) return { event: 'tool.before', action: 'write', ...(chance.is(0.4) && { path: 'src/' }), ...extra }
  if (kind < 0.76) return { event: 'agent.stop', agent: chance.of(AGENTS), ...gateOnly(extra) }
  if (kind < 0.8) return { event: 'agent.start', agent: chance.of(AGENTS), ...gateOnly(extra) }
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

const gateOnly = ({ gate, env }: When): When => ({ ...(gate && { gate }), ...(env && { env }) })

function lookOf(chance: Chance, others: readonly string[], share: number): When {
  const [first, ...rest] = others
  if (first === undefined || !chance.is(share)) return {}
  return { gate: { [chance.of([first, ...rest])]: chance.of<State>(['open', 'open', 'closed']) } }
}

function extraOf({ chance, theme, others }: Site): When {
  return {
    ...lookOf(chance, others, 0.14),
    ...(theme === 'variables' && chance.is(0.4) && variable(chance)),
    ...(chance.is(theme === 'agents' ? 0.3 : 0.12) && { caller: chance.of(['main', 'agent', 'scout']) }),
  }
}

function ruleOf(site: Site, id: string): RuleDoc {
  const { chance, theme, others } = site
  const stops = chance.is(0.08)
  const agentStops = chance.is(theme === 'agents' ? 0.08 : 0.03)
  const prompted = chance.is(theme === 'prompts' ? 0.08 : 0.02)
  const isCall = !stops && !agentStops && !prompted
  const when: When = agentStops
    ? { event: 'agent.stop', agent: chance.of(AGENTS) }
    : stops
      ? { event: 'turn.stop' }
      : prompted
        ? { event: 'prompt.submit' }
        : { event: 'tool.before', ...spokenOf(chance), ...(chance.is(0.3) ? extraOf(site) : {}) }
  return {
    id,
    ...(chance.is(0.9) && { while: chance.of<State>(['closed', 'closed', 'closed', 'open']) }),
    when,
    ...(chance.is(0.45) && isCall && { unless: exemptOf(chance, others) }),
    then: chance.of(['deny', 'deny', 'deny', 'deny', 'ask', 'warn']),
    message: 'Ask the user.',
    ...(chance.is(0.07) && { limit: chance.of([1, 2]) }),
  }
}

/** Set, or just not. */
const variable = (chance: Chance): When => {
  const env = { CI: '1' }
  return chance.is(0.6) ? { env } : { not: { env } }
}

/** Mostly what opens the gate; sometimes anything. Whoever stopped, or was refused a prompt, is not told what to do instead. */
function advised(chance: Chance, rule: RuleDoc, opening: readonly TransitionDoc[]): RuleDoc {
  if (rule.when.event === 'prompt.submit' || rule.when.event === 'agent.stop' || !chance.is(0.3)) return rule
  const [way] = opening
  const { command, agent } = way?.when ?? {}
  if (chance.is(0.75) && typeof command === 'string') return { ...rule, suggest: command }
  if (chance.is(0.75) && typeof agent === 'string') return { ...rule, suggest: { agent } }
  return { ...rule, suggest: chance.is(0.7) ? chance.of(COMMANDS) : { agent: chance.of(AGENTS) } }
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

/** Each is opened by a command of its own, which may close another; all of them guard the same work. */
function rivalsOf(chance: Chance, names: readonly string[]): Doc['gates'] {
  const gates = names.map((name, at) => {
    const own = COMMANDS[at] ?? 'alpha'
    const rival = COMMANDS[(at + 1) % names.length] ?? 'beta'
    const event = chance.of(['tool.after', 'tool.before'])
    const closing: When = chance.is(0.85)
      ? { event: chance.of(['tool.after', 'tool.before']), command: rival }
      : { event: 'tool.before', action: 'write' }
    const isClosed = chance.is(0.12)
    const [other = name] = names.filter(one => one !== name)
    const gate: GateDoc = {
      initial: chance.of<State>(['closed', 'closed', 'closed', 'open']),
      transitions: [
        ...(isClosed ? [] : [{ id: 'c0', from: 'open' as const, to: 'closed' as const, when: closing }]),
        {
          id: 'o0',
          from: 'closed',
          to: 'open',
          when: { event, command: own, ...(event === 'tool.after' && { succeeded: true }) },
        },
      ],
      rules: [
        {
          ...{ id: 'r0', while: 'closed', then: 'deny', message: `Run ${own} first.`, suggest: own },
          when: { event: 'tool.before', ...(chance.is(0.85) ? { command: 'delta' } : { action: 'run' }) },
          ...(chance.is(0.3) && {
            unless: chance.is(0.5) ? { command: [own, rival] } : { gate: { [other]: 'open' as const } },
          }),
        },
      ],
    }
    return [name, gate] as const
  })
  return Object.fromEntries(gates)
}

/** One refuses the work while it is closed, the other while it is open, and the same moves both: mostly it is never done. */
function opposedOf(chance: Chance): Doc['gates'] {
  const event = chance.of(['tool.after', 'tool.before'])
  const by = (command: string): When => ({ event, command, ...(event === 'tool.after' && { succeeded: true }) })
  const cooler = chance.is(0.8) ? 'alpha' : 'gamma'
  const gate = (state: State, opener: string, closer: string): GateDoc => ({
    initial: chance.of<State>(['open', 'closed']),
    transitions: [
      { id: 'o0', from: 'closed', to: 'open', when: by(opener) },
      { id: 'c0', from: 'open', to: 'closed', when: by(closer) },
    ],
    rules: [
      {
        ...{ id: 'r0', while: state, then: 'deny', message: 'Not so.' },
        when: { event: 'tool.before', command: 'delta' },
        ...(chance.is(0.2) && { unless: { caller: chance.of(['agent', 'scout']) } }),
      },
    ],
  })
  return { red: gate('closed', 'alpha', 'beta'), green: gate('open', cooler, 'beta') }
}

/** Each can be closed only after the one before it, and the last one is in the way of the first: it takes steps to get stuck. */
function chainOf(chance: Chance, names: readonly string[]): Doc['gates'] {
  const isRing = chance.is(0.55)
  const gates = names.map((name, at) => {
    const [own = 'alpha', next = 'beta'] = [COMMANDS[at], COMMANDS[(at + 1) % names.length]]
    const before = names[at - 1]
    const isLast = at === names.length - 1
    const closing: When = chance.is(0.5)
      ? { event: 'tool.before', action: 'write', path: 'src/' }
      : { event: chance.of(['tool.before', 'tool.before', 'tool.failed']), command: next }
    const refused: When = isLast
      ? { command: COMMANDS.slice(0, isRing ? names.length : 1) }
      : { command: next, ...(chance.is(0.2) && { caller: 'main' }) }
    const gate: GateDoc = {
      initial: 'open',
      transitions: [
        {
          ...{ id: 'c0', from: 'open', to: 'closed' },
          when: { ...closing, ...(before !== undefined && { gate: { [before]: 'closed' as const } }) },
        },
        { id: 'o0', from: 'closed', to: 'open', when: { event: 'tool.after', command: own, succeeded: true } },
      ],
      rules: [
        {
          ...{ id: 'r0', while: 'closed', then: chance.of(['deny', 'deny', 'deny', 'ask']), message: 'Not yet.' },
          when: { event: 'tool.before', ...refused },
          ...(chance.is(0.3) && { unless: exemptOf(chance, []) }),
          ...(chance.is(0.3) && { suggest: own }),
        },
      ],
    }
    return [name, gate] as const
  })
  return Object.fromEntries(gates)
}

/** So much work, and something else that is due after so much of the same: whether both come to pass is a matter of their sum. */
function sumsOf(chance: Chance): Doc['gates'] {
  const work = chance.of(COMMANDS)
  const [rest = 'omega', again = 'omega'] = COMMANDS.filter(one => one !== work)
  const counts: When = { event: 'tool.before', command: work }
  const many = () => chance.of([1, 2, 2, 3, 4])
  const [spent, ripe] = [many(), many()]
  const isReset = chance.is(0.4)
  const red: GateDoc = {
    ...{ initial: 'open', counts },
    transitions: [
      { id: 'c0', from: 'open', to: 'closed', when: { since: { opened: { operations: spent } } } },
      { id: 'o0', from: 'closed', to: 'open', when: { event: 'tool.before', command: isReset ? again : rest } },
    ],
    rules: [
      {
        ...{ id: 'r0', while: 'closed', then: chance.of(['deny', 'deny', 'ask']), message: 'Spent.' },
        when: { event: 'tool.before', command: chance.is(0.8) ? work : [work, again] },
        ...(chance.is(0.2) && { limit: chance.of([1, 2]) }),
      },
    ],
  }
  const green: GateDoc = {
    ...{ initial: 'closed', ...(chance.is(0.8) && { counts }) },
    transitions: [
      { id: 'o0', from: 'closed', to: 'open', when: { since: { closed: { operations: ripe } } } },
      { id: 'c0', from: 'open', to: 'closed', when: { event: 'tool.before', command: rest } },
      ...(chance.is(0.3)
        ? [{ id: 's0', from: 'closed' as const, to: 'closed' as const, when: { event: 'tool.before', command: again } }]
        : []),
    ],
    rules: [
      {
        ...{ id: 'r0', while: 'closed', then: 'deny', message: 'Not ripe.' },
        when: { event: 'tool.before', command: rest },
      },
    ],
  }
  return { red, green }
}

/** Each refuses what closes the other: only at once both can be closed, and then neither may be opened. */
function crossingOf(chance: Chance): Doc['gates'] {
  const gateFor = (closer: string, opener: string, refused: readonly string[]): GateDoc => ({
    initial: 'open',
    transitions: [
      {
        id: 'c0',
        from: 'open',
        to: 'closed',
        when: { event: chance.of(['tool.before', 'tool.after']), command: closer },
      },
      { id: 'o0', from: 'closed', to: 'open', when: { event: 'tool.after', command: opener, succeeded: true } },
    ],
    rules: [
      {
        ...{ id: 'r0', while: 'closed', then: chance.of(['deny', 'deny', 'ask']), message: 'One thing at a time.' },
        when: { event: 'tool.before', command: chance.is(0.75) ? refused : refused.slice(0, 1) },
        ...(chance.is(0.3) && { suggest: opener }),
      },
    ],
  })
  return { red: gateFor('alpha', 'gamma', ['beta', 'delta']), green: gateFor('beta', 'delta', ['alpha', 'gamma']) }
}
