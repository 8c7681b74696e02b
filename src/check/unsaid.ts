import type { Gate, Rule, Text } from '../core/index.ts'
import type { Finding } from './finding.ts'

/** Words by which an agent knows that it has to turn to a person. */
const PERSON = /\b(user|person|people|human|someone|somebody|maintainer|admin\w*|owner|operator|reviewer|approv\w+)\b/i

const wordings = (text: Text): readonly string[] => (typeof text === 'string' ? [text] : Object.values(text))

const refusingOf = (gate: Gate): readonly Rule[] =>
  gate.rules.filter(rule => rule.while !== 'open' && (rule.then === 'deny' || rule.unsure === 'deny'))

/** A gate that only a person opens has to say so wherever it refuses. */
export function unsaid(gate: Gate): readonly Finding[] {
  if (gate.opens !== 'human') return []
  return refusingOf(gate)
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

/** Who is asked to open it has nothing to do it with. A `bypass` of its own is something. */
export function unopenable(gate: Gate): readonly Finding[] {
  const { transitions, initial, yields, opens } = gate
  if (opens !== 'human' || (yields && gate.bypass)) return []
  const isEverShut = initial === 'closed' || transitions.some(one => one.to === 'closed')
  const isOpened = transitions.some(one => one.to === 'open')
  if (initial === undefined || !isEverShut || isOpened || refusingOf(gate).length === 0) return []
  const when = '{ event: prompt.submit, source: user, prompt: … }'
  return [
    {
      kind: 'silent',
      what: `only a person opens ${gate.name}, and nothing a person does opens it`,
      on: [],
      gate: gate.id,
      story: [],
      why: `it has no transition to \`open\`${yields ? ': the user can only lift it (`signalbox bypass`)' : ', and nothing lifts it (`yields: false`)'}`,
      fix: [
        {
          at: gate.at ?? gate.id,
          advice: `add what the user is to write: \`transitions: [{ from: closed, to: open, when: ${when} }]\``,
        },
      ],
    },
  ]
}
