import type { Event, Gate } from '../core/index.ts'
import type { JsonObject, Regex } from '../pattern/index.ts'
import type { Policy } from '../policy/index.ts'
import { adviser } from './advice.ts'
import { atomsOfGate, isAboutState } from './atom.ts'
import { guardedBy, waitedFor } from './barred.ts'
import { callsOf, type Short } from './call.ts'
import { constantsOf } from './constants.ts'
import type { Deed } from './deed.ts'
import { type Environment, environmentsOf, environmentWords } from './environment.ts'
import type { Finding } from './finding.ts'
import type { Bounds } from './graph.ts'
import { Guard } from './guard.ts'
import { isNeverPermitted } from './guarding.ts'
import { findIdle } from './idle.ts'
import { type Ground, Inquiry } from './inquiry.ts'
import { Likenesses } from './likeness.ts'
import { byLinks, type RealPath, withoutLinked } from './linked.ts'
import { mergeFindings } from './merge-findings.ts'
import { MOST_ROUTES, notesOn, unseenIn } from './note.ts'
import { fromHere } from './place.ts'
import { Oracle } from './possible.ts'
import { Prover } from './prover.ts'
import { shrink } from './shrink.ts'
import { Spoken } from './spoken.ts'
import { undone } from './undone.ts'
import { unopenable, unsaid } from './unsaid.ts'
import { type ProofClient, sendsOf, type View, viewsOf } from './view.ts'

export interface Proof {
  readonly findings: readonly Finding[]
  /** what may be wrong, and could not be decided: with one of these it is no proof */
  readonly doubts: readonly Finding[]
  /** what could not be looked at: with one of these it is no proof */
  readonly unseen: readonly string[]
  /** worth a word, and no fault: what a client cannot do, what comes once every gate blocks */
  readonly notes: readonly string[]
  /** every way was followed to its end */
  readonly complete: boolean
  /** where not: how many steps deep they all were */
  readonly within?: number
  /** stateful gates that were proven */
  readonly gates: number
  readonly states: number
  readonly events: number
}

export interface ProofInput {
  readonly policy: Policy
  readonly clients: readonly ProofClient[]
  readonly regex: Regex
  readonly root: string
  readonly home?: string
  /** the short form as an event */
  read(short: Short): Event | null
  /** where a file really lies; absent: the disk is not looked at */
  readonly realPath?: RealPath
  /** the `unless` that a rule has in its file; null: none */
  written?(at: string, rule: string): JsonObject | null | undefined
  readonly bounds?: Partial<Bounds>
  /** only what is so today, not what comes once every gate blocks */
  readonly isToday?: boolean
  /** told of what is being looked at */
  progress?(what: string): void
}

const BOUNDS: Bounds = { states: 4000, events: 240_000 }

/** Can the agents of this policy always go on? Every state it can get into, on every client. */
export function prove(input: ProofInput): Proof {
  const proof = proveOnDisk(input)
  const { policy } = input
  if (input.isToday || policy.gates.every(gate => gate.mode === 'block' || !isAsked(gate))) return proof
  const strict = { ...policy, gates: policy.gates.map(gate => ({ ...gate, mode: 'block' as const })) }
  const known = new Set(proof.findings.map(one => one.what))
  const later = proveAsIs({ ...input, policy: strict }).findings.filter(
    one => HARD.has(one.kind) && !known.has(one.what),
  )
  return { ...proof, notes: [...proof.notes, ...later.map(one => `once every gate blocks, ${one.what}: ${one.why}`)] }
}

/** … and what is so only because of links among the files that it names. */
function proveOnDisk(input: ProofInput): Proof {
  const proof = proveAsIs(input)
  const { policy, root, realPath } = input
  const { program, links } = realPath ? withoutLinked(policy, root, realPath) : { program: policy, links: [] }
  if (links.length === 0) return proof
  const linked = proveAsIs({ ...input, policy: program })
  const known = [...proof.findings, ...proof.doubts]
  return { ...proof, doubts: [...proof.doubts, ...byLinks([...linked.findings, ...linked.doubts], known, links)] }
}

const isStuck = ({ kind }: Finding): boolean => kind === 'deadlock'

/** What stops an agent. A gate on trial does not, but it is meant to block one day. */
const HARD: ReadonlySet<string> = new Set(['deadlock', 'held', 'suggestion'])

