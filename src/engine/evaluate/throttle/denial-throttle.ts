import { fnv64 } from '../../../lib/fnv64.ts'
import { type Refusal, refusalText } from './refusal-steps.ts'

const SHORT_WITHIN_MS = 90_000
const STUCK_WITHIN_MS = 120_000
const STUCK_AFTER = 5
const LASTING_AFTER = 3
const MOST_DENIALS = 256
const MOST_TIMES = 20

/** Times of the latest refusals, newest last, by caller and what refused. */
export type DenialTimes = Readonly<Record<string, readonly number[]>>

/** What an agent runs against. */
export interface DenialSource {
  /** counted by this, never by wording */
  readonly id: string
  readonly name: string
  /** how a person lets an agent by */
  readonly way: string
  /** nothing opens it: the same call is refused whenever it comes */
  readonly lasts?: boolean
  /** it has other words each time: they are cut only where the agent has heard them */
  readonly varies?: boolean
}

export const gateDenialSource = (
  gate: { id: string; name: string; yields: boolean },
  rule: string,
  lasts: boolean,
): DenialSource => ({
  id: `${gate.id}|${rule}`,
  name: `the gate "${gate.name}"`,
  way: gate.yields
    ? `\`signalbox bypass --gate ${gate.name} --for 10m --reason "…"\``
    : 'Nothing but a change of your own policy',
  lasts,
})

/** A hook has no rules that we know of; what it refuses is told by the event. */
export const hookDenialSource = (id: string, event: string): DenialSource => ({
  id: `${id}|${event}`,
  name: `the hook ${id}`,
  way: 'Taking it out of `hooks` in the policy',
  varies: true,
})

interface Refusing {
  readonly reason: string
  /** for the person */
  readonly message?: string
  readonly caller: { readonly key: string; readonly label: string }
  readonly now: number
  /** repeated denials may be cut to their first line */
  readonly shortens: boolean
  /** stands before the reason, and is never cut */
  readonly head?: string
}

/** The same refusal again, in fewer words, with a note that adds something; and what to count if the event is refused. */
export function throttleDenial(denials: DenialTimes, obstacle: DenialSource, refusing: Refusing) {
  const { reason, message, caller, now, shortens, head = '' } = refusing
  const key = `${caller.key}|${obstacle.id}`
  const heardKey = obstacle.varies ? `${key}|${fnv64(reason)}` : key
  const within = (one: string, ms: number) => (denials[one] ?? []).filter(time => now - time <= ms).length
  const nth = 1 + within(key, STUCK_WITHIN_MS)
  const stuck = nth >= STUCK_AFTER
  const heard = within(heardKey, SHORT_WITHIN_MS) > 0 || (stuck && !obstacle.varies)
  // at least twice before in this session, whoever called
  const lasting = obstacle.lasts && timesOf(denials, `|${obstacle.id}`) + 1 >= LASTING_AFTER
  const repeat = { nth, stuck, heard, again: lasting ? ', and will be again' : '' }
  const alarm = stuck
    ? `signalbox: ${caller.label} is stuck at ${obstacle.name}: ${nth} refusals in two minutes. ${obstacle.way} lets it by.`
    : ''
  const words = message && alarm ? `${message}\n${alarm}` : message || alarm
  const next: DenialTimes = { [key]: counted(denials[key], now), [heardKey]: counted(denials[heardKey], now) }
  const { text, ...noted } = reword(reason, repeat, obstacle, shortens)
  const refusal: Refusal = { text: head + text, ...noted, name: obstacle.name }
  return { refusal, reason: refusalText(refusal), ...(words && { message: words }), denials: next }
}

/** The latest few for as long as the session lasts, the others while somebody may be stuck: it is written at every event. */
const counted = (times: readonly number[] = [], now: number): readonly number[] => {
  const few = times.length - LASTING_AFTER
  const kept = times.filter((time, nth) => nth >= few || now - time <= STUCK_WITHIN_MS)
  return [...kept, now].slice(-MOST_TIMES)
}

interface Repeat {
  readonly nth: number
  readonly stuck: boolean
  /** refused within the last minute and a half: the agent has the long text in its context */
  readonly heard: boolean
  readonly again: string
}

/** Where words must not be cut they are only added. */
function reword(reason: string, { nth, stuck, heard, again }: Repeat, { name }: DenialSource, shortens: boolean) {
  const [first = ''] = reason.split('\n', 1)
  if (!shortens || !(heard || stuck))
    return { text: reason, note: again && `Refused before${again}.`, urgency: again ? 1 : 0 }
  if (!stuck) return { text: first, note: `Refused before${again}: rewording the call will not help.`, urgency: 2 }
  const note = `Refused ${nth} times in two minutes${again}: stop trying. Tell the user you are stuck at ${name}, and do other work.`
  return { text: heard ? first : reason, note, urgency: nth }
}

const timesOf = (denials: DenialTimes, end: string): number =>
  Object.entries(denials).reduce((sum, [key, times]) => (key.endsWith(end) ? sum + times.length : sum), 0)

/** With the new ones, without what was before its gate changed; of very many the latest. */
export function nextDenialTimes(
  denials: DenialTimes,
  voices: readonly { readonly denials?: DenialTimes }[],
  moved: readonly { readonly gate: string }[],
): DenialTimes {
  if (moved.length === 0 && voices.every(voice => !voice.denials)) return denials
  const added = new Map(voices.flatMap(voice => Object.entries(voice.denials ?? {})))
  const kept = Object.entries(denials).filter(
    ([key]) => !added.has(key) && !moved.some(({ gate }) => key.includes(`|${gate}|`)),
  )
  return Object.fromEntries([...kept, ...added].slice(-MOST_DENIALS))
}
