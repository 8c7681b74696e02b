import { asOneList, messageOf } from '../pattern/index.ts'
import { matchCondition } from './condition.ts'
import type { Gate, Rule } from './gate.ts'
import type { Firing } from './judge.ts'
import { letStop, lower } from './lower.ts'
import type { Memories } from './memory.ts'
import { merge } from './merge.ts'
import { makeRecord, type Record } from './record.ts'
import { moveOf, remember } from './remember.ts'
import type { Session } from './session.ts'
import { findTransition, type Proposal } from './transition.ts'
import type { Outcome, Verdict } from './verdict.ts'
import { relay, speak, type Voice } from './voice.ts'
import { failureOf, type Input, sceneFor, setOut, type Tools, type Walk } from './walk.ts'

export interface Result {
  readonly outcome: Outcome
  readonly session: Session
  readonly record: Record
}

/** One event, one answer. Pure: the same input gives the same result, and nothing but the result comes of it. */
export function evaluate(input: Input, tools: Tools): Result {
  const { walk, proposals, seen } = approach(input, tools)
  const voices = [...judge(walk, proposals, seen), ...(walk.facts.replies ?? []).flatMap(reply => relay(reply, walk))]
  const listed = asOneList(voices, (of, among) => walk.refusers(of, among, walk, seen), walk.capabilities.shortens)
  const merged = merge([...failures(walk), ...listed.map(one => one.verdict)])
  const lowered = lower(letStop(merged, walk.event, walk.session), walk.capability)
  const remembered = remember(walk, proposals, voices, lowered)
  return { outcome: remembered.outcome, session: remembered.session, record: makeRecord(walk, voices, remembered) }
}

/** Up to where the gates are asked. Rules see what this event opens: such a call is not stopped. A closing counts from the next event. */
export function approach(input: Input, tools: Tools) {
  const walk = setOut(input, tools)
  runClock(walk)
  const proposals = propose(walk)
  const seen = walk.memories.copy()
  for (const one of proposals) {
    if (one.problem === undefined && one.transition.to === 'open') seen.apply(one.gate, moveOf(one, walk))
  }
  return { walk, proposals, seen }
}

/** Clock transitions are applied before anything is judged, and stay. */
function runClock(walk: Walk): void {
  for (const gate of walk.program.gates) {
    if (!gate.transitions.some(transition => transition.clock)) continue
    const found = guarded(walk, gate, () => findTransition(gate, sceneFor(gate, walk), 'clock'))
    if (!found) continue
    const move = moveOf(found, walk)
    walk.memories.apply(gate, move)
    walk.clocked.push(move)
  }
}

/** What the event would do to the gates; all of them look at the same states. */
function propose(walk: Walk): readonly Proposal[] {
  return walk.program.gates.flatMap(gate => {
    if (gate.initial === undefined) return []
    return guarded(walk, gate, () => findTransition(gate, sceneFor(gate, walk), 'event')) ?? []
  })
}

function judge(walk: Walk, proposals: readonly Proposal[], seen: Memories): readonly Voice[] {
  return walk.program.gates.flatMap(gate => guarded(walk, gate, () => judgeOne(gate, walk, seen, proposals)) ?? [])
}

function judgeOne(gate: Gate, walk: Walk, seen: Memories, proposals: readonly Proposal[]): readonly Voice[] {
  const scene = sceneFor(gate, walk, seen)
  const refused = proposals.flatMap(one => (one.gate === gate ? refusedCapture(one) : []))
  const firings = refused.concat(walk.asks(gate, scene), askCode(gate, walk, seen))
  if (firings.length === 0) return []
  const bypass = gate.yields ? gate.bypass : undefined
  const bypassed = bypass !== undefined && matchCondition(bypass.when, { action: 'other' }, scene, 'all') === 'true'
  return firings.map(firing => speak(firing, gate, walk, scene, bypassed))
}

/** `invalid` acts as a rule of its own. */
function refusedCapture({ transition, problem }: Proposal): readonly Firing[] {
  const { invalid, id } = transition
  return invalid && problem !== undefined ? [spoken({ ...invalid, id }, { problem })] : []
}

/** So does what a code gate says: its mode, bypass and repetition are those of any gate. */
function askCode(gate: Gate, { codeGates, event }: Walk, seen: Memories): readonly Firing[] {
  if (!gate.code) return []
  const verdict = codeGates[gate.id]?.(event, seen.of(gate))
  if (!verdict) throw new Error(`its code ${gate.code} could not be loaded`)
  const { context = '', ...said } = verdict
  const literal = (text: string) => text.replaceAll('{', '{{')
  if (said.decision === 'pass') {
    const { decision: _, ...more } = said
    const isSilent = context === '' && Object.keys(more).length === 0
    return isSilent ? [] : [{ ...spoken({ id: 'code', then: 'warn', message: literal(context) }), more }]
  }
  const { decision, reason, ...more } = said
  return [{ ...spoken({ id: 'code', then: decision, message: literal(reason), context: literal(context) }), more }]
}

const spoken = (told: Pick<Rule, 'id' | 'then' | 'message' | 'context'>, named: Firing['named'] = {}): Firing => {
  const rule: Rule = { ...told, events: [], when: { all: [] }, unsure: 'pass' }
  return { rule, act: { action: 'other' }, named, unsure: false, says: rule.then }
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

/** Told once. Only a call can be refused on failure: refusing a prompt would erase it, refusing a stop would loop. */
function failures({ event, errors, session }: Walk): readonly Verdict[] {
  const refusable = event.kind === 'tool.before' || event.kind === 'permission.request'
  return errors.map(({ gate, text }) => {
    const message = session.told?.includes(failureOf({ gate, text })) ? '' : `signalbox: ${failureOf({ gate, text })}`
    const reason = `The gate "${gate.name}" failed, and refuses when it does: ${text}`
    const refuses = refusable && gate.onError === 'closed' && gate.mode === 'block'
    return refuses ? { decision: 'deny', reason, message } : { decision: 'pass', message }
  })
}
