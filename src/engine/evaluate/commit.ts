import { toCommandLine } from '../match/command.ts'
import { knownFilesAfter } from '../match/file-state.ts'
import { type Action, callerKey, callerLabel, callKey, type Event, subHookProblems } from '../model/event.ts'
import type { ClientText, Gate } from '../model/gate.ts'
import type { GateMove, PendingEffects, QueuedText, Session } from '../model/session.ts'
import { nextAgentTurns } from '../model/session.ts'
import type { Decision, Outcome } from '../model/verdict.ts'
import type { EventKind, GateState, PromptSource } from '../model/vocabulary.ts'
import { isOperation } from './condition.ts'
import { type Evaluation, gateFailureText, matchContextFor, spawnsAfter } from './evaluation.ts'
import type { ProposedTransition } from './judge.ts'
import { CONTEXT_SEPARATOR, isStopEvent, joinDistinct } from './judge.ts'
import { type RecordedMatch, type RuleEffect, renderText } from './rule-effect.ts'
import { nextDenialTimes } from './throttle.ts'

/** Event kinds that a denial prevents. On any other kind a denial only delivers its text. */
const REFUSABLE: ReadonlySet<string> = new Set(
  'tool.before permission.request prompt.submit agent.stop turn.stop compact.before'.split(' '),
)

type Commit = ReturnType<typeof commitEvaluation>

/** Builds the next session: counters, gate moves, pending effects, queued texts. A denied event causes no transition. */
export function commitEvaluation(
  evaluation: Evaluation,
  proposals: readonly ProposedTransition[],
  judgements: readonly RuleEffect[],
  lowered: Outcome,
) {
  const { event, session, facts } = evaluation
  const refused = lowered.decision === 'deny' && REFUSABLE.has(event.kind)
  const isAsk = lowered.decision === 'ask' && REFUSABLE.has(event.kind)
  const { found, left } = takePendingEffects(session, event)
  if (!refused) countOperations(evaluation)
  for (const { gate, problem } of proposals) {
    if (problem !== undefined) evaluation.memories.set(gate, { ...evaluation.memories.of(gate), problem })
  }
  countFirings(evaluation, judgements)
  const caused = proposals
    .filter(proposal => proposal.problem === undefined)
    .map(proposal => gateMoveOf(proposal, evaluation))
  const moved = [...(found?.moves ?? []), ...(refused || isAsk ? [] : caused)].filter(move => applies(move, evaluation))

  const warnings = warningsOf(judgements)
  const late = event.kind === 'tool.before'
  const steps = [...evaluation.clocked, ...moved]
  const delivered = deliverTexts(evaluation, lowered, [...(found?.warnings ?? []), ...(late ? [] : warnings)], steps)
  const waiting = putPendingEffects(left, event, refused ? REFUSED : { warnings, moves: isAsk ? caused : [] })
  const news = [...evaluation.errors.map(gateFailureText), ...subHookProblems(facts)]
  const announced = news.length > 0 && [...new Set([...(session.notified ?? []), ...news])].slice(-32)
  const begun = refused ? session.begun : nextAgentTurns(event, session.begun, session.turn)
  const next: Session = Object.assign({}, session, evaluation.memories.written(), {
    seenAt: facts.now,
    waiting,
    queue: delivered.queue,
    denials: nextDenialTimes(session.denials, refused ? judgements : [], moved),
    stopsRefused: isStopEvent(event) ? (refused ? session.stopsRefused + 1 : 0) : session.stopsRefused,
    stopReason: event.kind !== 'turn.stop' ? session.stopReason : refused ? lowered.reason : '',
    spawns: spawnsAfter(evaluation, refused),
    ...(announced && { notified: announced }),
    ...(begun && { begun }),
    ...(evaluation.program.files?.known && knownFilesAfter(evaluation, refused)),
  })
  const rewrite = evaluation.capability.rewrites?.includes(lowered.decision) ? facts.rewrite : undefined
  return {
    outcome: rewrite ? { ...delivered.outcome, input: rewrite.input } : delivered.outcome,
    session: next,
    moved: steps,
    notes: [...(found?.refused ? ['ran although denied'] : []), ...(rewrite ? [`rewritten by ${rewrite.by}`] : [])],
  }
}
const REFUSED = { warnings: [], moves: [], refused: true }

