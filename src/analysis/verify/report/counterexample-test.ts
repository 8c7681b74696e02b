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
export function createCounterexampleTest({ what, story, on }: VerificationFinding): CounterexampleTest | undefined {
  const teller = new StepEncoder()
  const told = story.map(line => teller.tell(line))
  const client = story.flatMap(({ results }) => results.map(one => one.record.client)).find(Boolean) ?? on[0]
  if (client === undefined || told.length === 0 || told.includes(undefined)) return undefined
  const events = joinWaits(
    withExpectations(
      story,
      told.flatMap(each => (each ? [each] : [])),
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
  story: readonly CounterexampleStep[],
  told: readonly (readonly ShorthandEvent[])[],
): readonly ShorthandEvent[] {
  const events = told.flat()
  const at = story.findLastIndex(({ results }) => results.some(one => one.record.moves.length > 0))
  if (at < 0 || events.some(one => 'expect' in one)) return events
  const moves = story[at]?.results.flatMap(one => one.record.moves) ?? []
  const gates = Object.fromEntries(moves.map(({ gate, to }) => [gate.slice(gate.indexOf('/') + 1), to]))
  const last = told.slice(0, at + 1).flat().length - 1
  return events.map((one, nth) => (nth === last ? { ...one, expect: { gates } } : one))
}

/** Encodes step by step in shorthand events; keeps track of the live agent and the pending call. */
class StepEncoder {
  #steps = 0
  #live: { readonly type: string; readonly id: string } | undefined
  #going: ShorthandEvent | undefined
  #session: ShorthandEvent = {}

  tell({ step, results }: CounterexampleStep): readonly ShorthandEvent[] | undefined {
    const events = this.#events(step)
    const said = results.map(one => one.outcome.decision)
    // a refusal is the last event of its step, an `ask` the first
    const isRefused = step.end === 'refused' && said.includes('deny')
    const nth = isRefused ? (events?.length ?? 0) - 1 : events && said[0] === 'ask' ? 0 : -1
    const expect = isRefused ? 'deny' : 'ask'
    return events?.map((event, each) => ({ ...event, ...this.#session, ...(each === nth && { expect }) }))
  }

  #events(step: SystemStep): readonly ShorthandEvent[] | undefined {
    const { by, call, event, seconds, answer, opens, another, untold, end } = step
    if (opens !== undefined || call?.approved) return undefined
    if (another) {
      this.#session = { session: `another-${++this.#steps}` }
      return []
    }
    if (seconds !== undefined) return [{ wait: seconds }]
    if (call) return this.#call(step)
    if (event?.kind === 'agent.stop' || untold) return this.#stop(step)
    if (event?.kind === 'turn.stop') return [{ stop: true }]
    if (event?.prompt) return [{ prompt: event.prompt.text, source: event.prompt.source }]
    return event && by !== 'time' && answer === undefined && end !== 'begun' ? [{ event: event.kind }] : undefined
  }

  #call({ by, call, end, late, permission, answer }: SystemStep): readonly ShorthandEvent[] {
    const first = this.#spawned(by)
    const id = `step-${++this.#steps}`
    const begun = late && this.#going ? this.#going : { ...call?.short, ...(by !== 'main' && { as: by }), id }
    const asked = permission ? [{ ...begun, event: 'permission.request' }] : []
    const isEnded = end === 'succeeded' || end === 'failed' || end === 'unknown'
    const line = String(call?.short.shell ?? '').replace(/^signalbox run -- |'/g, '')
    const how = call?.witnessed ? { after: 'unknown', signed: { [line]: end === 'failed' ? 1 : 0 } } : { after: end }
    const ended = isEnded ? [{ ...begun, ...how, ...(answer !== undefined && { output: JSON.stringify(answer) }) }] : []
    if (late) return ended
    if (end === 'begun') this.#going = begun
    const starts =
      by === 'main' && call?.spawns !== undefined && !this.#live && end === 'left' ? call.spawns : undefined
    if (starts !== undefined) this.#live = { type: starts, id }
    return [...first, begun, ...(starts === undefined ? [] : [{ starts }]), ...asked, ...ended]
  }

  #stop({ by, answer, untold, end }: SystemStep): readonly ShorthandEvent[] {
    const first = this.#spawned(by)
    const said = answer === undefined ? undefined : JSON.stringify(answer)
    const stops = untold ? [] : [{ stops: by, ...(said !== undefined && { answer: said }) }]
    if (end === 'refused') return [...first, ...stops]
    const { id = 'step' } = this.#live ?? {}
    this.#live = undefined
    return [...first, ...stops, { spawn: by, id, after: end, ...(said !== undefined && { output: said }) }]
  }

  /** The spawn of the acting agent, if it is not live. */
  #spawned(by: string): readonly ShorthandEvent[] {
    if (by === 'main' || this.#live?.type === by) return []
    const id = `step-${++this.#steps}`
    this.#live = { type: by, id }
    return [{ spawn: by, id }, { starts: by }]
  }
}
