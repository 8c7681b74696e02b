import {
  type Action,
  actionsOf,
  findRouteCandidates,
  type Gate,
  type MatchContext,
  type Route,
  type Rule,
  type RuleDecision,
  type Truth,
} from '../../engine/index.ts'
import { actionText } from './actual-value.ts'
import { type ConditionTrace, isNearMiss, traceCondition, unmetLeafCount } from './condition-trace.ts'

/**
 * Result of a rule. `unsure`: the match is unknown, so its `unsure` decision applies; `exempt`: `unless` covers every match;
 * `near`: a single leaf is unmet; `before`: an earlier route matched the same action.
 */
export type RuleOutcome =
  | 'fires'
  | 'unsure'
  | 'lets'
  | 'exempt'
  | 'near'
  | 'no'
  | 'event'
  | 'state'
  | 'limit'
  | 'before'

export interface RuleTrace {
  readonly rule: string
  readonly kind: 'rule' | 'route'
  readonly decision: RuleDecision
  readonly result: RuleOutcome
  /** the rule would fire if `fate` did not prevent it */
  readonly wouldMatch: boolean
  /** the action that decided the result, or came nearest */
  readonly action: string
  readonly while?: string
  readonly when: ConditionTrace
  readonly unless?: ConditionTrace
  readonly at?: string
}

interface ActionTrace {
  readonly act: Action
  readonly when: ConditionTrace
  readonly unless?: ConditionTrace
  readonly truth: Truth
}

/** `unless` exempts only if it is certainly true: unknown does not exempt. */
function traceAction(rule: Rule, action: Action, context: MatchContext): ActionTrace {
  const when = traceCondition(rule.when, action, context, rule.then === 'allow' ? 'all' : 'any')
  if (!rule.unless) return { act: action, when, truth: when.truth }
  const unless = traceCondition(rule.unless, action, context, 'all')
  return { act: action, when, unless, truth: unless.truth === 'true' ? 'false' : when.truth }
}

export function traceRule(rule: Rule, gate: Gate, context: MatchContext): RuleTrace {
  const tried = actionsOf(context.event).map(action => traceAction(rule, action, context))
  const sure = tried.find(trace => trace.truth === 'true')
  const doubtful = tried.find(trace => trace.truth === 'unknown')
  const isSilent = rule.unsure === 'pass' || rule.then === 'allow'
  const fires = sure !== undefined || (doubtful !== undefined && !isSilent)
  const shown = sure ?? doubtful ?? tried.find(isExempt) ?? nearestTrace(tried)
  const skipped = skipReason(rule, gate, context)
  const fate = skipped ?? (sure ? 'fires' : fires ? 'unsure' : unmatchedOutcomeOf(shown))
  const decision = sure || !doubtful || rule.unsure === 'pass' ? rule.then : rule.unsure
  return toRuleTrace(rule, 'rule', shown, { result: fate, decision, wouldMatch: fires })
}

function toRuleTrace(
  rule: Rule,
  kind: RuleTrace['kind'],
  { act, when, unless }: ActionTrace,
  result: Pick<RuleTrace, 'result' | 'decision' | 'wouldMatch'>,
): RuleTrace {
  return {
    rule: rule.id,
    kind,
    ...result,
    action: actionText(act),
    ...(rule.while && { while: rule.while }),
    when,
    ...(unless && { unless }),
    ...(rule.at && { at: rule.at }),
  }
}

const isExempt = ({ when, unless }: ActionTrace): boolean => when.truth !== 'false' && unless?.truth === 'true'

const unmatchedOutcomeOf = (tried: ActionTrace): RuleOutcome =>
  isExempt(tried) ? 'exempt' : tried.when.truth === 'false' && isNearMiss(tried.when) ? 'near' : 'no'

const nearestTrace = (tried: readonly ActionTrace[]): ActionTrace => {
  const [first, ...rest] = tried
  if (!first) throw new Error('an event has at least one action')
  return rest.reduce(
    (best, trace) => (unmetLeafCount(trace.when, true) < unmetLeafCount(best.when, true) ? trace : best),
    first,
  )
}

/** Why a rule is not evaluated at all. */
function skipReason(rule: Rule, gate: Gate, { event, own }: MatchContext): 'event' | 'state' | 'limit' | undefined {
  if (!rule.events.includes(event.kind)) return 'event'
  if (rule.while !== undefined && gate.initial !== undefined && rule.while !== own?.state) return 'state'
  return rule.limit !== undefined && (own?.fired?.[rule.id] ?? 0) >= rule.limit ? 'limit' : undefined
}

const MAX_ROUTES = 50

/** Traces, for each action, the first `MAX_ROUTES` routes that can match, or more if the first match comes later. */
export function traceRoutes(gate: Gate, context: MatchContext): readonly RuleTrace[] {
  const { list, index } = gate.routes ?? { list: [], index: { hosts: {}, grams: {}, rest: [] } }
  return actionsOf(context.event).flatMap(action => {
    const routes = findRouteCandidates(index, action.url).flatMap(at => list[at] ?? [])
    const end = routes.findIndex(
      route => !skipReason(route, gate, context) && traceAction(route, action, context).truth === 'true',
    )
    return routes
      .slice(0, Math.max(MAX_ROUTES, end + 1))
      .map((route, nth) => traceRoute(route, action, gate, context, nth, end))
  })
}

function traceRoute(
  route: Route,
  action: Action,
  gate: Gate,
  context: MatchContext,
  nth: number,
  end: number,
): RuleTrace {
  const tried = traceAction(route, action, context)
  const would = tried.truth === 'true'
  const met = nth === end ? (route.allow ? 'lets' : 'fires') : would ? 'before' : unmatchedOutcomeOf(tried)
  return toRuleTrace(route, 'route', tried, {
    result: skipReason(route, gate, context) ?? met,
    decision: route.then,
    wouldMatch: would,
  })
}
