import { type Client, clients } from '../../clients/index.ts'
import type { Gate } from '../../engine/index.ts'
import type { Policy, PolicyError } from '../../policy/index.ts'
import { SourceMap, type TestDoc, type TestStepDoc, type TestsDoc } from '../../policy/parse/policy-tests.ts'
import { reportProblem, type TestDiagnostics } from './diagnostics.ts'
import { findGateByName, isGateNamed, normalizeExpectation } from './expectation.ts'
import { validateAgentState, validateExpectation } from './validate-expectation.ts'

/** The clients that a test names; reports unknown ones. */
export function clientsOfTest(doc: TestsDoc | TestDoc | TestStepDoc, diagnostics: TestDiagnostics): readonly Client[] {
  const named = [doc.client ?? []].flat()
  if (doc.client !== undefined && named.length === 0)
    reportProblem(diagnostics, doc, 'client', '`client` is empty: name one, or remove it')
  return named.flatMap(id => {
    const found = clients.find(client => client.id === id)
    if (!found)
      reportProblem(diagnostics, doc, 'client', `unknown client \`${id}\``, {
        known: clients.map(client => client.id),
        written: id,
      })
    return found ?? []
  })
}

/** Reports names that the policy does not have and tests without expectations: such a test could never fail. */
export function validateTest(
  test: TestDoc,
  holder: TestsDoc | TestDoc,
  { gates }: Policy,
  diagnostics: TestDiagnostics,
): void {
  for (const name of Object.keys(holder.given ?? {})) validateGateState(holder.given ?? {}, name, gates, diagnostics)
  const isSilent = !test.events.some(
    step => step.expect !== undefined && Object.keys(normalizeExpectation(step.expect)).length > 0,
  )
  // If part of the test could not be read, its expectation may be in that part.
  if (isSilent && !diagnostics.partial.has(test))
    reportProblem(
      diagnostics,
      test,
      'name',
      `test \`${test.name}\` expects nothing: give one of its events an \`expect\``,
    )
  for (const step of test.events) validateStep(step, test, gates, diagnostics)
}

function validateStep(step: TestStepDoc, test: TestDoc, gates: readonly Gate[], diagnostics: TestDiagnostics): void {
  clientsOfTest(step, diagnostics)
  validateKeys(step, diagnostics)
  if (step.expect === undefined || typeof step.expect === 'string') return
  const { expect } = step
  validateExpectation(step, expect, diagnostics)
  for (const key of ['reason', 'context', 'message'] as const)
    for (const part of [expect[key] ?? []].flat()) {
      const problem = typeof part === 'string' ? null : diagnostics.checkRegex(part.regex)
      if (problem !== null)
        reportProblem(diagnostics, expect, key, `the regex of \`${key}\` cannot be used: ${problem}`)
    }
  if (expect.gate !== undefined) validateGate(expect, 'gate', expect.gate, gates, diagnostics)
  for (const name of Object.keys(expect.gates ?? {}))
    validateGateState(expect.gates ?? {}, name, gates, diagnostics, test)
  if (expect.rule === undefined) return
  const meant = gates.filter(gate => expect.gate === undefined || isGateNamed(gate.id, expect.gate))
  const rules = meant.flatMap(ruleIdsOf)
  const where = expect.gate === undefined ? 'the policy' : `gate \`${expect.gate}\``
  if (meant.length > 0 && !rules.includes(expect.rule))
    reportProblem(diagnostics, expect, 'rule', `unknown rule \`${expect.rule}\` in ${where}`, {
      known: suggestedRuleIds(rules, gates, expect.gate),
      written: expect.rule,
    })
}

const CALL_KEYS = ['shell', 'write', 'edit', 'read', 'delete', 'fetch', 'spawn', 'tool']
const EVENT_KEYS = [...CALL_KEYS, 'prompt', 'stops', 'starts', 'stop', 'payload']

/** The event keys that each of these keys needs; with any other event the key would be ignored. */
const KEYS_REQUIRED_BY: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['after', 'output', 'input', 'background', 'signed'].map(key => [key, CALL_KEYS])),
  ...Object.fromEntries(['path', 'url', 'command', 'agent'].map(key => [key, ['tool']])),
  text: ['write', 'edit'],
  id: [...CALL_KEYS, 'payload'],
  source: ['prompt'],
  answer: ['stops'],
}

