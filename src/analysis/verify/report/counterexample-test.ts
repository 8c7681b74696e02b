import type { ShorthandEvent } from '../abstraction/residual-condition.ts'
import type { SystemStep } from '../system/step.ts'
import type { CounterexampleStep, VerificationFinding } from './finding.ts'

/** A counterexample as a runnable policy test. */
export interface CounterexampleTest {
  readonly name: string
  readonly client: string
  readonly events: readonly ShorthandEvent[]
}

/** Undefined: the finding has no counterexample, or one with a step that tests cannot express. */
export function createCounterexampleTest({
  what,
  counterexample,
  clients,
}: VerificationFinding): CounterexampleTest | undefined {
  const encoder = new StepEncoder()
  const encoded = counterexample.map(line => encoder.encode(line))
  const client =
    counterexample.flatMap(({ results }) => results.map(result => result.record.client)).find(Boolean) ?? clients[0]
  if (client === undefined || encoded.length === 0 || encoded.includes(undefined)) return undefined
  const events = joinWaits(
    withExpectations(
      counterexample,
      encoded.flatMap(each => (each ? [each] : [])),
    ),
  )
  return events.length > 0 ? { name: what, client, events } : undefined
}

/** Time passes before an event: a `wait` by itself is none, and after the last event it shows nothing. */
function joinWaits(events: readonly ShorthandEvent[]): readonly ShorthandEvent[] {
  const joined: ShorthandEvent[] = []
  let seconds = 0
  for (const { wait, ...event } of events) {
    seconds += Number(wait ?? 0)
    if (Object.keys(event).every(key => key === 'session')) continue
    // gates get their state at the first event: time can only pass after it
    if (seconds > 0 && joined.length === 0) joined.push({ event: 'session.start' })
    joined.push({ ...event, ...(seconds > 0 && { wait: seconds }) })
    seconds = 0
  }
  return joined
}

/** If no step is refused, the test expects the gate states after the last move. */
function withExpectations(
  counterexample: readonly CounterexampleStep[],
  encoded: readonly (readonly ShorthandEvent[])[],
): readonly ShorthandEvent[] {
  const events = encoded.flat()
  const at = counterexample.findLastIndex(({ results }) => results.some(result => result.record.moves.length > 0))
  if (at < 0 || events.some(event => 'expect' in event)) return events
  const moves = counterexample[at]?.results.flatMap(result => result.record.moves) ?? []
  const gates = Object.fromEntries(moves.map(({ gate, to }) => [gate.slice(gate.indexOf('/') + 1), to]))
  const last = encoded.slice(0, at + 1).flat().length - 1
  return events.map((event, nth) => (nth === last ? { ...event, expect: { gates } } : event))
}

/** Encodes step by step in shorthand events; keeps track of the live agent and the pending call. */
class StepEncoder {
  #steps = 0
  #live: { readonly type: string; readonly id: string } | undefined
  #pendingCall: ShorthandEvent | undefined
  #session: ShorthandEvent = {}

  encode({ step, results }: CounterexampleStep): readonly ShorthandEvent[] | undefined {
    const events = this.#events(step)
    const decisions = results.map(result => result.outcome.decision)
    // a refusal is the last event of its step, an `ask` the first
    const isRefused = step.ending === 'refused' && decisions.includes('deny')
    const nth = isRefused ? (events?.length ?? 0) - 1 : events && decisions[0] === 'ask' ? 0 : -1
    const expect = isRefused ? 'deny' : 'ask'
    return events?.map((event, each) => ({ ...event, ...this.#session, ...(each === nth && { expect }) }))
  }

  #events(step: SystemStep): readonly ShorthandEvent[] | undefined {
    const { actor, call, event, seconds, answer, openedGate, startsSession, isUnreported, ending } = step
    if (openedGate !== undefined || call?.isApproved) return undefined
    if (startsSession) {
      this.#session = { session: `another-${++this.#steps}` }
      return []
    }
    if (seconds !== undefined) return [{ wait: seconds }]
    if (call) return this.#call(step)
    if (event?.kind === 'agent.stop' || isUnreported) return this.#stop(step)
    if (event?.kind === 'turn.stop') return [{ stop: true }]
    if (event?.prompt) return [{ prompt: event.prompt.text, source: event.prompt.source }]
    return event && actor !== 'time' && answer === undefined && ending !== 'running'
      ? [{ event: event.kind }]
      : undefined
  }

  #call({ actor, call, ending, endsPendingCall, asksPermission, answer }: SystemStep): readonly ShorthandEvent[] {
    const first = this.#spawnIfAbsent(actor)
    const id = `step-${++this.#steps}`
    const begin =
      endsPendingCall && this.#pendingCall
        ? this.#pendingCall
        : { ...call?.shorthand, ...(actor !== 'main' && { as: actor }), id }
    const asked = asksPermission ? [{ ...begin, event: 'permission.request' }] : []
    const hasEnded = ending === 'succeeded' || ending === 'failed' || ending === 'unknown'
    const line = String(call?.shorthand.shell ?? '').replace(/^signalbox run -- |'/g, '')
    const status = call?.isAttested
      ? { after: 'unknown', signed: { [line]: ending === 'failed' ? 1 : 0 } }
      : { after: ending }
    const end = hasEnded
      ? [{ ...begin, ...status, ...(answer !== undefined && { output: JSON.stringify(answer) }) }]
      : []
    if (endsPendingCall) return end
    if (ending === 'running') this.#pendingCall = begin
    const starts =
      actor === 'main' && call?.spawns !== undefined && !this.#live && ending === 'unreported' ? call.spawns : undefined
    if (starts !== undefined) this.#live = { type: starts, id }
    return [...first, begin, ...(starts === undefined ? [] : [{ starts }]), ...asked, ...end]
  }

  #stop({ actor, answer, isUnreported, ending }: SystemStep): readonly ShorthandEvent[] {
    const first = this.#spawnIfAbsent(actor)
    const answerText = answer === undefined ? undefined : JSON.stringify(answer)
    const stops = isUnreported ? [] : [{ stops: actor, ...(answerText !== undefined && { answer: answerText }) }]
    if (ending === 'refused') return [...first, ...stops]
    const { id = 'step' } = this.#live ?? {}
    this.#live = undefined
    return [
      ...first,
      ...stops,
      { spawn: actor, id, after: ending, ...(answerText !== undefined && { output: answerText }) },
    ]
  }

  /** The spawn of the acting agent, if it is not live. */
  #spawnIfAbsent(actor: string): readonly ShorthandEvent[] {
    if (actor === 'main' || this.#live?.type === actor) return []
    const id = `step-${++this.#steps}`
    this.#live = { type: actor, id }
    return [{ spawn: actor, id }, { starts: actor }]
  }
}
