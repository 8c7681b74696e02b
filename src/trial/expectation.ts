import type { Gate, Result } from '../core/index.ts'
import type { Regex } from '../pattern/index.ts'
import type { ExpectationDoc } from '../policy/tests.ts'
import type { Stage } from './stage.ts'

/** What was wanted and what came, in words. */
export interface Mismatch {
  readonly key: string
  readonly expected: string
  readonly got: string
}

type Whole = Exclude<ExpectationDoc, string>

export const wholeOf = (doc: ExpectationDoc): Whole => (typeof doc === 'string' ? { decision: doc } : doc)

/** Every part of the expectation that is not met. */
export function mismatches(expected: Whole, result: Result, stage: Stage): readonly Mismatch[] {
  const { outcome } = result
  const { regex, program } = stage.setting
  const wrong: Mismatch[] = []
  const want = (met: boolean, key: string, wanted: string, got: string): void => {
    if (!met) wrong.push({ key, expected: wanted, got })
  }
  const { decision, gate, rule, gates = {} } = expected
  const said = decisionOf(result)
  const isPassing = outcome.decision === 'pass'
  if (decision !== undefined)
    want(
      decision === said || (decision === 'pass' && isPassing),
      'decision',
      loud(decision),
      gotWords(decision, result),
    )
  const spoke = isPassing ? result.record.matches : decidersOf(result.record)
  if (gate !== undefined)
    want(
      spoke.some(one => isNamed(one.gate, gate)),
      'gate',
      `gate ${gate}`,
      whoSpoke(spoke),
    )
  if (rule !== undefined)
    want(
      spoke.some(one => one.rule === rule && (gate === undefined || isNamed(one.gate, gate))),
      'rule',
      `rule ${rule}`,
      whoSpoke(spoke),
    )
  for (const key of ['reason', 'context', 'message'] as const)
    for (const part of [expected[key] ?? []].flat())
      want(has(outcome[key], part, regex), key, `${key} with ${partText(part)}`, JSON.stringify(outcome[key]))
  for (const [name, state] of Object.entries(gates)) {
    const [gateName = '', agent] = name.split('@')
    const found = gateNamed(program.gates, gateName)
    const got = found && stage.stateOf(found, result, agent)
    want(got === state, `gates.${name}`, `${name} ${state}`, `${name} ${got}`)
  }
  return wrong
}

type Part = string | { readonly regex: string }

const has = (text: string, part: Part, regex: Regex): boolean =>
  typeof part === 'string' ? text.toLowerCase().includes(part.toLowerCase()) : regex.search(part.regex, text) !== null

const partText = (part: Part): string => (typeof part === 'string' ? JSON.stringify(part) : `/${part.regex}/`)

/** `warn` is a pass that is not silent. */
function decisionOf({ outcome, record }: Result): string {
  if (outcome.decision !== 'pass') return outcome.decision
  return record.matches.some(one => one.effect === 'warn') ? 'warn' : 'pass'
}

const loud = (decision: string): string =>
  decision === 'deny' || decision === 'ask' ? decision.toUpperCase() : decision

/** Whose word it was, and the first line of it. */
function gotWords(wanted: string, result: Result): string {
  const { record, outcome } = result
  const said = decisionOf(result)
  const [line = ''] = outcome.reason.split('\n', 1)
  if (record.gate) return `${loud(said)} by ${shortId(record.gate)}, ${record.rule}: ${line}`
  const silent = record.matches.filter(one => one.effect === 'none')
  if (silent.length > 0 && said === 'pass')
    return `pass: ${silent.map(one => `${shortId(one.gate)}, ${one.rule} only ${one.bypassed ? 'stood by, bypassed' : 'observes'}`).join('; ')}`
  return wanted === 'allow' && said === 'pass' ? 'pass: no rule says `allow`, and none stops it' : loud(said)
}

/** Whoever said what was decided, first the one that is named for it: several may refuse the same call. */
function decidersOf({ gate = '', rule = '', matches }: Result['record']): readonly Speaker[] {
  const isNamedFor = (one: Speaker): boolean => one.gate === gate && one.rule === rule
  const said = matches.find(isNamedFor)?.effect
  return [{ gate, rule }, ...matches.filter(one => one.effect === said && !isNamedFor(one))]
}

interface Speaker {
  readonly gate: string
  readonly rule: string
}

const whoSpoke = (spoke: readonly Speaker[]): string => {
  const named = spoke.filter(one => one.gate !== '').map(one => `${shortId(one.gate)}, ${one.rule}`)
  return named.length === 0 ? 'nobody spoke' : named.join('; ')
}

export const shortId = (id: string): string => id.slice(id.lastIndexOf('/') + 1)

/** `gate`, or `layer/gate`. */
export const isNamed = (id: string, name: string): boolean => id === name || id.endsWith(`/${name}`)

export const gateNamed = (gates: readonly Gate[], name: string): Gate | undefined =>
  gates.find(gate => gate.id === name) ?? gates.find(gate => gate.name === name)
