import type { Event, Gate } from '../core/index.ts'
import { kindsOf } from './atom.ts'
import { type Deed, mayHappen } from './deed.ts'
import type { Finding } from './finding.ts'
import type { Inquiry } from './inquiry.ts'
import type { State } from './state.ts'
import { placeOf } from './stuck.ts'
import type { Move } from './world.ts'

/** Where all that opens a gate is what a person writes, and that may be refused: those prompts. Else a person finds a way. */
export function promptsToOpen(inquiry: Inquiry, gate: Gate): readonly Deed[] {
  const opening = gate.transitions.filter(one => one.to === 'open')
  const isByPrompt = opening.every(one => kindsOf(one).every(kind => kind === 'prompt.submit'))
  if (gate.opens !== 'human' || opening.length === 0 || !isByPrompt || !inquiry.view.refuses('prompt.submit')) return []
  const prompts = inquiry.prompts
    .map(promptDeed)
    .filter(({ events }) => opening.some(one => events.some(event => mayHappen(one, event, inquiry.oracle))))
  return prompts.some(deed => inquiry.field.refusers(deed).length > 0) ? prompts : []
}

function promptDeed(prompt: NonNullable<Event['prompt']>): Deed {
  const event: Event = {
    ...{ kind: 'prompt.submit', client: 'proof', name: 'prompt', session: 'proof', caller: { kind: 'main' } },
    prompt,
  }
  return { by: 'person', events: [event], key: `person ${JSON.stringify(prompt)}` }
}

/** The person it waits for is refused. */
export function unheard(
  inquiry: Inquiry,
  gate: Gate,
  prompts: readonly Deed[],
  moves: readonly Move[],
  at: State,
): Finding {
  const refused = prompts.flatMap(deed => {
    const result = inquiry.answer(deed, at)
    const { gate: by, rule } = result?.record ?? {}
    return result?.outcome.decision === 'deny' && by !== undefined && rule !== undefined
      ? [{ deed, result, by, rule }]
      : []
  })
  const [first] = refused
  const event = first?.deed.events[0]
  const name = inquiry.program.gates.find(one => one.id === first?.by)?.name
  return {
    kind: 'deadlock',
    what: `${gate.name} can be closed with no way left to open it`,
    on: inquiry.view.clients,
    gate: gate.id,
    story: [
      ...moves,
      ...(first && event ? [{ step: { by: 'person', event, end: 'refused' as const }, results: [first.result] }] : []),
    ],
    why: first
      ? `${gate.name} waits for a prompt of a person, and ${name}'s rule ${first.rule} refuses that`
      : `${gate.name} waits for a prompt of a person that opens nothing here`,
    fix: [
      {
        at: first ? placeOf(inquiry, first.by, first.rule) : (gate.at ?? gate.id),
        advice: `let the prompt that opens ${gate.name} pass`,
      },
    ],
  }
}
