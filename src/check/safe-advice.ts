import { actsOf, type Event, type Gate, newSession, type Rule } from '../core/index.ts'
import { suggestedCalls } from './advice.ts'
import { atomsOf, isAboutState, rulesOf } from './atom.ts'
import { callDeed, type Deed, isRefusal, mayBeRefusedBy, mayFire, mayHappen, refusable } from './deed.ts'
import { speaksOfShut } from './guarding.ts'
import type { Inquiry } from './inquiry.ts'
import { TRUE } from './possible.ts'

/** A rule may fire on the event, and then suggests this to whoever caused it. */
interface Advised {
  readonly rule: Rule
  readonly event: Event
  readonly deed: Deed
  readonly approved: boolean
}

/** What the gate's rules may suggest, as deeds. */
export function advisedBy(inquiry: Inquiry, gate: Gate): readonly Deed[] {
  const spawns = rulesOf(gate).some(rule => isFilled(rule) && 'agent' in Object(rule.suggest))
  // a spawn that is suggested is the one that starts somebody
  const known = new Map(inquiry.field.deeds.map(deed => [deed.key, deed]))
  return [
    ...(spawns ? inquiry.field.deeds.filter(deed => deed.spawns) : []),
    ...adviceOf(inquiry, gate).map(({ deed }) => known.get(deed.key) ?? deed),
  ]
}

/**
 * Nothing it suggests leads astray, whatever the states are: nobody refuses it, or whoever does has refused in the same
 * answer, and what that one suggests nobody refuses, or it names its own next step.
 */
export function isSafe(inquiry: Inquiry, gate: Gate): boolean {
  if (rulesOf(gate).some(rule => isRecalled(rule, gate))) return false
  return adviceOf(inquiry, gate).every(one =>
    inquiry.field.refusers(one.deed).every(other =>
      rulesOf(other)
        .filter(rule => mayRefuse(inquiry, rule, one))
        .every(
          rule =>
            other !== gate &&
            (isHeardBefore(inquiry, rule, other, one) || isNextStep(inquiry, rule, other, one.deed, [gate])),
        ),
    ),
  )
}

/** It waits for a gate of its own and says what comes before the deed, which nobody refuses, or only who says so in turn. */
function isNextStep(inquiry: Inquiry, rule: Rule, gate: Gate, deed: Deed, before: readonly Gate[]): boolean {
  const [event] = deed.events
  if (!event || rule.suggest === undefined || before.includes(gate) || isFilled(rule)) return false
  if (rule.while !== 'closed' && !speaksOfShut(rule)) return false
  return suggestedTo(inquiry, rule, gate, deed.by, event).every(next =>
    inquiry.field.refusers(next).every(other =>
      rulesOf(other)
        .filter(one => refusesDeed(inquiry, one, next))
        .every(one => isNextStep(inquiry, one, other, next, [...before, gate])),
    ),
  )
}

const refusesDeed = ({ oracle, view }: Inquiry, rule: Rule, deed: Deed): boolean =>
  refusable(deed).some(event => mayBeRefusedBy(rule, event, oracle, view, deed.call?.approved))

export const isFilled = ({ suggest }: Rule): boolean =>
  suggest !== undefined && JSON.stringify(suggest).slice(1).includes('{')

/** … with what was captured: then it depends on the states. All else that is filled in is of the event. */
const isRecalled = (rule: Rule, { transitions }: Gate): boolean =>
  isFilled(rule) && (transitions.some(one => one.capture) || /\{[^{}"]*\.[^{}"]*\}/.test(JSON.stringify(rule.suggest)))

const ADVICE = new WeakMap<Inquiry, Map<Gate, readonly Advised[]>>()

/** … with the event at which each is heard. */
export function adviceOf(inquiry: Inquiry, gate: Gate): readonly Advised[] {
  const known = ADVICE.get(inquiry) ?? new Map<Gate, readonly Advised[]>()
  ADVICE.set(inquiry, known)
  const found = known.get(gate) ?? madeAdvice(inquiry, gate)
  known.set(gate, found)
  return found
}

function madeAdvice(inquiry: Inquiry, gate: Gate): readonly Advised[] {
  const { kinds, oracle } = inquiry
  return rulesOf(gate).flatMap(rule => {
    if (rule.suggest === undefined) return []
    const known = new Map<string, readonly Deed[]>()
    const suggested = (by: string, event: Event): readonly Deed[] => {
      // made of the event, or the same to everybody
      const found = isFilled(rule) ? undefined : known.get(by)
      const deeds = found ?? suggestedTo(inquiry, rule, gate, by, event)
      known.set(by, deeds)
      return deeds
    }
    return kinds.flatMap(({ by, events, call }) =>
      events.flatMap(event => {
        const { sure, unsure } = mayFire(rule, event, oracle, call?.approved)
        if (!sure && !unsure) return []
        return suggested(by, event).map(deed => ({ rule, event, deed, approved: call?.approved ?? false }))
      }),
    )
  })
}

const suggestedTo = ({ view, tools }: Inquiry, rule: Rule, gate: Gate, by: string, event: Event): readonly Deed[] =>
  suggestedCalls(rule, gate, { ...event, client: view.clients[0] ?? '' }, newSession('proof', '/', 0), tools).map(
    call => callDeed(call, by, view),
  )

/** Whoever was taken for the caller before is so again; a spawn tells its caller where other calls do not. */
const mayRefuse = ({ oracle, view }: Inquiry, rule: Rule, { deed, event: before }: Advised): boolean =>
  refusable(deed)
    .filter(({ caller }) => before.call?.tool === 'Agent' || caller.kind === before.caller.kind)
    .some(event => mayBeRefusedBy(rule, event, oracle, view, deed.call?.approved))

/** In whatever state it would refuse what is suggested, it has refused the event too, and leads on. */
function isHeardBefore(inquiry: Inquiry, rule: Rule, gate: Gate, { event, approved }: Advised): boolean {
  const { oracle, view, field } = inquiry
  const asked = [rule.when, ...(rule.unless ? [rule.unless] : [])].flatMap(atomsOf)
  if (
    !isRefusal(rule.then, event.kind, view) ||
    !view.refuses(event.kind) ||
    rule.limit !== undefined ||
    asked.some(isAboutState)
  )
    return false
  if (!rule.events.includes(event.kind)) return false
  const fires = actsOf(event).some(
    act =>
      oracle.answers(rule.when, act, event, 'any', approved) === TRUE &&
      (!rule.unless || (oracle.answers(rule.unless, act, event, 'all', approved) & TRUE) === 0),
  )
  // what is refused opens nothing, and yet its rules would have seen it open; what passes may close it
  const moves = gate.transitions.some(step => step.clock || mayHappen(step, event, oracle, approved))
  if (!fires || moves || isRecalled(rule, gate)) return false
  const by = event.caller.kind === 'agent' ? (event.caller.type ?? event.caller.id) : 'main'
  return suggestedTo(inquiry, rule, gate, by, event).every(deed => field.refusers(deed).length === 0)
}
