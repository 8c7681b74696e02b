import { toCommandLine } from '../match/command.ts'
import type { Action } from '../model/action.ts'
import { callerLabel } from '../model/caller.ts'
import { subHookProblems } from '../model/facts.ts'
import type { Mode, RuleDecision } from '../model/gate.ts'
import type { Decision } from '../model/verdict.ts'
import type { EventKind, GateState } from '../model/vocabulary.ts'
import type { Commit } from './commit.ts'
import { type Evaluation, gateFailureText } from './evaluation.ts'
import type { RuleEffect } from './rule-effect.ts'

/** One rule, route or sub-hook that matched, and its effect. */
export interface RecordedMatch {
  /** for a sub-hook: `hook:layer/n` */
  readonly gate: string
  readonly rule: string
  readonly says: RuleDecision
  /** `none`: the gate only observes, or is bypassed */
  readonly effect: RuleDecision | 'none'
  readonly mode: Mode
  readonly unsure?: boolean | undefined
  readonly bypassed?: boolean | undefined
}

/** One record of the audit log: the event, the decision, the deciding gate and rule, and the gate moves. */
export interface EventRecord {
  readonly at: number
  readonly client: string
  readonly session: string
  readonly event: EventKind
  /** the client's own event name */
  readonly name: string
  readonly caller: string
  readonly turn: number
  readonly tool?: string | undefined
  readonly acts: readonly string[]
  readonly decision: Decision
  /** the text of the decision */
  readonly reason?: string | undefined
  /** the deciding gate and rule */
  readonly gate?: string | undefined
  readonly rule?: string | undefined
  readonly matches: readonly RecordedMatch[]
  readonly moves: readonly { readonly gate: string; readonly from: GateState; readonly to: GateState }[]
  readonly notes: readonly string[]
  readonly errors: readonly string[]
  /** hash of the program that decided */
  readonly policy: string
}

export function makeEventRecord(
  walk: Evaluation,
  voices: readonly RuleEffect[],
  { outcome, moved, notes }: Commit,
): EventRecord {
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
    errors: [...errors.map(gateFailureText), ...subHookProblems(facts)],
    policy: program.hash,
  }
}

/** An action in short form. Code that stores it must redact secrets before it cuts the text. */
function shortAct({ action, words, place, url, agent, opaque, via = '' }: Action): string {
  const command = words && toCommandLine(words)
  const object = command ?? (place ? (place.lexical ?? '…') : (url ?? agent ?? ''))
  return opaque ? `unreadable ${via}` : `${action} ${object}`.trimEnd()
}
