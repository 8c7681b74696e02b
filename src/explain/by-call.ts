import {
  type Act,
  type Caller,
  callerLabel,
  type Decision,
  type Event,
  evaluate,
  type Gate,
  type Input,
  type Tools,
} from '../core/index.ts'
import { asTyped, type Condition } from '../pattern/index.ts'
import { byLine } from './by-line.ts'
import { actText } from './got.ts'
import { laxer } from './laxer.ts'
import { type Option, type Turning, wouldBe } from './turning.ts'

export function byCaller(input: Input, tools: Tools, turning: Turning): readonly Option[] {
  const { event } = input
  if (!event.call) return []
  const now = evaluate(input, tools).outcome.decision
  const named = [...new Set(input.program.gates.flatMap(callersOf))].filter(name => !KINDS.has(name))
  const callers: readonly Caller[] = [
    { kind: 'main' },
    ...named.map((type): Caller => ({ kind: 'agent', id: type, type })),
    ANYBODY,
  ]
  const found = callers
    .filter(one => callerLabel(one) !== callerLabel(event.caller))
    .flatMap(caller => {
      const asked = turning.as(caller, input)
      return asked ? [{ caller, decision: evaluate(asked, tools).outcome.decision }] : []
    })
    .filter(({ decision }) => decision !== now)
  // any agent: no need to name them one by one
  const any = found.find(({ caller }) => caller === ANYBODY)
  const isAny = named.every(
    name =>
      callerLabel(event.caller) === name ||
      found.some(one => nameOf(one.caller) === name && one.decision === any?.decision),
  )
  const told = any
    ? found.filter(
        ({ caller, decision }) => caller.kind === 'main' || caller === any.caller || decision !== any.decision,
      )
    : found
  return told.map(({ caller, decision }) => {
    const change = callerWords(caller, isAny)
    return { by: 'caller', decision, caller, change, says: `${change} ${wouldBe(decision)}` }
  })
}

/** Whom no policy names. */
const ANYBODY: Caller = { kind: 'agent', id: 'an-agent', type: 'an-agent' }

const KINDS: ReadonlySet<string> = new Set(['main', 'agent', 'unknown'])

const nameOf = (caller: Caller): string | undefined => (caller.kind === 'agent' ? caller.type : undefined)

const callerWords = (caller: Caller, isAny: boolean): string => {
  if (caller.kind !== 'agent') return 'done by the main agent'
  if (caller !== ANYBODY) return `done by the agent \`${caller.type}\``
  return isAny ? 'done by any agent' : 'done by an agent that the policy does not name'
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

/** Only for what is stopped: the acts it has to do without; of a single command the one word. */
export function byCommand(input: Input, tools: Tools, turning: Turning): readonly Option[] {
  const { event } = input
  const now = evaluate(input, tools).outcome.decision
  const acts = event.call?.acts ?? []
  if (!event.call || now === 'pass' || now === 'allow') return []
  const ask = (changed: Event): Decision => evaluate({ ...input, event: changed }, tools).outcome.decision
  const keeping = (kept: readonly Act[]): Event => ({ ...event, call: { ...event.call, acts: kept } }) as Event
  if (acts.length > 1 && acts.length <= MOST_ACTS) {
    const guilty = acts.filter(act => !laxer(ask(keeping([act])), now))
    const rest = acts.filter(act => !guilty.includes(act))
    // what a command touches is no command without it
    const isLine = rest.some(act => act.action === 'run') || !guilty.some(act => act.action === 'run')
    const changed = keeping(rest)
    const decision = rest.length > 0 && guilty.length > 0 && isLine ? ask(changed) : now
    const change = `without ${guilty.map(act => actText(act).replace(/^run /, '')).join(' and ')}`
    if (laxer(decision, now) && !isWhole(guilty, event) && !guilty.some(act => isOwn(act, rest)))
      return [{ by: 'command', decision, event: changed, change, says: `${change} ${wouldBe(decision)}` }]
  }
  return byLine(event, now, ask, turning)
}

/** What a command does by itself cannot be left out of it; what it is redirected to can. */
const isOwn = ({ action, via = '' }: Act, rest: readonly Act[]): boolean =>
  action !== 'run' && via !== '' && !/[<>]/.test(via) && rest.some(one => one.action === 'run' && one.via === via)

/** A line that is left out whole is no other line, though it runs something that would pass by itself. */
function isWhole(guilty: readonly Act[], { call }: Event): boolean {
  const line = call?.input.command
  return guilty.some(({ words }) => words && typeof line === 'string' && asTyped(words) === line.trim())
}
