import { actsOf, type Event, type Gate, type Rule } from '../core/index.ts'
import type { Condition, EventKind } from '../pattern/index.ts'
import { type Atom, atomsOf, isAboutState, rulesOf } from './atom.ts'
import { mayFire } from './deed.ts'
import type { Finding } from './finding.ts'
import type { Inquiry } from './inquiry.ts'
import { TRUE, UNKNOWN } from './possible.ts'
import type { Spoken } from './spoken.ts'

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
      if (shadow)
        findings.push(finding('shadowed', gate, rule, `whenever it speaks, ${shadow.name} (${shadow.at}) says more`))
      if (spoken.isHeard(gate.id, rule.id)) continue
      const why = whyNever(inquiries, gate, rule)
      // where nobody tells of such an event, a note says so
      const isTold = inquiries.some(({ view }) => rule.events.some(kind => view.has(kind)))
      if (why === undefined && !isTold) continue
      if (why === undefined) unjudged.push(`${gate.name}/${rule.id}`)
      else findings.push(finding('unreachable', gate, rule, why))
    }
  return { findings: [...findings, ...gates.flatMap(neverHappening)], unjudged }
}

/** Events with a call in them, and with a prompt in them. */
const WITH: Readonly<Record<'call' | 'prompt', readonly EventKind[]>> = {
  call: ['tool.before', 'permission.request', 'tool.after', 'tool.failed'],
  prompt: ['prompt.submit', 'agent.start', 'session.start'],
}
const PART_OF: Readonly<Partial<Record<Atom['key'], keyof typeof WITH>>> = {
  ...{ tool: 'call', command: 'call', path: 'call', url: 'call' },
  prompt: 'prompt',
}

/** Transitions that ask an event for what no such event has, or for something and its opposite. */
const neverHappening = (gate: Gate): readonly Finding[] =>
  gate.transitions.flatMap(({ id, at, to, when, events, clock }) => {
    if (clock) return []
    const parts = partsOf(when)
    const lacking = parts.find(one => {
      const part = 'key' in one ? PART_OF[one.key] : undefined
      return part !== undefined && !events.some(kind => WITH[part].includes(kind))
    })
    const names = events.map(kind => `\`${kind}\``).join(', ')
    const why =
      lacking && 'key' in lacking
        ? `${names} has no \`${lacking.key}\``
        : // what closes may want just what cannot be told
          isNoCommand(when) || (to === 'open' && isOpposed(when))
          ? 'it asks for something and for its opposite at once'
          : undefined
    if (why === undefined) return []
    const what = `transition ${gate.name}/${id} can never happen`
    const fix = [{ at: at ?? gate.at ?? gate.id, advice: 'change its condition, or take it out' }]
    return [{ kind: 'unreachable', what, on: [], gate: gate.id, story: [], why, fix }]
  })

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
    return rule.while === undefined
      ? 'the gates are never as it wants them'
      : `the gate is never ${rule.while} when it could`
  }
  if (tried.some(one => one.matches)) return 'its own `unless` exempts all that it speaks of'
  // one that refuses what cannot be told may want just that
  const isForSure = rule.unsure === 'warn' || rule.unsure === 'pass'
  if (isForSure && isContradictory(rule.when)) return 'it asks for something and for its opposite at once'
  const isPlain = atomsOf(rule.when).every(atom => PLAIN.has(atom.key) || isAboutState(atom))
  return isPlain ? 'nothing can be all that it asks for at once' : undefined
}

/** What is asked for and ruled out in one breath, or is no command and yet has one. */
const isContradictory = (condition: Condition): boolean => isOpposed(condition) || isNoCommand(condition)

const partsOf = (condition: Condition): readonly Condition[] => ('all' in condition ? condition.all : [condition])

function isOpposed(condition: Condition): boolean {
  const parts = partsOf(condition)
  const wanted = new Set(parts.filter(one => !('not' in one)).map(one => JSON.stringify(one)))
  return parts.some(one => 'not' in one && wanted.has(JSON.stringify(one.not)))
}

function isNoCommand(condition: Condition): boolean {
  const parts = partsOf(condition)
  const isRun = (one: Condition): boolean => !('key' in one) || one.key !== 'action' || one.in.includes('run')
  return parts.some(one => 'key' in one && one.key === 'command') && !parts.every(isRun)
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
