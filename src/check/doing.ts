import type { Event, Gate, Program, Transition } from '../core/index.ts'
import type { GateState, Json, Regex } from '../pattern/index.ts'
import { atomsOf, lookedAt } from './atom.ts'
import { callsOf, type Short } from './call.ts'
import { Field } from './cone.ts'
import { type Constants, constantsOf } from './constants.ts'
import { type Deed, mayHappen } from './deed.ts'
import { Oracle } from './possible.ts'
import { type ProofClient, viewsOf } from './view.ts'

/** Something that may move a gate, from its beginning to its end, as a policy's tests write it. */
export interface Doing {
  /** id of the transition it is made for */
  readonly transition: string
  readonly by: string
  readonly steps: readonly Short[]
  /** a person was asked and said yes */
  readonly approved: boolean
  /** the line to type, where that is not the one the transition names */
  readonly line?: string
}

export interface DoingGround {
  readonly program: Program
  readonly client: ProofClient
  readonly regex: Regex
  readonly root: string
  read(short: Short): Event | null
  /** an agent that is at work already */
  readonly live?: string | undefined
}

/** Of one transition: more of them do the same. */
const MOST = 24

/** What could be done to bring the gate to this state, made from its own conditions. Whether it does so, and is let through, is to be played. */
export function doingsFor(gate: Gate, to: GateState, ground: DoingGround): readonly Doing[] {
  const { program, client, regex, root, live } = ground
  const own = { ...program, gates: [gate, ...lookedAt(gate, program)] }
  const [view] = viewsOf([client], own)
  if (!view) return []
  const constants = constantsOf(own, regex, root)
  const oracle = new Oracle(own, regex, root)
  const agents = [...new Set([...(live === undefined ? [] : [live]), ...constants.agents])]
  const field = new Field(own, view, callsOf(own, constants, ground), { ...constants, agents }, oracle)
  const near = (by: string): number => (by === live ? 0 : by === 'main' ? 1 : 2)
  const deeds = [...field.movers(gate, to)].sort((a, b) => near(a.by) - near(b.by))
  return gate.transitions
    .filter(one => one.to === to)
    .flatMap(step => {
      const done = deeds.flatMap(deed =>
        deed.events
          .filter(event => mayHappen(step, event, oracle, deed.call?.approved))
          .flatMap(event => doingsOf(deed, event, step, constants, live)),
      )
      return [...done, ...byItself(step, constants)].slice(0, MOST)
    })
}

const ID = 'tried'

function doingsOf(
  deed: Deed,
  event: Event,
  step: Transition,
  { answers }: Constants,
  live: string | undefined,
): readonly Doing[] {
  const { by, call } = deed
  const said: readonly (Json | undefined)[] = step.capture ? answers : [undefined]
  const whole = (does: (answer: string | undefined) => readonly Short[], line?: string): readonly Doing[] =>
    said.map(answer => ({
      ...{ transition: step.id, by, approved: call?.approved === true, ...(line !== undefined && { line }) },
      steps: does(answer === undefined ? undefined : JSON.stringify(answer)),
    }))
  if (event.kind === 'turn.stop') return whole(() => [{ stop: true }])
  if (!call) return whole(answer => (by === live ? [stopOf(by, answer)] : workOf(by, [], answer)))
  if (deed.spawns !== undefined) return whole(answer => workOf(deed.spawns ?? '', [], answer))
  const line = String(call.short.shell ?? '').replace(/^signalbox run -- |'/g, '')
  return whole(
    output => {
      const as = by === 'main' ? {} : { as: by }
      const begun = { ...call.short, ...as, id: ID }
      const ended = { ...begun, ...endOf(event, call.witnessed ? line : undefined), ...(output && { output }) }
      return by === 'main' || by === live ? [begun, ended] : workOf(by, [begun, ended])
    },
    call.witnessed ? String(call.short.shell) : undefined,
  )
}

/** A call that moves the gate at its beginning ends well. */
function endOf({ call }: Event, signed: string | undefined): Short {
  const status = call?.status
  if (signed !== undefined) return { after: 'unknown', signed: { [signed]: call?.acts[0]?.ended === 'failed' ? 1 : 0 } }
  return { after: status ?? 'succeeded' }
}

const stopOf = (agent: string, answer: string | undefined): Short => ({ stops: agent, ...(answer && { answer }) })

/** An agent is spawned, works, and comes to its end. */
export function workOf(agent: string, work: readonly Short[], answer?: string): readonly Short[] {
  const spawn = { spawn: agent, id: `${ID} ${agent}` }
  return [spawn, { starts: agent }, ...work, stopOf(agent, answer), { ...spawn, after: 'succeeded' }]
}

/** What nobody does by a call: a person writes, time passes, work is counted. */
function byItself(step: Transition, { prompts }: Constants): readonly Doing[] {
  const told: readonly (readonly Short[])[] = step.clock
    ? [counted(step)]
    : step.events.flatMap((kind): readonly (readonly Short[])[] => {
        if (kind === 'prompt.submit') return prompts.map(({ text, source }) => [{ prompt: text, source }])
        return EVENTS.has(kind) ? [[{ event: kind }]] : []
      })
  return told.map(steps => ({ transition: step.id, by: 'person', approved: false, steps }))
}

const EVENTS: ReadonlySet<string> = new Set(['session.start', 'session.end', 'compact.before', 'notification'])

/** More of it is not played. */
const MOST_COUNTED = 60

function counted({ when }: Transition): readonly Short[] {
  const counters = atomsOf(when).flatMap(atom => (atom.key === 'since' ? atom.counters : []))
  const most = (unit: string): number =>
    Math.max(0, ...counters.filter(one => one.unit === unit).map(one => one.atLeast))
  const times = (unit: string, steps: readonly Short[]): readonly Short[] =>
    Array.from({ length: Math.min(most(unit), MOST_COUNTED) }, () => steps).flat()
  const idle = { shell: 'true', id: ID }
  return [
    { wait: most('seconds') },
    ...times('operations', [idle, { ...idle, after: 'succeeded' }]),
    ...times('turns', [{ prompt: 'go on' }]),
  ]
}
