import type { Gate } from '../../engine/index.ts'
import { regex } from '../../hook/services/regex.ts'
import type { TestDoc, TestStepDoc } from '../../policy/parse/policy-tests.ts'
import { reportProblem, type TestDiagnostics } from './diagnostics.ts'
import { findGateByName } from './expectation.ts'

type ExpectationDetails = Exclude<TestStepDoc['expect'], string | undefined>

const TEXT_KEYS = ['reason', 'context', 'message'] as const
const EXPECTATION_KEYS = ['decision', 'gate', 'rule', ...TEXT_KEYS, 'gates']

/** Reports expectations that every outcome meets: such a test could never fail. */
export function validateExpectation(step: TestStepDoc, expect: ExpectationDetails, diagnostics: TestDiagnostics): void {
  if (Object.keys(expect).length === 0)
    reportProblem(diagnostics, step, 'expect', '`expect` is empty', { known: EXPECTATION_KEYS })
  for (const key of TEXT_KEYS) {
    const { [key]: text } = expect
    if (text !== undefined && isTrivialText(text))
      reportProblem(diagnostics, expect, key, `\`${key}\` checks nothing: every text contains it`, {
        help: 'write words that the text must contain, or remove it',
      })
  }
  if (expect.gates !== undefined && Object.keys(expect.gates).length === 0)
    reportProblem(diagnostics, expect, 'gates', '`gates` checks nothing: it names no gate', {
      help: 'write a gate and its state, `{ tests: open }`, or remove it',
    })
}

type ExpectedText = NonNullable<ExpectationDetails['reason']>

/** A blank text, or a pattern that matches the empty string (`.*`, `x*`), matches every text. One such part is already a mistake. */
function isTrivialText(text: ExpectedText): boolean {
  const parts = [text].flat()
  return (
    parts.length === 0 ||
    parts.some(part => (typeof part === 'string' ? part.trim() === '' : isAlwaysMatching(part.regex)))
  )
}

/** Matches both an empty and another text. `^$`, which requires an empty text, does not. */
function isAlwaysMatching(pattern: string): boolean {
  try {
    return ['', '\u0001'].every(text => regex.search(pattern, text) !== null)
  } catch {
    // Invalid patterns are reported by `validateTest`.
    return false
  }
}

/** Checks `gate@agent`: the gate must have `scope: agent`, and the test must have events of that agent. */
export function validateAgentState(
  holder: object,
  key: string,
  gates: readonly Gate[],
  diagnostics: TestDiagnostics,
  test?: TestDoc,
): void {
  const [name = '', ...agents] = key.split('@')
  const gate = findGateByName(gates, name)
  if (agents.length === 0 || !gate) return
  const agent = agents.join('@')
  if (gate.scope !== 'agent')
    reportProblem(
      diagnostics,
      holder,
      key,
      `gate \`${name}\` has one state for all agents: \`@${agent}\` checks nothing`,
      {
        help: `write \`${name}\`, or give the gate \`scope: agent\``,
        ofKey: true,
      },
    )
  else if (agent === '' || agent === 'main')
    reportProblem(diagnostics, holder, key, `\`${key}\` is not the state of an agent`, {
      help: `\`${name}\` is the state of the main agent`,
      ofKey: true,
    })
  else if (test && !isAgentInTest(agent, test))
    reportProblem(diagnostics, holder, key, `no event in this test comes from agent \`${agent}\``, {
      known: [...new Set(test.events.flatMap(agentNamesOf))],
      written: agent,
      ofKey: true,
    })
}

/** A payload can come from any agent. */
const isAgentInTest = (agent: string, { events }: TestDoc): boolean =>
  events.some(step => step.payload !== undefined || agentNamesOf(step).includes(agent))

const agentNamesOf = ({ as, caller, stops, starts }: TestStepDoc): readonly string[] =>
  [as ?? caller ?? stops ?? starts ?? 'main'].filter(name => name !== 'main' && name !== 'unknown')
