import { asTyped, type EventKind, type GateState } from '../pattern/index.ts'
import type { Act } from './act.ts'
import { callerLabel } from './caller.ts'
import { problemsOf } from './facts.ts'
import type { Mode, RuleDecision } from './gate.ts'
import type { Remembered } from './remember.ts'
import type { Decision } from './verdict.ts'
import type { Voice } from './voice.ts'
import { failureOf, type Walk } from './walk.ts'

/** One rule, route or sub-hook that spoke, and what came of it. */
export interface Match {
  /** of a sub-hook `hook:layer/n` */
  readonly gate: string
  readonly rule: string
  readonly says: RuleDecision
  /** `none`: the gate only observes, or is bypassed */
  readonly effect: RuleDecision | 'none'
  readonly mode: Mode
  readonly unsure?: boolean | undefined
  readonly bypassed?: boolean | undefined
}

/** One line of the audit trail: what happened, what was decided, by which gate and rule, and what it changed. */
export interface Record {
  readonly at: number
  readonly client: string
  readonly session: string
  readonly event: EventKind
  /** the client's own name of the event */
  readonly name: string
  readonly caller: string
  readonly turn: number
  readonly tool?: string | undefined
  readonly acts: readonly string[]
  readonly decision: Decision
  /** the words that went with the decision */
  readonly reason?: string | undefined
  /** the deciding gate and rule */
  readonly gate?: string | undefined
  readonly rule?: string | undefined
  readonly matches: readonly Match[]
  readonly moves: readonly { readonly gate: string; readonly from: GateState; readonly to: GateState }[]
  readonly notes: readonly string[]
  readonly errors: readonly string[]
  /** hash of the program that decided */
  readonly policy: string
}

export function makeRecord(walk: Walk, voices: readonly Voice[], { outcome, moved, notes }: Remembered): Record {
  const { event, facts, program, errors, turn } = walk
  const { decision, reason } = outcome
  const said = (one: Decision) => voices.find(({ verdict }) => verdict.decision === one)
  const decided = decision === 'pass' ? undefined : (said(decision) ?? said('ask'))
  return {
    at: facts.now,
    client: event.client,
    session: event.session,
    event: event.kind,
    name: event.name,
    caller: callerLabel(event.caller),
    turn,
    tool: event.call?.tool,
    acts: (event.call?.acts ?? []).map(shortAct),
    decision,
    reason: reason || undefined,
    gate: decided?.match.gate,
    rule: decided?.match.rule,
    matches: voices.map(one => one.match),
    moves: moved.map(({ gate, from, to }) => ({ gate, from, to })),
    notes,
    errors: [...errors.map(failureOf), ...problemsOf(facts)],
    policy: program.hash,
  }
}

/** An act in short form; whoever keeps it hides its secrets and cuts it, in this order. */
function shortAct({ action, words, place, url, agent, opaque, via = '' }: Act): string {
  const command = words && asTyped(words)
  const object = command ?? (place ? (place.lexical ?? '…') : (url ?? agent ?? ''))
  return opaque ? `unreadable ${via}` : `${action} ${object}`.trimEnd()
}
