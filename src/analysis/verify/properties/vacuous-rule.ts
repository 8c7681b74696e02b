import { actionsOf, type Event, type Gate, type Rule } from '../../../engine/index.ts'
import { atomsOf, isStateDependent, rulesOf } from '../abstraction/condition-atoms.ts'
import { attributeKeysOf, isVagueAtom } from '../abstraction/input-partitioning/pattern-sampler.ts'
import { TRUE_BIT, UNKNOWN_BIT } from '../abstraction/may-must-evaluator.ts'
import type { AnalysisContext } from '../analysis-context.ts'
import type { VerificationFinding } from '../report/finding.ts'
import { mayRuleFire } from '../system/agent-action.ts'
import {
  explainContradiction,
  findImpossibleTransitions,
  isContradictory,
  isLenientWhenUnknown,
} from './contradiction.ts'
import { mayFireConcurrently } from './rule-coverage/concurrent-coverage.ts'
import type { RuleCoverage } from './rule-coverage/rule-coverage.ts'
import { findUnsendableCall } from './unsendable-calls.ts'

/** Rules that never fire or never change an outcome. `undecided` lists rules for which no event could be built. */
export interface VacuousRules {
  readonly findings: readonly VerificationFinding[]
  readonly undecided: readonly string[]
}

export function findVacuousRules(
  contexts: readonly AnalysisContext[],
  gates: readonly Gate[],
  coverage: RuleCoverage,
): VacuousRules {
  const findings: VerificationFinding[] = []
  const undecided: string[] = []
  for (const gate of gates)
    for (const rule of rulesOf(gate)) {
      if (('allow' in rule && rule.allow === true) || isSwitchedOff(rule)) continue
      const shadow = coverage.hasFired(gate.id, rule.id)
        ? contexts.map(context => coverage.shadowOf(gate.id, rule.id, context.program)).find(Boolean)
        : undefined
      const isVague = contexts.some(({ incomplete }) => vagueKeysIn(rule).some(key => incomplete.has(key)))
      if (shadow && isVague) undecided.push(ruleLabel(gate, rule))
      else if (shadow)
        findings.push(
          vacuousRuleFinding('shadowed', gate, rule, `whenever it matches, ${shadow.name} (${shadow.at}) is stricter`),
        )
      if (coverage.hasFired(gate.id, rule.id)) continue
      const contradiction = explainContradiction(rule)
      // no client sends such an event: a note reports that
      const isSent = contexts.some(({ profile }) => rule.events.some(kind => profile.sendsEvent(kind)))
      if (contradiction === undefined && !isSent) continue
      if (
        contradiction === undefined &&
        (mayInterleaveBeforeStart(gate, rule) || contexts.some(context => isUnsendableRule(context, rule)))
      )
        continue
      if (contradiction === undefined && contexts.some(context => mayFireConcurrently(context, gate, rule, coverage))) {
        if (!coverage.hasFired(gate.id, rule.id)) undecided.push(ruleLabel(gate, rule))
        continue
      }
      const why = contradiction ?? (isVague ? undefined : explainNeverFiring(contexts, gate, rule))
      if (why === undefined) undecided.push(ruleLabel(gate, rule))
      else findings.push(vacuousRuleFinding('unreachable', gate, rule, why))
    }
  return { findings: [...findings, ...gates.flatMap(findImpossibleTransitions)], undecided }
}

/** Between the spawning call and the agent's start, a prompt or another call may move gates. That is not explored. */
const mayInterleaveBeforeStart = ({ transitions }: Gate, { events, when, while: state }: Rule): boolean =>
  events.every(kind => kind === 'agent.start') &&
  (state === undefined ? atomsOf(when).some(isStateDependent) : transitions.some(transition => transition.to === state))

/** The rule matches only calls that none of the checked clients can send: a note reports that. */
const isUnsendableRule = (context: AnalysisContext, rule: Rule): boolean =>
  findUnsendableCall(context, (event, approved) => {
    const { sure, unsure } = mayRuleFire(rule, event, context.mayMust, approved)
    return (sure || unsure) && !context.profile.canSend(event)
  }) !== undefined

