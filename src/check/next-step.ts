import type { Event, Gate, Result, Rule, Session } from '../core/index.ts'
import { suggestedCalls } from './advice.ts'
import { rulesOf } from './atom.ts'
import type { Call, CallTools } from './call.ts'
import { isRefusal } from './deed.ts'
import { speaksOfShut } from './guarding.ts'
import type { World } from './world.ts'

/** Who is told what, and where. */
export interface Audience {
  readonly by: string
  readonly session: Session
  readonly world: World
  readonly tools: CallTools
}

/** What was asked, and the answer to it. */
interface Answered {
  readonly event: Event
  readonly result: Result
}

/**
 * A call that was suggested is refused. Does the agent know all the same how to go on? It does where each gate that refuses it spoke in
 * the same answer, or names its own next step when it refuses, as the steps of a pipeline do.
 */
export function isExplained(audience: Audience, suggested: Call, by: Gate, told: Answered): boolean {
  const refused = asked(audience, suggested)
  return refusalsIn(refused.result, audience.world).every(id => {
    if (id === by.id) return false
    const spoke = ruleOf(id, told, audience)
    return (spoke && leads(audience, id, spoke, told, [by.id])) || leadsOn(audience, id, refused, [by.id])
  })
}

function asked({ by, session, world }: Audience, call: Call): Answered {
  const event = world.beginning(call, by)
  return { event, result: world.ask(event, session) }
}

/** It waits for a gate, and says for what to begin with. */
function leadsOn(audience: Audience, id: string, refused: Answered, before: readonly string[]): boolean {
  const rule = ruleOf(id, refused, audience)
  if (!rule?.suggest || before.includes(id) || !(rule.while === 'closed' || speaksOfShut(rule))) return false
  return leads(audience, id, rule, refused, before)
}

/** What the rule suggests, if it does, is let through, or is refused by one that leads on in its turn. */
function leads(audience: Audience, id: string, rule: Rule, { event }: Answered, before: readonly string[]): boolean {
  const { world, session, tools } = audience
  const gate = gateOf(id, world)
  if (!gate) return false
  return suggestedCalls(rule, gate, event, session, tools).every(call => {
    const next = asked(audience, call)
    if (next.result.outcome.decision !== 'deny') return true
    return refusalsIn(next.result, world).every(other => leadsOn(audience, other, next, [...before, id]))
  })
}

const gateOf = (id: string, { program }: World): Gate | undefined => program.gates.find(one => one.id === id)

/** The rule by which this gate refused. */
function ruleOf(id: string, { event, result }: Answered, { world }: Audience): Rule | undefined {
  const gate = gateOf(id, world)
  const spoke = result.record.matches.find(one => one.gate === id && isRefusal(one.effect, event.kind, world.view))
  return gate && spoke && rulesOf(gate).find(one => one.id === spoke.rule)
}

/** Ids of the gates that refuse a call, or would if nobody else did. */
export const refusalsIn = ({ record }: Result, { view }: World): readonly string[] =>
  record.matches.filter(one => isRefusal(one.effect, 'tool.before', view)).map(one => one.gate)
