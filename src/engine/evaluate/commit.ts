import { nextAgentTurns } from '../model/agent-turns.ts'
import { subHookProblems } from '../model/facts.ts'
import type { ClientText, Gate } from '../model/gate.ts'
import type { GateMove, Session } from '../model/session.ts'
import type { Outcome } from '../model/verdict.ts'
import { matchPrefiltered } from './condition.ts'
import { type Evaluation, gateFailureText, matchContextFor } from './evaluation.ts'
import { spawnsAfter } from './infer-caller.ts'
import { isStopEvent } from './lower.ts'
import { actionsOf } from './match-context.ts'
import { putPendingEffects, takePendingEffects } from './pending-effects.ts'
import { type RuleEffect, renderText } from './rule-effect.ts'
import { deliverTexts } from './texts/text-delivery.ts'
import { nextDenialTimes } from './throttle/denial-throttle.ts'
import type { ProposedTransition } from './transitions.ts'

/** Event kinds that a denial prevents. On any other kind a denial only delivers its text. */
const REFUSABLE: ReadonlySet<string> = new Set(
  'tool.before permission.request prompt.submit agent.stop turn.stop compact.before'.split(' '),
)

export type Commit = ReturnType<typeof commitEvaluation>

/** Builds the next session: counters, gate moves, pending effects, queued texts. A denied event causes no transition. */
export function commitEvaluation(
  walk: Evaluation,
  proposals: readonly ProposedTransition[],
  voices: readonly RuleEffect[],
  lowered: Outcome,
) {
  const { event, session, facts } = walk
  const refused = lowered.decision === 'deny' && REFUSABLE.has(event.kind)
  const asked = lowered.decision === 'ask' && REFUSABLE.has(event.kind)
  const { found, left } = takePendingEffects(session, event)
  if (!refused) countOperations(walk)
  for (const { gate, problem } of proposals) {
    if (problem !== undefined) walk.memories.set(gate, { ...walk.memories.of(gate), problem })
  }
  countFirings(walk, voices)
  const caused = proposals.filter(one => one.problem === undefined).map(one => gateMoveOf(one, walk))
  const moved = [...(found?.moves ?? []), ...(refused || asked ? [] : caused)].filter(move => applies(move, walk))

  const warnings = voices.flatMap(voice => voice.warning ?? []).slice(0, 50) // nobody reads more than 50 warnings
  const late = event.kind === 'tool.before'
  const steps = [...walk.clocked, ...moved]
  const said = deliverTexts(walk, lowered, [...(found?.warnings ?? []), ...(late ? [] : warnings)], steps)
  const waiting = putPendingEffects(left, event, refused ? REFUSED : { warnings, moves: asked ? caused : [] })
  const news = [...walk.errors.map(gateFailureText), ...subHookProblems(facts)]
  const told = news.length > 0 && [...new Set([...(session.told ?? []), ...news])].slice(-32)
  const begun = refused ? session.begun : nextAgentTurns(event, session.begun, session.turn)
  const next: Session = Object.assign({}, session, walk.memories.written(), {
    seenAt: facts.now,
    waiting,
    queue: said.queue,
    denials: nextDenialTimes(session.denials, refused ? voices : [], moved),
    stopsRefused: isStopEvent(event) ? (refused ? session.stopsRefused + 1 : 0) : session.stopsRefused,
    stopReason: event.kind !== 'turn.stop' ? session.stopReason : refused ? lowered.reason : '',
    spawns: spawnsAfter(walk, refused),
    ...(told && { told }),
    ...(begun && { begun }),
  })
  const rewrite = walk.capability.rewrites?.includes(lowered.decision) ? facts.rewrite : undefined
  return {
    outcome: rewrite ? { ...said.outcome, input: rewrite.input } : said.outcome,
    session: next,
    moved: steps,
    notes: [...(found?.refused ? ['ran although refused'] : []), ...(rewrite ? [`rewritten by ${rewrite.by}`] : [])],
  }
}
const REFUSED = { warnings: [], moves: [], refused: true }

/** Converts a transition to a move and renders its texts, with the captured value already in place. */
export function gateMoveOf({ gate, transition, captured }: ProposedTransition, walk: Evaluation): GateMove {
  const { message, context, to } = transition
  const { state: from } = walk.memories.of(gate)
  const move: GateMove = { gate: gate.id, from, to, message: '', context: '', ...(captured && { captured }) }
  if (gate.mode === 'observe' || (message === undefined && context === undefined)) return move
  const after = walk.memories.copy()
  after.apply(gate, move)
  const say = (text: ClientText | undefined) =>
    text === undefined ? '' : renderText(text, { gate }, matchContextFor(gate, walk, after))
  return { ...move, message: say(message), context: say(context) }
}

/** Applies a move. A pending move is stale, and is dropped, if its gate has left the state that the move starts from. */
function applies(move: GateMove, walk: Evaluation): boolean {
  const gate = gateOf(walk, move.gate)
  if (!gate || walk.memories.of(gate).state !== move.from) return false
  walk.memories.apply(gate, move)
  return true
}

const gateOf = (walk: Evaluation, id: string): Gate | undefined => walk.program.gates.find(gate => gate.id === id)

/** Counts one operation for each permitted `tool.before`, or for each event that matches the gate's `counts`. */
function countOperations(walk: Evaluation): void {
  for (const gate of walk.program.gates) {
    const { counts, initial } = gate
    if (initial === undefined) continue
    const scene = counts && matchContextFor(gate, walk)
    const counted = scene
      ? actionsOf(scene.event).some(act => matchPrefiltered(counts, act, scene, 'any') === 'true')
      : walk.event.kind === 'tool.before'
    const memory = walk.memories.of(gate)
    if (counted) walk.memories.set(gate, { ...memory, operations: memory.operations + 1 })
  }
}

function countFirings(walk: Evaluation, voices: readonly RuleEffect[]): void {
  for (const { match } of voices) {
    const gate = gateOf(walk, match.gate)
    if (gate?.rules.find(rule => rule.id === match.rule)?.limit === undefined) continue
    const memory = walk.memories.of(gate)
    const fired = { ...memory.fired, [match.rule]: (memory.fired?.[match.rule] ?? 0) + 1 }
    walk.memories.set(gate, { ...memory, fired })
  }
}
