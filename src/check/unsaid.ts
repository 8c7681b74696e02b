import type { Gate, Text } from '../core/index.ts'
import type { Finding } from './finding.ts'

/** Words by which an agent knows that it has to turn to a person. */
const PERSON = /\b(user|person|people|human|someone|somebody|maintainer|admin\w*|owner|operator|reviewer|approv\w+)\b/i

const wordings = (text: Text): readonly string[] => (typeof text === 'string' ? [text] : Object.values(text))

/** A gate that only a person opens has to say so wherever it refuses. */
export function unsaid(gate: Gate): readonly Finding[] {
  if (gate.opens !== 'human') return []
  const refusing = gate.rules.filter(rule => rule.while !== 'open' && (rule.then === 'deny' || rule.unsure === 'deny'))
  return refusing
    .filter(rule => !wordings(rule.message).every(words => PERSON.test(words)))
    .map(rule => ({
      kind: 'silent',
      what: `only a person opens ${gate.name}, and its rule ${rule.id} does not say so`,
      on: [],
      gate: gate.id,
      story: [],
      why: 'an agent that is not told to ask the user tries on and on',
      fix: [{ at: rule.at ?? gate.at ?? gate.id, advice: 'say in `message` that the user has to open it' }],
    }))
}
