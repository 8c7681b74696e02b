import { fieldText } from '../../lib/json.ts'
import { matchAllowLists } from '../match/allow-list.ts'
import { matchCommands } from '../match/command.ts'
import { matchWords } from '../match/command-words.ts'
import { countSince } from '../match/counter.ts'
import { matchFile } from '../match/file-state.ts'
import { matchPathRef, reachOf } from '../match/path-ref.ts'
import { matchOthers, prefilterCondition } from '../match/prefilter.ts'
import { fillTemplate, matchFields, matchText, type Regex } from '../match/text.ts'
import { everyTruth, negate, type Quantifier, someTruth, type Truth, truthOf } from '../match/three-valued.ts'
import { matchesToolName } from '../match/tool-name.ts'
import { findUrlMatch } from '../match/url.ts'
import { matchWrittenText } from '../match/written-text.ts'
import type { AllowListCondition, Condition, SinceCondition } from '../model/condition.ts'
import type { Action, Event, Facts } from '../model/event.ts'
import type { Gate, Program } from '../model/gate.ts'
import type { GateVariables } from '../model/session.ts'
import { agentName, isAgentType, isSameAgent } from '../model/session.ts'
import type { GateState } from '../model/vocabulary.ts'

/** What a condition is matched against besides the action: event, facts, and the gates at this point of the evaluation. */
export interface MatchContext {
  readonly event: Event
  readonly program: Program
  readonly facts: Facts
  readonly regex: Regex
  readonly turn: number
  /** variables of the gate that the condition belongs to */
  readonly own?: GateVariables
  state(gate: string): GateState | undefined
  /** `layer/gate.name.field` as text */
  captured(path: string): string | undefined
  /** fills a value that is a template */
  fill(value: string): string
}

export type EventContext = Pick<MatchContext, 'event' | 'program' | 'facts' | 'regex' | 'turn'>

/** The match context for a condition of this gate. `memoryOf` supplies the variables of each gate. */
export function matchContextOf(gate: Gate, world: EventContext, memoryOf: (gate: Gate) => GateVariables): MatchContext {
  const captured = (path: string): string | undefined => {
    const found = world.program.gates.find(one => path.startsWith(`${one.id}.`))
    if (!found) return undefined
    return fieldText(memoryOf(found).captured, path.slice(found.id.length + 1))
  }
  const state = (id: string): GateState | undefined => {
    const found = world.program.gates.find(one => one.id === id)
    return found && memoryOf(found).state
  }
  const filled = (value: string): string =>
    value.includes('{') ? fillTemplate(value, name => captured(name) ?? captured(`${gate.layer}/${name}`) ?? '') : value
  const { event, program, facts, regex, turn } = world
  return { event, program, facts, regex, turn, own: memoryOf(gate), state, captured, fill: filled }
}

const ONE_EMPTY_ACT: readonly Action[] = [{ action: 'other' }]

/** An event without actions gets one empty action. */
export const actionsOf = ({ call }: Event): readonly Action[] =>
  call && call.acts.length > 0 ? call.acts : ONE_EMPTY_ACT

/** `matchCondition` with a cached, shortened condition, for conditions that are matched against many actions. */
export const matchPrefiltered = (
  condition: Condition,
  act: Action,
  context: MatchContext,
  reading: Quantifier,
): Truth => matchCondition(prefilterCondition(condition, act, context.event), act, context, reading)

/** Whether the event is one operation of the gate, if it is permitted: what matches `counts`, else each call. */
export function isOperation({ counts, initial }: Gate, event: Event, contextOf: () => MatchContext): boolean {
  if (initial === undefined || !counts) return initial !== undefined && event.kind === 'tool.before'
  const context = contextOf()
  return actionsOf(context.event).some(act => matchPrefiltered(counts, act, context, 'any') === 'true')
}

