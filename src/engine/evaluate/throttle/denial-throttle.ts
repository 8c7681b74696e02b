import { fnv64 } from '../../../lib/fnv64.ts'
import { type Refusal, refusalText } from './refusal-steps.ts'

const SHORT_WITHIN_MS = 90_000
const STUCK_WITHIN_MS = 120_000
const STUCK_AFTER = 5
const LASTING_AFTER = 3
const MOST_DENIALS = 256
const MOST_TIMES = 20

/** Times of the latest denials, newest last, by caller and source. */
export type DenialTimes = Readonly<Record<string, readonly number[]>>

/** The rule or sub-hook that denies a call. */
export interface DenialSource {
  /** denials are counted by this id, never by their text */
  readonly id: string
  readonly name: string
  /** what a person can do to let the agent past */
  readonly way: string
  /** nothing opens it: the same call is denied every time */
  readonly lasts?: boolean
  /** its text differs each time: a text is cut only if the agent has already received the same text */
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

/** Signalbox knows no rules of a sub-hook, so its denials are counted by event kind. */
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
  /** stands before the reason and is never cut */
  readonly head?: string
}

/** Shortens a repeated denial and adds a note. `denials` holds the times to store if the event is denied. */
export function throttleDenial(denials: DenialTimes, obstacle: DenialSource, refusing: Refusing) {
  const { reason, message, caller, now, shortens, head = '' } = refusing
  const key = `${caller.key}|${obstacle.id}`
  const heardKey = obstacle.varies ? `${key}|${fnv64(reason)}` : key
  const within = (one: string, ms: number) => (denials[one] ?? []).filter(time => now - time <= ms).length
  const nth = 1 + within(key, STUCK_WITHIN_MS)
  const stuck = nth >= STUCK_AFTER
  const heard = within(heardKey, SHORT_WITHIN_MS) > 0 || (stuck && !obstacle.varies)
  // denied at least twice before in this session, for any caller
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

/** Keeps the latest few times for the whole session and older ones while they count as stuck: the session is saved at every event. */
const counted = (times: readonly number[] = [], now: number): readonly number[] => {
  const few = times.length - LASTING_AFTER
  const kept = times.filter((time, nth) => nth >= few || now - time <= STUCK_WITHIN_MS)
  return [...kept, now].slice(-MOST_TIMES)
}

interface Repeat {
  readonly nth: number
  readonly stuck: boolean
  /** denied within the last 90 seconds: the agent still has the long text in its context */
  readonly heard: boolean
  readonly again: string
}

/** If texts must not be shortened, the reason stays whole and a note is only added. */
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

/** Adds the new times, drops the times of gates that moved, and keeps the latest `MOST_DENIALS` entries. */
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