/** What a proof stands on, and the gates that it asks about. */
export interface Footing {
  readonly ground: Ground
  readonly gates: readonly Gate[]
  readonly views: readonly View[]
}

export function footingOf(input: ProofInput, env: Environment = {}): Footing {
  const whole = shrink(input.policy)
  const own = { ...whole, gates: whole.gates.filter(isAsked) }
  const { root, read } = input
  const regex = remembering(input.regex)
  const constants = constantsOf(own, regex, root)
  const tools = { regex, read: readOnce(read) }
  const guard = new Guard({ ...whole, gates: whole.gates.filter(gate => !isAsked(gate)) }, input)
  const oracle = new Oracle(own, regex, root, { env })
  const likenesses = new Likenesses(oracle, adviser(tools))
  const isNarrow = input.clients.some(({ untold }) => untold?.includes('Write'))
  const made = callsOf(own, constants, tools, { isNarrow }).map(call => ({
    ...call,
    short: fromHere(call.short, input),
  }))
  const calls = guard.spare(made, likenesses.of(own.gates))
  const program = guard.isNeeded ? whole : own
  const bounds = { ...BOUNDS, ...input.bounds }
  const written = (at: string, rule: string) => input.written?.(at, rule)
  const ground: Ground = { program, constants, calls, tools, root, env, bounds, oracle, likenesses, written }
  const like = likenesses.of(own.gates)
  const kindsFor = (client: ProofClient): readonly string[] =>
    [...new Set(calls.filter(call => sendsOf(client, call.before)).map(call => like.ofCall(call)))].sort()
  return { ground, gates: own.gates, views: viewsOf(input.clients, own, kindsFor) }
}

function proveAsIs(input: ProofInput): Proof {
  const { policy } = input
  const environments = environmentsOf({ ...policy, gates: policy.gates.filter(isAsked) }, input.regex)
  const grounds = environments.all.flatMap(env => {
    const { views, ...footing } = footingOf(input, env)
    return views.map(view => ({ ...footing, view }))
  })
  const spoken = new Spoken()
  let left = { ...BOUNDS, ...input.bounds }.events
  const provers = grounds.map(({ ground, gates, view }, at) => {
    input.progress?.(view.clients.join(', '))
    // what one kind of client does not need is for the others
    const share = { ...ground.bounds, events: Math.floor(left / (grounds.length - at)) }
    const prover = new Prover(new Inquiry({ ...ground, bounds: share }, view), gates, spoken)
    prover.run()
    left -= prover.inquiry.events
    return prover
  })
  const complete = provers.every(one => one.cutAt === undefined)
  const gates = grounds[0]?.gates ?? []
  const looked = gates.filter(isJudged)
  // where no agent gets to work nobody has to speak: that is asked once it is mended
  const isAtRest = provers.some(({ inquiry, findings }) => inquiry.field.rests && findings.some(isStuck))
  const idle =
    complete && !isAtRest
      ? findIdle(
          provers.map(one => one.inquiry),
          looked,
          spoken,
        )
      : { findings: [], unjudged: [] }
  const stuck = new Set(provers.flatMap(one => one.findings.filter(isStuck).map(({ gate }) => gate)))
  const inquiries = provers.map(one => one.inquiry)
  const merged = mergeFindings(
    [
      ...provers.flatMap(one => (isUsual(one) ? one.findings : unusual(one, provers))),
      ...input.policy.gates.filter(isAsked).flatMap(gate => [...unsaid(gate), ...unopenable(gate)]),
      ...idle.findings,
      ...looked.filter(gate => !stuck.has(gate.id)).flatMap(gate => undone(inquiries, gate)),
    ],
    input.clients,
  )
  const cuts = provers.flatMap(one => one.cutAt ?? [])
  return {
    findings: merged.filter(one => one.doubt === undefined),
    doubts: merged.filter(one => one.doubt !== undefined),
    unseen: [...unseenIn(policy, idle.unjudged), ...unsetIn(environments.untried)],
    notes: [...notesOn(input.policy, input.clients), ...new Set(provers.flatMap(one => one.notes))],
    complete,
    ...(cuts.length > 0 && { within: Math.min(...cuts) }),
    gates: gates.filter(gate => gate.initial !== undefined).length,
    states: provers.reduce((sum, one) => sum + one.inquiry.states, 0),
    events: provers.reduce((sum, one) => sum + one.inquiry.events, 0),
  }
}