const ruleLabel = (gate: Gate, rule: Rule): string =>
  `${gate.name}/${rule.id}${rule.at === undefined ? '' : ` (${rule.at})`}`

/** Free-text attributes that the rule tests. If they are vague, an untried text may make it fire. */
const vagueKeysIn = ({ when, unless }: Rule): readonly string[] =>
  [...atomsOf(when), ...(unless ? atomsOf(unless) : [])].filter(isVagueAtom).flatMap(attributeKeysOf)

/** A pack option without values or an empty set makes the rule inactive on purpose. */
const isSwitchedOff = ({ when }: Rule): boolean =>
  atomsOf(when).some(
    atom =>
      ('in' in atom && atom.in.length === 0) || ('fields' in atom && atom.fields.some(field => field.in.length === 0)),
  )

const vacuousRuleFinding = (
  kind: 'shadowed' | 'unreachable',
  gate: Gate,
  rule: Rule,
  why: string,
): VerificationFinding => ({
  kind,
  what:
    kind === 'shadowed'
      ? `rule ${gate.name}/${rule.id} never makes a difference`
      : `rule ${gate.name}/${rule.id} can never match`,
  clients: [],
  gate: gate.id,
  counterexample: [],
  why,
  fix: [
    {
      at: rule.at ?? gate.at ?? gate.id,
      advice: kind === 'shadowed' ? 'remove it, or narrow the other rule' : 'change its condition, or remove it',
    },
  ],
})

/** Explains why no event makes the rule fire. Undefined: no event could be built to try it. */
function explainNeverFiring(contexts: readonly AnalysisContext[], gate: Gate, rule: Rule): string | undefined {
  const tried = contexts.map(context => tryRule(context, rule))
  if (tried.some(one => one.fires)) {
    if (gate.routes?.list.some(route => route.id === rule.id)) return 'a route before it matches first'
    const captured = atomsOf(rule.when).flatMap(atom => (atom.key === 'captured' ? atom.fields : []))
    if (captured.length > 0)
      return `no answer that a \`capture\` accepts has ${captured.map(field => `\`${field.field.slice(field.field.indexOf('/') + 1)}\``).join(', ')} as the condition requires`
    return rule.while === undefined
      ? 'the gates are never in the states it requires'
      : `the gate is never ${rule.while} when it could`
  }
  if (rule.unless !== undefined && tried.some(one => one.matches))
    return 'its own `unless` exempts everything it matches'
  if (isLenientWhenUnknown(rule) && isContradictory(rule.when)) return 'its conditions contradict each other'
  const isPlain = atomsOf(rule.when).every(atom => ENUMERABLE_KEYS.has(atom.key) || isStateDependent(atom))
  return isPlain ? 'no event can meet all its conditions' : undefined
}

const ENUMERABLE_KEYS: ReadonlySet<string> = new Set([
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

function tryRule(
  { dependencies, mayMust, profile }: AnalysisContext,
  rule: Rule,
): { readonly fires: boolean; readonly matches: boolean } {
  let matches = false
  for (const { events, call } of [...dependencies.actions, ...BARE_EVENTS])
    for (const event of events) {
      if (!profile.sendsEvent(event.kind) || !rule.events.includes(event.kind)) continue
      const { sure, unsure } = mayRuleFire(rule, event, mayMust, call?.isApproved)
      if (sure || unsure) return { fires: true, matches: true }
      matches ||= actionsOf(event).some(
        act => (mayMust.truthSetOf(rule.when, act, event, 'any', call?.isApproved) & (TRUE_BIT | UNKNOWN_BIT)) !== 0,
      )
    }
  return { fires: false, matches }
}

const bareEventOf = (kind: Event['kind']): { readonly events: readonly Event[]; readonly call?: undefined } => ({
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
const BARE_EVENTS = (
  ['session.start', 'session.end', 'prompt.submit', 'compact.before', 'notification', 'other'] as const
).map(bareEventOf)
