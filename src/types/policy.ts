/** Public types of `signalbox/testing` and `signalbox/policy`. Written by hand, independent of the names inside Signalbox. */

import type { ClientId, PolicyEvent } from './event.ts'
import type { CodeGate, Decision, GateState } from './gate.ts'

/** One rule that matched an event. */
export interface RuleMatch {
  readonly gate: string
  readonly rule: string
  /** What the rule says. */
  readonly decision: 'deny' | 'ask' | 'allow' | 'warn'
  /** The effect it had: `none` if the gate is in mode `observe` or bypassed. */
  readonly effect: 'deny' | 'ask' | 'allow' | 'warn' | 'none'
  /** The rule's condition could not be determined; `says` is its `unsure`. */
  readonly isUnsure: boolean
}

/** A gate that changed its state. */
export interface GateMove {
  readonly gate: string
  readonly from: GateState
  readonly to: GateState
}

/**
 * The answer to one event.
 *
 * @example
 * const { decision, gate, reason } = p.event({ shell: 'git push' })
 */
export interface Outcome {
  /** The merged decision of all gates. `pass`: no gate objects. */
  readonly decision: Decision
  /** Why; empty with `pass`. */
  readonly reason: string
  /** Text for the agent beside the decision: warnings, and what rules and transitions add. */
  readonly context: string
  /** Text for the person. */
  readonly message: string
  /** The gate that decided; absent with `pass`. */
  readonly gate?: string
  /** The rule that decided; absent with `pass`. */
  readonly rule?: string
  /** The event passes, and at least one rule warns. */
  readonly hasWarning: boolean
  /** Every rule that matched, including the rules of gates that only observe. */
  readonly matches: readonly RuleMatch[]
  /** The gates that this event opened or closed. */
  readonly moves: readonly GateMove[]
  /** The state of every gate after the event, as the main agent sees it. */
  readonly gates: Readonly<Record<string, GateState>>
  /** What the agent does not report, and what failed during the evaluation. */
  readonly notes: readonly string[]
}

/**
 * Where a policy's paths start and what it is called in messages.
 *
 * @example
 * compile(text, { folder: '/home/me/shop', file: 'signalbox.yaml' })
 */
export interface CompileOptions {
  /** The project's folder. Default: the current folder, or the policy file's folder. */
  readonly folder?: string
  /** Name of the policy in messages. Default: `signalbox.yaml`. */
  readonly file?: string
}

/**
 * The circumstances under which events are evaluated.
 *
 * @example
 * evaluate(compiled, 'git push', { client: 'codex-cli', given: { tests: 'open' }, env: { CI: 'true' } })
 */
export interface EvaluateOptions {
  /** The agent that sends the events. Default: `claude-code`, which reports everything. */
  readonly client?: ClientId
  /** The states that gates begin in: `{ tests: 'open' }`, or `'tests@builder'` for one agent of a gate with `scope: agent`. */
  readonly given?: Readonly<Record<string, GateState>>
  /** Environment variables of the hook. No others are set. */
  readonly env?: Readonly<Record<string, string>>
  /** The modules of gates in code, by the name of the gate. They run in this process. */
  readonly code?: Readonly<Record<string, CodeGate>>
}

/**
 * Options of `policy` and `policyFile`.
 *
 * @example
 * policyFile('signalbox.yaml', { client: 'gemini-cli', given: { tests: 'open' } })
 */
export interface PolicyOptions extends CompileOptions, EvaluateOptions {}

/**
 * A policy with one or more sessions in memory. It keeps its state between events.
 *
 * @example
 * p.event({ shell: 'npm test', after: 'succeeded' })
 * p.gates() // { 'push-needs-tests': 'open' }
 */
export interface PolicyUnderTest {
  /** Evaluates the next event. A text is a shell line. Throws a `TypeError` if it is not an event. */
  event(event: PolicyEvent | string): Outcome
  /** The states of the gates now, for the main agent or for the subagent that you name. Gates without a state are left out. */
  gates(agent?: string): Readonly<Record<string, GateState>>
  /** Forgets every event: new sessions, gates in their first states. */
  reset(): void
}