/** Does this action satisfy the condition? For an opaque action the keys in `ABOUT` are unknown; `input` is unknown only under `all`. */
export function matchCondition(condition: Condition, act: Action, context: MatchContext, reading: Quantifier): Truth {
  if ('all' in condition) return everyTruth(condition.all, one => matchCondition(one, act, context, reading))
  if ('any' in condition) return someTruth(condition.any, one => matchCondition(one, act, context, reading))
  if ('not' in condition) return negate(matchCondition(condition.not, act, context, reading === 'any' ? 'all' : 'any'))
  const { event, facts } = context
  if ('with' in condition)
    return matchOthers(act, actionsOf(event), [condition.with, context, reading], matchPrefiltered)
  if (act.opaque && (ABOUT.has(condition.key) || (condition.key === 'input' && reading === 'all'))) return 'unknown'
  switch (condition.key) {
    case 'event':
      return truthOf(condition.in.includes(event.kind))
    case 'caller':
      return matchCaller(condition.in.map(context.fill), event)
    case 'tool':
      return truthOf(condition.in.some(name => isTool(context.fill(name), event)))
    case 'action':
      return truthOf(event.call !== undefined && condition.in.includes(act.action))
    case 'command':
    case 'words': {
      const command = condition.maker ? (act.by ?? act) : act
      if (!command.words) return 'false'
      if (condition.key === 'words') return matchWords(condition.in, command.words, context, reading)
      return matchCommands(condition.in, { ...command, words: command.words }, { reading, fill: context.fill })
    }
    case 'path':
      return act.place
        ? matchPathRef(condition.in, act.place, { ...reachOf(act.action, facts), reading, fill: context.fill })
        : 'false'
    case 'file':
      return matchFile(condition.in, act, actionsOf(event), facts)
    case 'url':
      return act.url === null
        ? 'unknown'
        : truthOf(act.url !== undefined && findUrlMatch(condition.in, act.url, context.regex) !== null)
    case 'agent':
      return truthOf(condition.in.some(name => isSameAgent(context.fill(name), act.agent ?? event.agent)))
    case 'prompt':
      return event.prompt ? matchText(condition.in, event.prompt.text, context) : 'false'
    case 'text':
      return matchWrittenText(condition.in, act, event.call?.input, context)
    case 'source':
      return truthOf(event.prompt !== undefined && condition.in.includes(event.prompt.source))
    case 'input':
      return matchFields(condition.fields, field => fieldText(event.call?.input, field), context)
    case 'succeeded':
      return matchSucceeded(condition.in, act, event, reading)
    case 'env':
      return matchFields(condition.fields, name => facts.env[name], context)
    case 'assigns':
      return matchFields(condition.fields, name => act.assigns?.[name], context)
    case 'gate':
      return truthOf(condition.states.every(({ gate, state }) => state.some(one => one === context.state(gate))))
    case 'captured':
      return matchFields(condition.fields, context.captured, context)
    case 'since':
      return truthOf(condition.counters.every(since => hasPassed(since, context)))
    case 'whitelisted':
      return condition.is ? clears(condition, act, context) : negate(clears(condition, act, context))
    case 'approved':
      return truthOf((facts.approved ?? false) === condition.is)
  }
}

const ABOUT: ReadonlySet<string> = new Set(
  'action command words path file url text agent succeeded assigns whitelisted'.split(' '),
)

function matchCaller(wanted: readonly string[], { caller }: Event): Truth {
  if (wanted.includes(caller.kind)) return 'true'
  if (caller.kind !== 'unknown' && caller.type) return truthOf(wanted.includes(agentName(caller.type)))
  return caller.kind === 'main' || (caller.kind === 'agent' && !wanted.some(isAgentType)) ? 'false' : 'unknown'
}

const isTool = (name: string, { call }: Event): boolean =>
  call !== undefined &&
  (matchesToolName(name, call.tool) || (call.native !== undefined && matchesToolName(name, call.native)))

/** Listing `unknown` accepts clients that report no status. It opens nothing for a command the line does not imply: `npm test | tail`. */
function matchSucceeded(wanted: readonly Truth[], act: Action, event: Event, reading: Quantifier): Truth {
  if (event.kind !== 'tool.after' && event.kind !== 'tool.failed') return 'false'
  const known = succeeded(event, act)
  const leftOpen = act.action === 'run' && (!act.implied || act.elsewhere)
  if (wanted.includes(known) && !(known === 'unknown' && leftOpen && reading === 'all')) return 'true'
  return known === 'unknown' ? 'unknown' : 'false'
}

/** A successful line proves the success of the commands it implies. A failed line proves only that its deciding command failed. */
function succeeded({ call }: Event, { action, implied, decides, elsewhere, ended = call?.status }: Action): Truth {
  if (ended === 'succeeded' && (action !== 'run' || (implied && !elsewhere))) return 'true'
  if (ended === 'failed' && (decides || action !== 'run')) return 'false'
  return 'unknown'
}

const hasPassed = (since: SinceCondition, { own, turn, facts }: MatchContext): boolean =>
  (countSince(since, own, { turn, now: facts.now }) ?? -1) >= since.atLeast

const clears = ({ layers }: AllowListCondition, act: Action, context: MatchContext): Truth =>
  matchAllowLists(context.program.allow, layers, act, context)