const isUsual = ({ inquiry }: Prover): boolean =>
  inquiry.view.mainType === undefined && Object.keys(inquiry.env).length === 0

/** What is so only where the main agent was started as an agent of a type, or where variables are set. */
function unusual({ inquiry, findings }: Prover, all: readonly Prover[]): readonly Finding[] {
  const keyOf = ({ kind, gate, what }: Finding): string => `${kind} ${gate ?? what}`
  const known = new Set(all.filter(isUsual).flatMap(one => one.findings.map(keyOf)))
  const { mainType } = inquiry.view
  const isSet = Object.keys(inquiry.env).length > 0
  const where = [
    ...(mainType === undefined ? [] : [`the main agent runs as ${mainType}`]),
    ...(isSet ? [environmentWords(inquiry.env)] : []),
  ].join(' and ')
  const isMeant = (one: Finding): boolean => isSet || (one.kind === 'deadlock' && mainType !== undefined)
  return findings
    .filter(one => !known.has(keyOf(one)) && !isHarmless(one, inquiry))
    .map(one => ({
      ...one,
      what: `${one.what}, where ${where}`,
      // whoever sets a variable, or lets one of a type do all, may want just that; a turn has to end in any case
      ...(isMeant(one) && { doubt: one.doubt ?? `only where ${where}` }),
    }))
}

/** Who may do nothing of what the gate refuses does not wait for it. */
function isHarmless({ kind, gate: id }: Finding, inquiry: Inquiry): boolean {
  const { view, program, oracle } = inquiry
  if (view.mainType === undefined || kind !== 'deadlock' || id === undefined) return false
  const isNever = (deed: Deed): boolean => isNeverPermitted(deed, program, { oracle, view })
  const isThere = ({ by }: Deed): boolean =>
    by === 'main' || inquiry.field.deeds.some(one => one.by === 'main' && one.spawns === by && !isNever(one))
  const works = guardedBy(inquiry).filter(deed => waitedFor(inquiry, deed).some(gate => gate.id === id))
  return works.filter(isThere).every(isNever)
}

const unsetIn = (names: readonly string[]): readonly string[] =>
  names.length === 0 ? [] : [`not every way was tried in which ${names.join(', ')} may be set`]

/** What is built in and keeps no state only refuses: nothing depends on the values it names. Long tables of routes are data. */
const isAsked = (gate: Gate): boolean =>
  gate.layer !== 'built-in' || gate.initial !== undefined || atomsOfGate(gate).some(isAboutState)

const isJudged = (gate: Gate): boolean => (gate.routes?.list.length ?? 0) <= MOST_ROUTES && gate.code === undefined

const READ = new WeakMap<ProofInput['read'], Map<string, Event | null>>()

/** The same is read for every rule that suggests it, and for every policy that advice is tried with. */
function readOnce(read: ProofInput['read']): ProofInput['read'] {
  const known = READ.get(read) ?? new Map<string, Event | null>()
  READ.set(read, known)
  return short => {
    const key = JSON.stringify(short)
    const found = known.get(key)
    if (found !== undefined) return found
    const event = fresh(read(short))
    known.set(key, event)
    return event
  }
}

/** Answers are remembered by act, so no two calls may share one. */
const fresh = (event: Event | null): Event | null =>
  event?.call ? { ...event, call: { ...event.call, acts: event.call.acts.map(act => ({ ...act })) } } : event

/** The same texts are searched for the same patterns again and again. */
function remembering(regex: Regex): Regex {
  const known = new Map<string, Map<string, ReturnType<Regex['search']>>>()
  const search: Regex['search'] = (pattern, text) => {
    const texts = known.get(pattern) ?? new Map<string, ReturnType<Regex['search']>>()
    known.set(pattern, texts)
    const found = texts.get(text)
    if (found !== undefined) return found
    const answer = regex.search(pattern, text)
    texts.set(text, answer)
    return answer
  }
  return { ...regex, search }
}

type Verdict = Pick<Proof, 'complete'> & Readonly<Record<'findings' | 'doubts' | 'unseen', readonly unknown[]>>

export const isProven = ({ findings, doubts, unseen, complete }: Verdict): boolean =>
  complete && findings.length + doubts.length + unseen.length === 0
