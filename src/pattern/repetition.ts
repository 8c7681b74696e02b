import { digest } from './digest.ts'

const SHORT_WITHIN_MS = 90_000
const STUCK_WITHIN_MS = 120_000
const STUCK_AFTER = 5

/** When what was refused lately, in ms since 1970, by caller and what refused it. */
export type Denials = Readonly<Record<string, readonly number[]>>

/** What an agent runs against. */
export interface Obstacle {
  /** counted by this, never by wording */
  readonly id: string
  readonly name: string
  /** how a person lets an agent by */
  readonly way: string
  /** it has other words each time: they are cut only where the agent has heard them */
  readonly varies?: boolean
}

export const gateObstacle = (gate: { id: string; name: string; yields: boolean }, rule: string): Obstacle => ({
  id: `${gate.id}|${rule}`,
  name: `the gate "${gate.name}"`,
  way: gate.yields
    ? `\`signalbox bypass --gate ${gate.name} --for 10m --reason "…"\``
    : 'Nothing but a change of your own policy',
})

/** A hook has no rules that we know of; what it refuses is told by the event. */
export const hookObstacle = (id: string, event: string): Obstacle => ({
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
}

/** The same refusal again, in fewer words that add something; and what to count if the event is refused. */
export function refuse(denials: Denials, obstacle: Obstacle, refusing: Refusing) {
  const { reason, message, caller, now, shortens } = refusing
  const key = `${caller.key}|${obstacle.id}`
  const heardKey = obstacle.varies ? `${key}|${digest(reason)}` : key
  const within = (one: string, ms: number) => (denials[one] ?? []).filter(time => now - time <= ms).length
  const nth = 1 + within(key, STUCK_WITHIN_MS)
  const stuck = nth >= STUCK_AFTER
  const heard = within(heardKey, SHORT_WITHIN_MS) > 0 || (stuck && !obstacle.varies)
  const [first = ''] = reason.split('\n', 1)
  const told = [
    heard ? first : reason,
    ...(stuck
      ? [
          `Refused ${nth} times in two minutes: stop trying. Tell the user you are stuck at ${obstacle.name}, and do other work.`,
        ]
      : []),
    ...(heard && !stuck ? ['Refused before: rewording the call will not help.'] : []),
  ]
  const alarm = `signalbox: ${caller.label} is stuck at ${obstacle.name}: ${nth} refusals in two minutes. ${obstacle.way} lets it by.`
  const words = [message, stuck ? alarm : ''].filter(Boolean).join('\n')
  const counted = [key, heardKey].map(one => [one, [...(denials[one] ?? []), now].slice(-STUCK_AFTER)])
  const next: Denials = Object.fromEntries(counted)
  return { reason: shortens ? told.join('\n') : reason, ...(words && { message: words }), denials: next }
}

/** With the new ones; without what is long ago, or was before its gate changed. */
export function nextDenials(
  denials: Denials,
  voices: readonly { readonly denials?: Denials }[],
  moved: readonly { readonly gate: string }[],
  now: number,
): Denials {
  const kept = Object.entries(denials).filter(
    ([key, times]) =>
      now - (times.at(-1) ?? 0) <= STUCK_WITHIN_MS && !moved.some(({ gate }) => key.includes(`|${gate}|`)),
  )
  return Object.assign(Object.fromEntries(kept), ...voices.map(voice => voice.denials))
}
