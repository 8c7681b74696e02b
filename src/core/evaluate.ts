import { matchCondition } from './condition.ts'
import { messageOf } from './errors.ts'
import type { Gate, Rule } from './gate.ts'
import { type Firing, judgeGate } from './judge.ts'
import { lower } from './lower.ts'
import type { Memories } from './memory.ts'
import { merge } from './merge.ts'
import { type Match, makeRecord, type Record } from './record.ts'
import { moveOf, remember } from './remember.ts'
import type { Session } from './session.ts'
import { letStop } from './stop.ts'
import { findTransition, type Proposal } from './transition.ts'
import type { Outcome, Verdict } from './verdict.ts'
import { speak, type Voice } from './voice.ts'
import { type Input, sceneFor, setOut, type Tools, type Walk } from './walk.ts'

export interface Result {
  readonly outcome: Outcome
  readonly session: Session
  readonly record: Record
}

/** One event, one answer. Pure: the same input gives the same result, and nothing but the result comes of it. */
export function evaluate(input: Input, tools: Tools): Result {
  const walk = setOut(input, tools)
  runClock(walk)
  const proposals = propose(walk)
  const voices = judge(walk, proposals)
  const merged = merge([...failures(walk), ...voices.map(one => one.verdict), ...(walk.facts.replies ?? [])])
  const lowered = lower(letStop(merged, walk.event, walk.session), walk.capability)
  const remembered = remember(walk, proposals, voices, lowered)
  const { outcome, session } = remembered
  return { outcome, session, record: makeRecord(walk, voices, remembered) }
}

/** Clock transitions are applied before anything is judged, and stay. */
function runClock(walk: Walk): void {
  for (const gate of walk.program.gates) {
    if (!gate.transitions.some(transition => transition.clock)) continue
    const found = guarded(walk, gate, () => findTransition(gate, sceneFor(gate, walk), 'clock'))
    if (found) walk.memories.apply(gate, moveOf(found, walk))
  }
}

/** What the event would do to the gates; all of them look at the same states. */
function propose(walk: Walk): readonly Proposal[] {
  return walk.program.gates.flatMap(gate => {
    if (gate.initial === undefined) return []
    return guarded(walk, gate, () => findTransition(gate, sceneFor(gate, walk), 'event')) ?? []
  })
}

/** Rules see this event's openings (the call that opens a gate is not stopped by it); a closing counts from the next event. */
function judge(walk: Walk, proposals: readonly Proposal[]): readonly Voice[] {
  const seen = walk.memories.copy()
  for (const one of proposals) {
    if (one.problem === undefined && one.transition.to === 'open') seen.apply(one.gate, moveOf(one, walk))
  }
  return walk.program.gates.flatMap(gate => guarded(walk, gate, () => judgeOne(gate, walk, seen, proposals)) ?? [])
}

function judgeOne(gate: Gate, walk: Walk, seen: Memories, proposals: readonly Proposal[]): readonly Voice[] {
  const scene = sceneFor(gate, walk, seen)
  const firings = [
    ...proposals.flatMap(one => (one.gate === gate ? refusedCapture(one) : [])),
    ...judgeGate(gate, scene),
  ]
  const bypass = firings.length > 0 && gate.yields ? gate.bypass : undefined
  const bypassed = bypass !== undefined && matchCondition(bypass.when, { action: 'other' }, scene, 'all') === 'true'
  return [...firings.map(firing => speak(firing, gate, walk, scene, bypassed)), ...askCode(gate, walk, seen)]
}

/** `invalid` acts as a rule of its own. */
function refusedCapture({ transition, problem }: Proposal): readonly Firing[] {
  const { invalid, id } = transition
  if (!invalid || problem === undefined) return []
  const rule: Rule = { ...invalid, id, events: [], when: { all: [] }, unsure: 'pass' }
  return [{ rule, act: { action: 'other' }, named: { problem }, unsure: false, says: invalid.then }]
}

function askCode(gate: Gate, walk: Walk, seen: Memories): readonly Voice[] {
  if (!gate.code) return []
  const verdict = walk.codeGates?.[gate.id]?.(walk.event, seen.of(gate))
  if (!verdict) throw new Error(`its code ${gate.code} could not be loaded`)
  if (verdict.decision === 'pass' && !verdict.context && !verdict.message) return []
  const says = verdict.decision === 'pass' ? 'warn' : verdict.decision
  const effect = gate.mode === 'block' ? says : 'none'
  const match: Match = { gate: gate.id, rule: 'code', says, effect, mode: gate.mode }
  return [{ match, verdict: effect === 'none' ? { decision: 'pass' } : verdict }]
}

/** A gate that throws loses its own say; the others still count. */
function guarded<T>(walk: Walk, gate: Gate, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    walk.errors.push({ gate, text: messageOf(error) })
    return undefined
  }
}

/** Only a call can be refused on failure: refusing a prompt would erase it, refusing a stop would loop. */
function failures({ event, errors }: Walk): readonly Verdict[] {
  if (event.kind !== 'tool.before' && event.kind !== 'permission.request') return []
  const closed = errors.filter(({ gate }) => gate.onError === 'closed' && gate.mode === 'block')
  return closed.map(({ gate, text }) => ({
    decision: 'deny',
    reason: `The gate "${gate.name}" failed, and refuses when it does: ${text}`,
  }))
}
