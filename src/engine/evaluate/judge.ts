import { findRouteCandidates } from '../match/route-index.ts'
import type { Truth } from '../match/three-valued.ts'
import type { Action } from '../model/action.ts'
import { urlParts } from '../model/condition.ts'
import type { Gate, Route, RouteTable, Rule, RuleDecision } from '../model/gate.ts'
import type { Verdict } from '../model/verdict.ts'
import { matchPrefiltered } from './condition.ts'
import { actionsOf, type MatchContext } from './match-context.ts'

/** A rule or route that matched, before its gate's mode is applied. */
export interface MatchedRule {
  readonly rule: Route
  readonly act: Action
  /** named parts of the URL that matched */
  readonly named: Readonly<Record<string, string>>
  /** the condition is unknown: `says` is the rule's `unsure` */
  readonly unsure: boolean
  readonly says: RuleDecision
  /** what only a code gate can add: a message to the person, `continue`, `suppressOutput` */
  readonly more?: Omit<Verdict, 'decision' | 'reason' | 'context'>
}

/** Everything that one gate's rules and routes decide about the event. */
export function judgeGate(gate: Gate, scene: MatchContext): readonly MatchedRule[] {
  const fromRules = gate.rules.flatMap(rule => (isConcerned(rule, gate, scene) ? fire(rule, scene) : []))
  return gate.routes ? [...fromRules, ...judgeRoutes(gate, gate.routes, scene)] : fromRules
}

function isConcerned(rule: Rule, gate: Gate, { event, own }: MatchContext): boolean {
  if (!rule.events.includes(event.kind)) return false
  if (rule.while !== undefined && gate.initial !== undefined && rule.while !== own?.state) return false
  return rule.limit === undefined || (own?.fired?.[rule.id] ?? 0) < rule.limit
}

/** Applies the rule to every action. A certain match wins; otherwise the first unknown match decides with `unsure`. */
function fire(rule: Rule, scene: MatchContext): readonly MatchedRule[] {
  let doubtful: Action | undefined
  for (const act of actionsOf(scene.event)) {
    const matched = ruleApplies(rule, act, scene)
    if (matched === 'true') return [firing(rule, act, scene)]
    if (matched === 'unknown') doubtful ??= act
  }
  if (!doubtful || rule.unsure === 'pass' || rule.then === 'allow') return []
  return [{ ...firing(rule, doubtful, scene), says: rule.unsure, unsure: true }]
}

/** `unless` needs certainty: if the exemption is unknown, the rule applies. */
export function ruleApplies(rule: Rule, act: Action, scene: MatchContext): Truth {
  const matched = matchPrefiltered(rule.when, act, scene, rule.then === 'allow' ? 'all' : 'any')
  if (matched === 'false' || !rule.unless) return matched
  return matchPrefiltered(rule.unless, act, scene, 'all') === 'true' ? 'false' : matched
}

const firing = (rule: Rule, act: Action, { regex }: MatchContext): MatchedRule => {
  const named = act.url ? urlParts(rule.when, act.url, regex) : {}
  return { rule, act, named, unsure: false, says: rule.then }
}

/** Routes need certainty: an unknown match is no match. For each action the first matching route ends the search. */
function judgeRoutes(gate: Gate, { list, index }: RouteTable, scene: MatchContext): readonly MatchedRule[] {
  return actionsOf(scene.event).flatMap(act => {
    const routes = findRouteCandidates(index, act.url).flatMap(at => list[at] ?? [])
    const route = routes.find(one => isConcerned(one, gate, scene) && ruleApplies(one, act, scene) === 'true')
    return route && !route.allow ? [firing(route, act, scene)] : []
  })
}
