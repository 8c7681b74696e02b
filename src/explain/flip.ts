import {
  type Act,
  approach,
  type Caller,
  callerLabel,
  DECISIONS,
  type Decision,
  type Event,
  evaluate,
  type Gate,
  type Input,
  type Tools,
} from '../core/index.ts'
import type { Condition, GateState } from '../pattern/index.ts'
import { asTyped } from '../pattern/index.ts'
import { actText } from './got.ts'
import { wayOf } from './way.ts'

/** Something that would have led to another decision, tried out: the decision is what `evaluate` says then. */
export interface Flip {
  readonly by: 'state' | 'caller' | 'command'
  readonly decision: Decision
  readonly says: string
}

/** What flipping takes beside evaluating. */
export interface Turning {
  /** the event with another shell line in it; absent where the call is not a shell line */
  readonly retyped?: (line: string) => Event | undefined
}

/** The changes that matter, each tried: a state, a caller, the least that could be left out of the command. */
export function flipsOf(input: Input, tools: Tools, turning: Turning = {}): readonly Flip[] {
  const { outcome, record } = evaluate(input, tools)
  const refusing = new Set(record.matches.filter(one => one.effect === outcome.decision).map(one => one.gate))
  const isRefused = outcome.decision === 'deny' || outcome.decision === 'ask'
  if (!isRefused || refusing.size < 2) return flipsAlone(input, tools, turning, '')
  // several gates stand in the way: what each of them wants, if it were the only one
  return input.program.gates
    .filter(gate => refusing.has(gate.id))
    .flatMap(gate => {
      const others = input.program.gates.map(one =>
        one !== gate && refusing.has(one.id) ? { ...one, mode: 'observe' as const } : one,
      )
      const alone = { ...input, program: { ...input.program, gates: others } }
      return flipsAlone(alone, tools, turning, `for ${gate.name} alone: `)
    })
}

function flipsAlone(input: Input, tools: Tools, turning: Turning, before: string): readonly Flip[] {
  const now = evaluate(input, tools).outcome.decision
  const ask = (changed: Partial<Input>): Decision => evaluate({ ...input, ...changed }, tools).outcome.decision
  const flips = [
    ...byState(input, tools, now, ask),
    ...byCaller(input, now, ask),
    ...byCommand(input, now, ask, turning),
  ]
  return flips.map(flip => ({ ...flip, says: before + flip.says }))
}

type Ask = (changed: Partial<Input>) => Decision

const laxer = (one: Decision, other: Decision): boolean => DECISIONS.indexOf(one) < DECISIONS.indexOf(other)

/** `deny` shouts, as everywhere. */
export const loud = (decision: string): string =>
  decision === 'deny' || decision === 'ask' || decision === 'error' ? decision.toUpperCase() : decision

const wouldBe = (decision: Decision): string => (decision === 'pass' ? 'this passes' : `this is ${loud(decision)}`)

function byState(input: Input, tools: Tools, now: Decision, ask: Ask): readonly Flip[] {
  const { walk } = approach(input, tools)
  return input.program.gates.flatMap(gate => {
    if (gate.initial === undefined) return []
    const memory = walk.memories.of(gate)
    const state: GateState = memory.state === 'open' ? 'closed' : 'open'
    const memories = walk.memories.copy()
    memories.set(gate, { ...memory, state })
    const decision = ask({ session: { ...input.session, ...memories.written() } })
    if (decision === now) return []
    const ways = gate.transitions.filter(one => one.to === state && one.from.includes(memory.state))
    return [
      {
        by: 'state' as const,
        decision,
        says: stateText(
          gate,
          state,
          ways.map(one => wayOf(one, input.facts.root)),
          decision,
        ),
      },
    ]
  })
}

function stateText({ name, opens }: Gate, state: GateState, ways: readonly string[], decision: Decision): string {
  const verb = state === 'open' ? 'opens' : 'closes'
  if (ways.length === 0) {
    const who = state === 'open' && opens === 'human' ? 'only a person opens it' : `nothing ${verb} it`
    return `while ${name} is ${state} ${wouldBe(decision)}; ${who}`
  }
  return `${ways.join(', or ')} ${verb} ${name}: then ${wouldBe(decision)}`
}