/** Nobody reads more. */
const MOST_WARNINGS = 50

/** A call that nobody could read is one doubt: one sentence names it and the gates that could not judge it. */
function warningsOf(judgements: readonly RuleEffect[]): readonly string[] {
  const own = judgements.flatMap(judgement => judgement.warning ?? []).slice(0, MOST_WARNINGS)
  const unjudged = judgements.flatMap(judgement => judgement.unjudged ?? [])
  if (unjudged.length === 0) return own
  const gates = [...new Set(unjudged.map(({ gate }) => gate))].slice(0, MOST_WARNINGS).join(', ')
  const what = [...new Set(unjudged.flatMap(({ via }) => (via === '' ? [] : quoteCommand(via))))]
  const call = what.length === 1 ? `This call (${what[0]})` : 'This call'
  return [...own, `${call} could not be read for certain, so these gates could not judge it: ${gates}.`]
}

const LONGEST_QUOTE = 80

/** On one line, and in so many backticks that those of the command do not end it. */
function quoteCommand(via: string): string {
  const signs = [
    ...via
      .slice(0, 4 * LONGEST_QUOTE)
      .replace(/\s+/g, ' ')
      .trim(),
  ]
  const text = signs.length > LONGEST_QUOTE ? `${signs.slice(0, LONGEST_QUOTE - 1).join('')}…` : signs.join('')
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

/** Converts a transition to a move and renders its texts, with the captured value already in place. */
export function gateMoveOf({ gate, transition, captured }: ProposedTransition, evaluation: Evaluation): GateMove {
  const { message, context, to } = transition
  const { state: from } = evaluation.memories.of(gate)
  const move: GateMove = { gate: gate.id, from, to, message: '', context: '', ...(captured && { captured }) }
  if (gate.mode === 'observe' || (message === undefined && context === undefined)) return move
  const after = evaluation.memories.copy()
  after.apply(gate, move)
  const render = (text: ClientText | undefined) =>
    text === undefined ? '' : renderText(text, { gate }, matchContextFor(gate, evaluation, after))
  return { ...move, message: render(message), context: render(context) }
}

/** Applies a move. A pending move is stale, and is dropped, if its gate has left the state that the move starts from. */
function applies(move: GateMove, evaluation: Evaluation): boolean {
  const gate = gateOf(evaluation, move.gate)
  if (!gate || evaluation.memories.of(gate).state !== move.from) return false
  evaluation.memories.apply(gate, move)
  return true
}

const gateOf = (evaluation: Evaluation, id: string): Gate | undefined =>
  evaluation.program.gates.find(gate => gate.id === id)

function countOperations(evaluation: Evaluation): void {
  for (const gate of evaluation.program.gates) {
    if (!isOperation(gate, evaluation.event, () => matchContextFor(gate, evaluation))) continue
    const memory = evaluation.memories.of(gate)
    evaluation.memories.set(gate, { ...memory, operations: memory.operations + 1 })
  }
}

function countFirings(evaluation: Evaluation, judgements: readonly RuleEffect[]): void {
  for (const { match } of judgements) {
    const gate = gateOf(evaluation, match.gate)
    if (gate?.rules.find(rule => rule.id === match.rule)?.limit === undefined) continue
    const memory = evaluation.memories.of(gate)
    const fired = { ...memory.fired, [match.rule]: (memory.fired?.[match.rule] ?? 0) + 1 }
    evaluation.memories.set(gate, { ...memory, fired })
  }
}

const MOST_WAITING = 64
/** How many of the waiting entries may be refused calls. An agent makes no more calls than this at once. */
const MOST_REFUSED = 16

/** `found`: the effects that wait for the end of this call; `left`: the rest. */
function takePendingEffects(
  { waiting }: Session,
  event: Event,
): { found?: PendingEffects; left: readonly PendingEffects[] } {
  const key = event.kind === 'tool.after' || event.kind === 'tool.failed' ? callKey(event) : undefined
  const found = key === undefined ? undefined : waiting.find(one => one.call === key)
  return found ? { found, left: waiting.filter(one => one !== found) } : { left: waiting }
}

/** A warning is decided before the call and delivered after it. Transitions that an `ask` holds back wait for the same moment. */
export function putPendingEffects(
  left: readonly PendingEffects[],
  event: Event,
  what: Omit<PendingEffects, 'call'>,
): readonly PendingEffects[] {
  const call = event.kind === 'tool.before' ? callKey(event) : undefined
  if (call === undefined || (!what.refused && what.warnings.length === 0 && what.moves.length === 0)) return left
  const refused = what.refused ? left.filter(one => one.refused) : []
  const remaining = refused.length < MOST_REFUSED ? left : left.filter(one => one !== refused[0])
  return [...remaining, { call, ...what }].slice(-MOST_WAITING)
}

const MOST_QUEUED = 32

/** No client reports which agent spawned a subagent, so texts for the spawner go to the main agent. */
const SPAWNER = callerKey({ kind: 'main' })

/** Delivers each text now if this event can carry it; otherwise queues it for the recipient's next event that can. */
function deliverTexts(
  evaluation: Evaluation,
  outcome: Outcome,
  warnings: readonly string[],
  moved: readonly GateMove[],
) {
  const { event, capability, session, program } = evaluation
  const isSilent = outcome.context === '' && outcome.message === '' && warnings.length + moved.length === 0
  if (isSilent && session.queue.length === 0 && event.kind !== 'session.start') return { outcome, queue: session.queue }
  const own = callerKey(event.caller)
  const able = { agent: capability.context === true, person: capability.message === true }
  const notices = event.kind === 'session.start' ? program.notices.map(notice => `signalbox: ${notice}`) : []
  // texts caused by a stopping agent are for the agent that spawned it
  const stopping = event.kind === 'agent.stop'
  const queue = (audience: QueuedText['for'], to: string, text: string): QueuedText => ({ for: audience, to, text })
  const all = [
    ...session.queue,
    ...[outcome.context, ...notices, ...warnings].map(text =>
      queue('agent', stopping && !able.agent ? SPAWNER : own, text),
    ),
    ...[outcome.message, ...notices].map(text => queue('person', own, text)),
    ...moved.map(({ context }) => queue('agent', stopping ? SPAWNER : own, context)),
    ...moved.map(({ message }) => queue('person', stopping ? SPAWNER : own, message)),
  ].filter(({ text }) => text !== '')
  const isNow = (one: QueuedText): boolean => one.to === own && able[one.for]
  const texts = (audience: QueuedText['for']) =>
    all.filter(one => isNow(one) && one.for === audience).map(one => one.text)
  return {
    outcome: {
      ...outcome,
      context: joinDistinct(texts('agent'), CONTEXT_SEPARATOR),
      message: joinDistinct(texts('person'), '\n'),
    },
    queue: all.filter(one => !isNow(one)).slice(-MOST_QUEUED),
  }
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
  /** id of the acting subagent: the client's own, or one of ours where the caller was inferred; `caller` is its type */
  readonly agent?: string
  readonly turn: number
  /** who wrote a prompt, if not the user */
  readonly source?: PromptSource | undefined
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
  /** the answer that a transition captured, as JSON */
  readonly captured?: string | undefined
  readonly notes: readonly string[]
  readonly errors: readonly string[]
  /** hash of the program that decided */
  readonly policy: string
}

export function makeEventRecord(
  evaluation: Evaluation,
  judgements: readonly RuleEffect[],
  { outcome, moved, notes }: Commit,
): EventRecord {
  const { event, facts, program, errors, turn } = evaluation
  const { decision, reason } = outcome
  const { caller, prompt } = event
  const firstWith = (one: Decision) => judgements.find(({ verdict }) => verdict.decision === one)
  const decided = decision === 'pass' ? undefined : (firstWith(decision) ?? firstWith('ask'))
  return {
    at: facts.now,
    client: event.client,
    session: event.session,
    event: event.kind,
    name: event.name,
    caller: callerLabel(caller),
    ...(caller.kind === 'agent' && { agent: caller.id }),
    turn,
    source: prompt?.source === 'user' ? undefined : prompt?.source,
    tool: event.call?.tool,
    acts: (event.call?.acts ?? []).map(shortAct),
    decision,
    reason: reason || undefined,
    gate: decided?.match.gate,
    rule: decided?.match.rule,
    matches: judgements.map(judgement => judgement.match),
    moves: moved.map(({ gate, from, to }) => ({ gate, from, to })),
    captured: JSON.stringify(moved.find(one => one.captured)?.captured?.value),
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
