import { actsOf, type Event, type Gate, type Rule } from '../core/index.ts'
import { atomsOf, isAboutState, rulesOf } from './atom.ts'
import { mayFire } from './deed.ts'
import type { Finding } from './finding.ts'
import type { Inquiry } from './inquiry.ts'
import { impossible, isContradictory, isForSure, neverHappening } from './never.ts'
import { TRUE, UNKNOWN } from './possible.ts'
import { isSaid, keysOf } from './sampler.ts'
import type { Spoken } from './spoken.ts'
import { unsent } from './unsent.ts'

/** Rules that never speak, or never make a difference. `unjudged` counts those for which no event could be made. */
export interface Idle {
  readonly findings: readonly Finding[]
  readonly unjudged: readonly string[]
}

export function findIdle(inquiries: readonly Inquiry[], gates: readonly Gate[], spoken: Spoken): Idle {
  const findings: Finding[] = []
  const unjudged: string[] = []
  for (const gate of gates)
    for (const rule of rulesOf(gate)) {
      if (('allow' in rule && rule.allow === true) || isSwitchedOff(rule)) continue
      const shadow = spoken.isHeard(gate.id, rule.id)
        ? inquiries.map(one => spoken.shadowOf(gate.id, rule.id, one.program)).find(Boolean)
        : undefined
      const isVague = inquiries.some(({ vague }) => keysIn(rule).some(key => vague.has(key)))
      if (shadow && isVague) unjudged.push(placed(gate, rule))
      else if (shadow)
        findings.push(finding('shadowed', gate, rule, `whenever it speaks, ${shadow.name} (${shadow.at}) says more`))
      if (spoken.isHeard(gate.id, rule.id)) continue
      const never = impossible(rule)
      // where nobody tells of such an event, a note says so
      const isTold = inquiries.some(({ view }) => rule.events.some(kind => view.has(kind)))
      if (never === undefined && !isTold) continue
      if (never === undefined && (mayComeBetween(gate, rule) || inquiries.some(one => isUnsent(one, rule)))) continue
      const why = never ?? (isVague ? undefined : whyNever(inquiries, gate, rule))
      if (why === undefined) unjudged.push(placed(gate, rule))
      else findings.push(finding('unreachable', gate, rule, why))
    }
  return { findings: [...findings, ...gates.flatMap(neverHappening)], unjudged }
}

/** Between the call that spawns an agent and its beginning others may move gates: a prompt, a call beside it. That is not played. */
const mayComeBetween = ({ transitions }: Gate, { events, when, while: state }: Rule): boolean =>
  events.every(kind => kind === 'agent.start') &&
  (state === undefined ? atomsOf(when).some(isAboutState) : transitions.some(one => one.to === state))

/** It speaks of calls that no client makes which was looked at: a note says so. */
const isUnsent = (inquiry: Inquiry, rule: Rule): boolean =>
  unsent(inquiry, (event, approved) => {
    const { sure, unsure } = mayFire(rule, event, inquiry.oracle, approved)
    return (sure || unsure) && !inquiry.view.sends(event)
  }) !== undefined

const placed = (gate: Gate, rule: Rule): string =>
  `${gate.name}/${rule.id}${rule.at === undefined ? '' : ` (${rule.at})`}`

/** What it asks of prompts and captures: where not every kind of them was tried, another may make it speak. */
const keysIn = ({ when, unless }: Rule): readonly string[] =>
  [...atomsOf(when), ...(unless ? atomsOf(unless) : [])].filter(isSaid).flatMap(keysOf)

/** An option of a pack that names nothing, or a set with nothing in it: that it asks in vain is no mistake. */
const isSwitchedOff = ({ when }: Rule): boolean =>
  atomsOf(when).some(
    atom =>
      ('in' in atom && atom.in.length === 0) || ('fields' in atom && atom.fields.some(one => one.in.length === 0)),
  )

const finding = (kind: 'shadowed' | 'unreachable', gate: Gate, rule: Rule, why: string): Finding => ({
  kind,
  what:
    kind === 'shadowed'
      ? `rule ${gate.name}/${rule.id} never makes a difference`
      : `rule ${gate.name}/${rule.id} can never speak`,
  on: [],
  gate: gate.id,
  story: [],
  why,
  fix: [
    {
      at: rule.at ?? gate.at ?? gate.id,
      advice: kind === 'shadowed' ? 'take it out, or narrow the other one' : 'change its condition, or take it out',
    },
  ],
})

/** Why no event makes it speak; undefined where none could be made to try it with. */
function whyNever(inquiries: readonly Inquiry[], gate: Gate, rule: Rule): string | undefined {
  const tried = inquiries.map(inquiry => tries(inquiry, rule))
  if (tried.some(one => one.fires)) {
    if (gate.routes?.list.some(route => route.id === rule.id)) return 'a route before it matches first'
    const captured = atomsOf(rule.when).flatMap(atom => (atom.key === 'captured' ? atom.fields : []))
    if (captured.length > 0)
      return `no answer that a \`capture\` accepts has ${captured.map(one => `\`${one.field.slice(one.field.indexOf('/') + 1)}\``).join(', ')} as it wants it`
    return rule.while === undefined
      ? 'the gates are never as it wants them'
      : `the gate is never ${rule.while} when it could`
  }
  if (rule.unless !== undefined && tried.some(one => one.matches))
    return 'its own `unless` exempts all that it speaks of'
  if (isForSure(rule) && isContradictory(rule.when)) return 'it asks for something and for its opposite at once'
  const isPlain = atomsOf(rule.when).every(atom => PLAIN.has(atom.key) || isAboutState(atom))
  return isPlain ? 'nothing can be all that it asks for at once' : undefined
}

const PLAIN: ReadonlySet<string> = new Set([
  'event',
  'caller',
  'action',
  'agent',
  'source',
  'succeeded',
  'gate',
  'captured',
  'since',
])

function tries({ field, oracle, view }: Inquiry, rule: Rule): { readonly fires: boolean; readonly matches: boolean } {
  let matches = false
  for (const { events, call } of [...field.deeds, ...TOLD])
    for (const event of events) {
      if (!view.has(event.kind) || !rule.events.includes(event.kind)) continue
      const { sure, unsure } = mayFire(rule, event, oracle, call?.approved)
      if (sure || unsure) return { fires: true, matches: true }
      matches ||= actsOf(event).some(
        act => (oracle.answers(rule.when, act, event, 'any', call?.approved) & (TRUE | UNKNOWN)) !== 0,
      )
    }
  return { fires: false, matches }
}

const told = (kind: Event['kind']): { readonly events: readonly Event[]; readonly call?: undefined } => ({
  events: [
    {
      kind,
      client: 'proof',
      name: kind,
      session: 'proof',
      caller: { kind: 'main' },
      ...(kind === 'prompt.submit' && { prompt: { text: 'something', source: 'user' } }),
    },
  ],
})
const TOLD = (
  ['session.start', 'session.end', 'prompt.submit', 'compact.before', 'notification', 'other'] as const
).map(told)
