import type { Gate } from '../core/index.ts'
import type { StepDoc, TestDoc } from '../policy/tests.ts'
import { regex } from '../runtime/regex.ts'
import { complain, type Desk } from './desk.ts'
import { gateNamed } from './expectation.ts'

type Expect = Exclude<StepDoc['expect'], string | undefined>

const WORDS = ['reason', 'context', 'message'] as const
const PARTS = ['decision', 'gate', 'rule', ...WORDS, 'gates']

/** An expectation that every answer meets is green for ever. */
export function checkAsking(step: StepDoc, expect: Expect, desk: Desk): void {
  if (Object.keys(expect).length === 0)
    complain(desk, step, 'expect', '`expect` asks nothing: it is empty', { known: PARTS })
  for (const key of WORDS) {
    const { [key]: said } = expect
    if (said !== undefined && asksNothing(said))
      complain(desk, expect, key, `\`${key}\` asks nothing: every answer contains it`, {
        help: 'write words that must be in it, or leave it out',
      })
  }
  if (expect.gates !== undefined && Object.keys(expect.gates).length === 0)
    complain(desk, expect, 'gates', '`gates` asks nothing: it names no gate', {
      help: 'write a gate and its state, `{ tests: open }`, or leave it out',
    })
}

type Said = NonNullable<Expect['reason']>

/** A blank text says nothing of another, a pattern that finds nothing (`.*`, `x*`) is found in all; one of several is enough to make a mistake of it. */
function asksNothing(said: Said): boolean {
  const parts = [said].flat()
  return parts.length === 0 || parts.some(part => (typeof part === 'string' ? part.trim() === '' : isVain(part.regex)))
}

/** Found in no text and in any: `^$`, which asks for no text, is not. */
function isVain(pattern: string): boolean {
  try {
    return ['', '\u0001'].every(text => regex.search(pattern, text) !== null)
  } catch {
    // that it is no regex is told elsewhere
    return false
  }
}

/** `gate@agent`: the state that an agent has of its own, where it can have one. */
export function checkAgent(holder: object, key: string, gates: readonly Gate[], desk: Desk, test?: TestDoc): void {
  const [name = '', ...agents] = key.split('@')
  const gate = gateNamed(gates, name)
  if (agents.length === 0 || !gate) return
  const agent = agents.join('@')
  if (gate.scope !== 'agent')
    complain(desk, holder, key, `gate \`${name}\` has one state for all: \`@${agent}\` asks nothing`, {
      help: `write \`${name}\`, or give the gate \`scope: agent\``,
      ofKey: true,
    })
  else if (agent === '' || agent === 'main')
    complain(desk, holder, key, `\`${key}\` is nobody's state`, {
      help: `\`${name}\` alone is the main agent's`,
      ofKey: true,
    })
  else if (test && !isHeard(agent, test))
    complain(desk, holder, key, `nothing in this test is done by agent \`${agent}\``, {
      known: [...new Set(test.events.flatMap(agentOf))],
      written: agent,
      ofKey: true,
    })
}

/** A payload may be of anybody. */
const isHeard = (agent: string, { events }: TestDoc): boolean =>
  events.some(step => step.payload !== undefined || agentOf(step).includes(agent))

const agentOf = ({ as, caller, stops, starts }: StepDoc): readonly string[] =>
  [as ?? caller ?? stops ?? starts ?? 'main'].filter(name => name !== 'main' && name !== 'unknown')
