import type { Event, Gate, Result } from '../core/index.ts'
import { kindsOf } from './atom.ts'
import { isResting } from './awaited.ts'
import { promptDeed } from './cone.ts'
import { type Deed, mayHappen } from './deed.ts'
import type { Finding } from './finding.ts'
import type { Inquiry } from './inquiry.ts'
import { isWork } from './prompt.ts'
import type { State } from './state.ts'
import { placeOf } from './stuck.ts'
import { deedWords } from './words.ts'
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

interface RefusedPrompt {
  readonly result: Result
  readonly event: Event | undefined
  /** the gate that refuses it, and its rule */
  readonly by: string
  readonly rule: string
}

const refusedOf = (inquiry: Inquiry, prompts: readonly Deed[], at: State): readonly RefusedPrompt[] =>
  prompts.flatMap(({ events, ...deed }) => {
    const result = inquiry.answer({ ...deed, events }, at)
    const { gate: by, rule } = result?.record ?? {}
    const isRefused = result?.outcome.decision === 'deny' && by !== undefined && rule !== undefined
    return isRefused ? [{ result, event: events[0], by, rule }] : []
  })

/** The person it waits for is refused. */
export function unheard(
  inquiry: Inquiry,
  gate: Gate,
  prompts: readonly Deed[],
  moves: readonly Move[],
  at: State,
): Finding {
  const [first] = refusedOf(inquiry, prompts, at)
  const why = first
    ? `${gate.name} waits for a prompt of a person, and ${nameOf(inquiry, first)}'s rule ${first.rule} refuses that`
    : `${gate.name} waits for a prompt of a person that opens nothing here`
  return { ...told(inquiry, gate, moves, first), why }
}

/** Whoever would open it has nothing to do: every prompt is refused. Undefined where one is let through. */
export function unprompted(inquiry: Inquiry, gate: Gate, moves: readonly Move[], at: State): Finding | undefined {
  const prompts = isResting(at.session) ? inquiry.prompts.filter(isWork).map(promptDeed) : []
  const refused = refusedOf(inquiry, prompts, at)
  const [first] = refused
  if (!first || refused.length < prompts.length) return undefined
  const rule = `${nameOf(inquiry, first)}'s rule ${first.rule}`
  const [opener] = inquiry.field.movers(gate, 'open')
  const needs = opener ? `: \`${deedWords(opener)}\` is never done` : ''
  return {
    ...told(inquiry, gate, moves, first),
    why: `${rule} refuses every prompt, and without one no agent is at work${needs}`,
    fix: [{ at: placeOf(inquiry, first.by, first.rule), advice: `let a prompt pass while ${gate.name} is closed` }],
  }
}

const nameOf = ({ program }: Inquiry, { by }: RefusedPrompt): string =>
  program.gates.find(one => one.id === by)?.name ?? by

const told = (inquiry: Inquiry, gate: Gate, moves: readonly Move[], first: RefusedPrompt | undefined) => ({
  kind: 'deadlock' as const,
  what: `${gate.name} can be closed with no way left to open it`,
  on: inquiry.view.clients,
  gate: gate.id,
  story: [
    ...moves,
    ...(first?.event
      ? [{ step: { by: 'person', event: first.event, end: 'refused' as const }, results: [first.result] }]
      : []),
  ],
  fix: [
    {
      at: first ? placeOf(inquiry, first.by, first.rule) : (gate.at ?? gate.id),
      advice: `let the prompt that opens ${gate.name} pass`,
    },
  ],
})