function byCaller(input: Input, now: Decision, ask: Ask): readonly Flip[] {
  const { event } = input
  const named = [...new Set(input.program.gates.flatMap(callersOf))].filter(name => !KINDS.has(name))
  const callers: readonly Caller[] = [
    { kind: 'main' },
    ...named.map((type): Caller => ({ kind: 'agent', id: type, type })),
    { kind: 'agent', id: 'an-agent' },
  ]
  const found = callers
    .filter(one => callerLabel(one) !== callerLabel(event.caller))
    .map(caller => ({ caller, decision: ask({ event: { ...event, caller } }) }))
    .filter(({ decision }) => decision !== now)
  // any agent: no need to name them one by one
  const any = found.find(({ caller }) => caller.kind === 'agent' && caller.type === undefined)
  const told = any
    ? found.filter(
        ({ caller, decision }) => caller.kind === 'main' || caller === any.caller || decision !== any.decision,
      )
    : found
  return told.map(({ caller, decision }) => ({
    by: 'caller',
    decision,
    says: `${callerWords(caller)} ${wouldBe(decision)}`,
  }))
}

const KINDS: ReadonlySet<string> = new Set(['main', 'agent', 'unknown'])

const callerWords = (caller: Caller): string => {
  if (caller.kind !== 'agent') return 'done by the main agent'
  return caller.type === undefined ? 'done by any agent' : `done by the agent \`${caller.type}\``
}

/** Every name a gate's conditions ask a caller for. */
const callersOf = ({ rules, transitions }: Gate): readonly string[] =>
  [
    ...rules.flatMap(({ when, unless }) => (unless ? [when, unless] : [when])),
    ...transitions.map(one => one.when),
  ].flatMap(namesIn)

function namesIn(condition: Condition): readonly string[] {
  if ('all' in condition) return condition.all.flatMap(namesIn)
  if ('any' in condition) return condition.any.flatMap(namesIn)
  if ('not' in condition) return namesIn(condition.not)
  return condition.key === 'caller' ? condition.in.filter(name => !name.includes('{')) : []
}

const MOST_ACTS = 40
const MOST_WORDS = 40

/** Only for what is stopped: the acts it has to do without; of a single command the one word. */
function byCommand(input: Input, now: Decision, ask: Ask, turning: Turning): readonly Flip[] {
  const { event } = input
  const acts = event.call?.acts ?? []
  if (!event.call || now === 'pass' || now === 'allow') return []
  const only = (kept: readonly Act[]): Decision =>
    ask({ event: { ...event, call: { ...event.call, acts: kept } } as Event })
  if (acts.length > 1 && acts.length <= MOST_ACTS) {
    const guilty = acts.filter(act => !laxer(only([act]), now))
    const rest = acts.filter(act => !guilty.includes(act))
    // what a command touches is no command without it
    const isLine = rest.some(act => act.action === 'run') || !guilty.some(act => act.action === 'run')
    const decision = rest.length > 0 && guilty.length > 0 && isLine ? only(rest) : now
    if (laxer(decision, now))
      return [
        {
          by: 'command',
          decision,
          says: `without ${guilty.map(act => actText(act).replace(/^run /, '')).join(' and ')} ${wouldBe(decision)}`,
        },
      ]
  }
  return byWord(acts, now, ask, turning)
}

function byWord(acts: readonly Act[], now: Decision, ask: Ask, { retyped }: Turning): readonly Flip[] {
  const words = acts.find(act => act.words)?.words ?? []
  if (!retyped || words.length < 2 || words.length > MOST_WORDS || words.some(word => word.text === null)) return []
  const sub = words.findIndex((word, at) => at > 0 && word.role === 'plain')
  for (const [left, word] of words.entries()) {
    // without its program or what that is to do, it is another command
    if (left === 0 || left === sub || word.role === 'value') continue
    const isLost = (at: number) =>
      at === left || (word.role === 'option' && at === left + 1 && words[at]?.role === 'value')
    const line = asTyped(words.filter((_, at) => !isLost(at)))
    const event = retyped(line)
    const decision = event ? ask({ event }) : now
    if (laxer(decision, now))
      return [{ by: 'command', decision, says: `as \`${line}\`, without \`${word.text}\`, ${wouldBe(decision)}` }]
  }
  return []
}
