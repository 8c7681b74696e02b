import type { EvaluationResult, Gate, Regex } from '../../engine/index.ts'
import type { Policy } from '../../policy/index.ts'
import type { ExpectationDoc } from '../../policy/parse/policy-tests.ts'
import { gateStateIn } from '../simulator/index.ts'

/** An unmet part of an expectation, in words. */
export interface Mismatch {
  readonly key: string
  readonly expected: string
  readonly got: string
}

type ExpectationDetails = Exclude<ExpectationDoc, string>

export const normalizeExpectation = (doc: ExpectationDoc): ExpectationDetails =>
  typeof doc === 'string' ? { decision: doc } : doc

/** All parts of the expectation that are not met. */
export function findMismatches(
  expected: ExpectationDetails,
  result: EvaluationResult,
  { program, regex }: { readonly program: Policy; readonly regex: Regex },
): readonly Mismatch[] {
  const { outcome } = result
  const wrong: Mismatch[] = []
  const want = (met: boolean, key: string, wanted: string, got: string): void => {
    if (!met) wrong.push({ key, expected: wanted, got })
  }
  const { decision, gate, rule, gates = {} } = expected
  const actual = observedDecision(result)
  const isPassing = outcome.decision === 'pass'
  if (decision !== undefined)
    want(
      decision === actual || (decision === 'pass' && isPassing),
      'decision',
      emphasizeDecision(decision),
      describeActual(decision, result),
    )
  const deciding = isPassing ? result.record.matches : decidingRules(result.record)
  if (gate !== undefined)
    want(
      deciding.some(decidingRule => isGateNamed(decidingRule.gate, gate)),
      'gate',
      `gate ${gate}`,
      describeDecidingRules(deciding),
    )
  if (rule !== undefined)
    want(
      deciding.some(
        decidingRule => decidingRule.rule === rule && (gate === undefined || isGateNamed(decidingRule.gate, gate)),
      ),
      'rule',
      `rule ${rule}`,
      describeDecidingRules(deciding),
    )
  for (const key of ['reason', 'context', 'message'] as const)
    for (const part of [expected[key] ?? []].flat())
      want(
        matchesTextExpectation(outcome[key], part, regex),
        key,
        `${key} with ${textExpectationText(part)}`,
        JSON.stringify(outcome[key]),
      )
  for (const [name, state] of Object.entries(gates)) {
    const [gateName = '', agent] = name.split('@')
    const found = findGateByName(program.gates, gateName)
    const got = found && gateStateIn(result.session, found, agent)
    want(got === state, `gates.${name}`, `${name} ${state}`, `${name} ${got}`)
  }
  return wrong
}

type TextExpectation = string | { readonly regex: string }

const matchesTextExpectation = (text: string, part: TextExpectation, regex: Regex): boolean =>
  typeof part === 'string' ? text.toLowerCase().includes(part.toLowerCase()) : regex.search(part.regex, text) !== null

const textExpectationText = (part: TextExpectation): string =>
  typeof part === 'string' ? JSON.stringify(part) : `/${part.regex}/`

/** The outcome's decision, or `warn` if it is `pass` and a rule warns. */
function observedDecision({ outcome, record }: EvaluationResult): string {
  if (outcome.decision !== 'pass') return outcome.decision
  return record.matches.some(match => match.effect === 'warn') ? 'warn' : 'pass'
}

const emphasizeDecision = (decision: string): string =>
  decision === 'deny' || decision === 'ask' ? decision.toUpperCase() : decision

/** The actual decision, the deciding rule and the first line of its reason. */
function describeActual(wanted: string, result: EvaluationResult): string {
  const { record, outcome } = result
  const actual = observedDecision(result)
  const [line = ''] = outcome.reason.split('\n', 1)
  if (record.gate) return `${emphasizeDecision(actual)} by ${withoutLayer(record.gate)}, ${record.rule}: ${line}`
  const silent = record.matches.filter(match => match.effect === 'none')
  if (silent.length > 0 && actual === 'pass')
    return `pass: ${silent.map(match => `${withoutLayer(match.gate)}, ${match.rule} ${match.bypassed ? 'was bypassed' : 'only observes'}`).join('; ')}`
  return wanted === 'allow' && actual === 'pass'
    ? 'pass: no rule allows it and no rule denies it'
    : emphasizeDecision(actual)
}

/** The recorded rule first, then all other rules with the same effect: several rules can deny the same call. */
function decidingRules({ gate = '', rule = '', matches }: EvaluationResult['record']): readonly DecidingRule[] {
  const isNamedFor = (decidingRule: DecidingRule): boolean => decidingRule.gate === gate && decidingRule.rule === rule
  const effect = matches.find(isNamedFor)?.effect
  return [{ gate, rule }, ...matches.filter(match => match.effect === effect && !isNamedFor(match))]
}

interface DecidingRule {
  readonly gate: string
  readonly rule: string
}

const describeDecidingRules = (rules: readonly DecidingRule[]): string => {
  const named = rules.filter(rule => rule.gate !== '').map(rule => `${withoutLayer(rule.gate)}, ${rule.rule}`)
  return named.length === 0 ? 'no rule matched' : named.join('; ')
}

export const withoutLayer = (id: string): string => id.slice(id.lastIndexOf('/') + 1)

/** `name` is the full id (`layer/gate`) or the gate's name. */
export const isGateNamed = (id: string, name: string): boolean => id === name || id.endsWith(`/${name}`)

export const findGateByName = (gates: readonly Gate[], name: string): Gate | undefined =>
  gates.find(gate => gate.id === name) ?? gates.find(gate => gate.name === name)