/** Events about an agent, with the key that names the agent and an example. */
const AGENT_EVENT_KEYS: Readonly<Record<string, readonly [string, string]>> = {
  'agent.start': ['starts', 'reviewer'],
  'agent.stop': ['stops', 'reviewer'],
}

/** Problems of an event that does not come from a file. */
export function filelessEventProblems(
  step: TestStepDoc,
  checkRegex: TestDiagnostics['checkRegex'],
): readonly PolicyError[] {
  const diagnostics: TestDiagnostics = {
    file: 'event',
    places: new SourceMap(),
    checkRegex,
    problems: [],
    partial: new Set(),
  }
  clientsOfTest(step, diagnostics)
  validateKeys(step, diagnostics)
  return diagnostics.problems
}

/** A step must be exactly one event, and every other key must apply to that event. */
function validateKeys(step: TestStepDoc, diagnostics: TestDiagnostics): void {
  const keys = Object.keys(step)
  const whats = keys.filter(key => EVENT_KEYS.includes(key))
  const [first, second] = whats
  if (second !== undefined)
    reportProblem(diagnostics, step, second, `\`${first}\` and \`${second}\` are two events`, { ofKey: true })
  if (first === undefined && step.event === undefined)
    reportProblem(diagnostics, step, 'expect', 'this step has no event', { known: EVENT_KEYS, ofKey: true })
  const [short, agent] = AGENT_EVENT_KEYS[step.event ?? ''] ?? []
  if (short !== undefined && first === undefined)
    reportProblem(
      diagnostics,
      step,
      'event',
      `\`event: ${step.event}\` names no agent: write \`${short}: ${step.as ?? agent}\``,
    )
  if (step.signed && step.after === undefined)
    reportProblem(diagnostics, step, 'signed', '`signed` has no effect here: use it with `after`', { ofKey: true })
  for (const key of keys) {
    const needed = KEYS_REQUIRED_BY[key]
    if (needed && !whats.some(what => needed.includes(what)))
      reportProblem(
        diagnostics,
        step,
        key,
        `\`${key}\` has no effect here: use it with ${needed.map(text => `\`${text}\``).join(', ')}`,
        { ofKey: true },
      )
  }
}

/** If the test names no gate, rules of built-in gates are not suggested. */
const suggestedRuleIds = (
  rules: readonly string[],
  gates: readonly Gate[],
  gate: string | undefined,
): readonly string[] =>
  gate === undefined ? gates.filter(candidate => candidate.layer !== 'built-in').flatMap(ruleIdsOf) : rules

/** Every id that a record can name as the deciding rule of this gate. */
const ruleIdsOf = ({ rules, routes, transitions, code }: Gate): readonly string[] => [
  ...rules.map(rule => rule.id),
  ...(routes?.list ?? []).map(route => route.id),
  ...transitions.filter(transition => transition.invalid).map(transition => transition.id),
  ...(code === undefined ? [] : ['code']),
]

function validateGate(
  holder: object,
  key: string,
  name: string,
  gates: readonly Gate[],
  diagnostics: TestDiagnostics,
): Gate | undefined {
  const found = findGateByName(gates, name)
  const known = [...new Set(gates.filter(gate => gate.layer !== 'built-in').map(gate => gate.name))]
  if (!found)
    reportProblem(diagnostics, holder, key, `unknown gate \`${name}\``, { known, written: name, ofKey: key !== 'gate' })
  return found
}

/** `gate`, or `gate@agent` for a gate with `scope: agent`. */
function validateGateState(
  holder: object,
  key: string,
  gates: readonly Gate[],
  diagnostics: TestDiagnostics,
  test?: TestDoc,
): void {
  const [name = ''] = key.split('@')
  const gate = validateGate(holder, key, name, gates, diagnostics)
  if (gate && gate.initial === undefined)
    reportProblem(diagnostics, holder, key, `gate \`${name}\` has no state: it has no \`initial\``, { ofKey: true })
  else validateAgentState(holder, key, gates, diagnostics, test)
}