/**
 * Something wrong with a policy, at its place.
 *
 * @example
 * // { severity: 'error', file: 'signalbox.yaml', line: 3, column: 5,
 * //   message: 'unknown key `rulez` in gate tests', help: 'did you mean `rules`?', … }
 */
export interface Diagnostic {
  /** A policy with an error does not load. */
  readonly severity: 'error' | 'warning'
  /** Relative to the project's folder if the file is in it, otherwise absolute. */
  readonly file: string
  /** The first line is 1. */
  readonly line: number
  /** The first column is 1. */
  readonly column: number
  /** How many characters the diagnostic covers. */
  readonly length?: number
  readonly message: string
  /** A suggestion what to try. */
  readonly help?: string
  /** The line as it was written. */
  readonly excerpt?: string
  /** Words that are possible at this place. */
  readonly candidates?: readonly string[]
  /** The agent, if the diagnostic concerns only one. */
  readonly client?: ClientId
}

/** A gate of a compiled policy. */
export interface GateInfo {
  readonly name: string
  readonly mode: 'observe' | 'warn' | 'block'
  /** The state it begins in; absent: it has no state. */
  readonly initial?: GateState
  readonly scope: 'session' | 'agent' | 'project'
  /** Ids of its rules. */
  readonly rules: readonly string[]
  /** It is written in code. */
  readonly isCode: boolean
}

/**
 * A policy that loads. Pass it to `evaluate` and `check`.
 *
 * @example
 * const compilation = compile(text)
 * if (compilation.ok) evaluate(compilation.policy, 'git push')
 */
export interface CompiledPolicy {
  /** The policy's own gates and those of its packs, without the built-in ones. */
  readonly gates: readonly GateInfo[]
}

/** What `compile` returns. Warnings come with a policy that loads, too. */
export type Compilation =
  | { readonly ok: true; readonly policy: CompiledPolicy; readonly diagnostics: readonly Diagnostic[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }

/** Options of `check`. */
export interface CheckOptions {
  /** Only what these agents can do counts. Default: all of them. */
  readonly clients?: readonly ClientId[]
}

/**
 * Something that `check` found.
 *
 * @example
 * // play the way into the deadlock
 * const { client, events } = finding.counterexample ?? { events: [] }
 * const p = policy(text, client ? { client } : {})
 * for (const event of events) p.event(event)
 */
export interface Finding {
  /** `deadlock`: a gate that cannot be opened; `cannot-end`: a turn that cannot end; the others are faults that no agent gets stuck in. */
  readonly kind: 'deadlock' | 'cannot-end' | 'misleading' | 'unreachable' | 'shadowed' | 'no-guidance'
  /** What happens, in one sentence. */
  readonly message: string
  /** Why it happens. */
  readonly why: string
  /** The gate it is about. */
  readonly gate?: string
  /** The agents it happens with; empty: with all that were checked. */
  readonly clients: readonly ClientId[]
  /** Why it is not certain. Only in `inconclusive`. */
  readonly inconclusiveReason?: string
  /** Changes that solve it, each with its place (`signalbox.yaml:9`). */
  readonly fixes: readonly { readonly at: string; readonly advice: string }[]
  /** The shortest way there, as events of a policy test. Absent where it cannot be written as events. */
  readonly counterexample?: { readonly client: ClientId; readonly events: readonly PolicyEvent[] }
}

/**
 * Whether an agent can get stuck.
 *
 * @example
 * const { isProven, findings } = check(compiled)
 * for (const { message, why, fixes } of findings) console.error(message, why, fixes[0]?.advice)
 */
export interface CheckResult {
  /** Nothing was found, and nothing is left open: no agent gets stuck. */
  readonly isProven: boolean
  readonly findings: readonly Finding[]
  /** What may be wrong and could not be decided. */
  readonly inconclusive: readonly Finding[]
  /** What could not be examined, for example gates in code. */
  readonly unchecked: readonly string[]
  readonly notes: readonly string[]
  /** How many states were examined. */
  readonly states: number
}
