import {
  type Action,
  type Caller,
  type Condition,
  callerLabel,
  type Decision,
  type Event,
  type Gate,
  leavesOf,
  toCommandLine,
} from '../../../engine/index.ts'
import { actionText } from '../actual-value.ts'
import { findCounterfactualsByLine } from './by-line.ts'
import {
  ASK_NOTE,
  type CounterfactualCandidate,
  type CounterfactualTools,
  describeDecision,
  type EventAtPoint,
} from './counterfactual.ts'
import { isLessStrict } from './less-strict.ts'

export function findCounterfactualsByCaller(
  point: EventAtPoint,
  tools: CounterfactualTools,
): readonly CounterfactualCandidate[] {
  const { simulator, event } = point
  if (!event.call) return []
  const now = simulator.preview(event).outcome.decision
  const named = [...new Set(simulator.program.gates.flatMap(callerNamesOf))].filter(name => !CALLER_KINDS.has(name))
  const callers: readonly Caller[] = [
    { kind: 'main' },
    ...named.map((type): Caller => ({ kind: 'agent', id: type, type })),
    UNNAMED_AGENT,
  ]
  const found = callers
    .filter(caller => callerLabel(caller) !== callerLabel(event.caller))
    .flatMap(caller => {
      const asked = tools.as(caller, point)
      if (!asked) return []
      const { decision } = asked.simulator.preview(asked.event).outcome
      return [{ caller, isAsked: asked.isAsked === true, decision }]
    })
    .filter(({ decision }) => decision !== now)
  // If an unnamed agent gets the same decision, named agents with that decision are not listed one by one.
  const any = found.find(({ caller }) => caller === UNNAMED_AGENT)
  const isAny = named.every(
    name =>
      callerLabel(event.caller) === name ||
      found.some(candidate => agentTypeOf(candidate.caller) === name && candidate.decision === any?.decision),
  )
  const different = any
    ? found.filter(
        ({ caller, decision }) => caller.kind === 'main' || caller === any.caller || decision !== any.decision,
      )
    : found
  return different.map(({ caller, decision, isAsked }) => {
    const change = `${describeCaller(caller, isAny, event.caller)}${isAsked ? ASK_NOTE : ''}`
    return { by: 'caller', decision, caller, change, text: `${change} ${describeDecision(decision)}` }
  })
}

/** Stands for an agent that no policy names. */
const UNNAMED_AGENT: Caller = { kind: 'agent', id: 'an-agent', type: 'an-agent' }

const CALLER_KINDS: ReadonlySet<string> = new Set(['main', 'agent', 'unknown'])

const agentTypeOf = (caller: Caller): string | undefined => (caller.kind === 'agent' ? caller.type : undefined)

const describeCaller = (caller: Caller, isAny: boolean, now: Caller): string => {
  if (caller.kind !== 'agent') return 'done by the main agent'
  if (caller !== UNNAMED_AGENT) return `done by the agent \`${caller.type}\``
  if (isAny && now.kind === 'agent') return 'done by any other agent'
  return isAny ? 'done by any agent' : 'done by an agent that the policy does not name'
}

/** All agents that the gate's conditions name, as callers or as those that are spawned. */
const callerNamesOf = ({ rules, transitions }: Gate): readonly string[] =>
  [
    ...rules.flatMap(({ when, unless }) => (unless ? [when, unless] : [when])),
    ...transitions.map(transition => transition.when),
  ].flatMap(callerNamesIn)

/** An agent that only a condition on spawns names may be the only one that can be spawned. */
const callerNamesIn = (condition: Condition): readonly string[] =>
  leavesOf(condition).flatMap(leaf =>
    leaf.key === 'caller' || leaf.key === 'agent' ? leaf.in.filter(name => !name.includes('{')) : [],
  )

const MAX_ACTIONS = 40

/** For events that are stopped: which actions of the call to leave out, else which single word of the line. */
export function findCounterfactualsByCommand(
  point: EventAtPoint,
  tools: CounterfactualTools,
): readonly CounterfactualCandidate[] {
  const { simulator, event } = point
  const now = simulator.preview(event).outcome.decision
  const actions = event.call?.acts ?? []
  if (!event.call || now === 'pass' || now === 'allow') return []
  const ask = (changed: Event): Decision => simulator.preview(changed).outcome.decision
  const withOnly = (acts: readonly Action[]): Event => ({ ...event, call: { ...event.call, acts } }) as Event
  if (actions.length > 1 && actions.length <= MAX_ACTIONS) {
    const guilty = actions.filter(action => !isLessStrict(ask(withOnly([action])), now))
    const rest = actions.filter(action => !guilty.includes(action))
    // File effects cannot remain without the command that causes them.
    const isLine = rest.some(action => action.action === 'run') || !guilty.some(action => action.action === 'run')
    const changed = withOnly(rest)
    const decision = rest.length > 0 && guilty.length > 0 && isLine ? ask(changed) : now
    const change = `without ${guilty.map(action => actionText(action).replace(/^run /, '')).join(' and ')}`
    if (isLessStrict(decision, now) && !isWholeLine(guilty, event) && !guilty.some(action => isOwnEffect(action, rest)))
      return [{ by: 'command', decision, event: changed, change, text: `${change} ${describeDecision(decision)}` }]
  }
  return findCounterfactualsByLine(event, now, ask, tools)
}

/** An effect of the command itself cannot be left out while the command stays; a redirection can. */
const isOwnEffect = ({ action, via = '' }: Action, rest: readonly Action[]): boolean =>
  action !== 'run' &&
  via !== '' &&
  !/[<>]/.test(via) &&
  rest.some(candidate => candidate.action === 'run' && candidate.via === via)

/** Leaving out the whole line is no alternative, even if a command inside it would pass. */
function isWholeLine(guilty: readonly Action[], { call }: Event): boolean {
  const line = call?.input.command
  return guilty.some(({ words }) => words && typeof line === 'string' && toCommandLine(words) === line.trim())
}
