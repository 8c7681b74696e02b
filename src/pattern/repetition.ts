const SHORT_WITHIN_MS = 90_000
const STUCK_WITHIN_MS = 120_000
const STUCK_AFTER = 5

/** How often this was refused lately, this time included: counted by caller, gate and rule, never by wording. */
export interface Repetition {
  readonly nth: number
  /** refused within the last minute and a half: the agent has the long text in its context */
  readonly short: boolean
  readonly stuck: boolean
}

export function repetition(times: readonly number[], now: number): Repetition {
  const nth = 1 + times.filter(time => now - time <= STUCK_WITHIN_MS).length
  return { nth, short: times.some(time => now - time <= SHORT_WITHIN_MS), stuck: nth >= STUCK_AFTER }
}

export const withDenial = (times: readonly number[], now: number): readonly number[] =>
  [...times, now].slice(-STUCK_AFTER)

/** With the new ones; without what is long ago, or was before its gate changed. */
export function nextDenials(
  denials: Readonly<Record<string, readonly number[]>>,
  voices: readonly { readonly denial?: readonly [key: string, times: readonly number[]] }[],
  moved: readonly { readonly gate: string }[],
  now: number,
): Readonly<Record<string, readonly number[]>> {
  const kept = Object.entries(denials).filter(
    ([key, times]) =>
      now - (times.at(-1) ?? 0) <= STUCK_WITHIN_MS && !moved.some(({ gate }) => key.includes(`|${gate}|`)),
  )
  return Object.fromEntries([...kept, ...voices.flatMap(({ denial }) => (denial ? [denial] : []))])
}

/** The same refusal again, in fewer words that add something. */
export function reword(reason: string, { nth, short, stuck }: Repetition, gate: string): string {
  const [first = ''] = reason.split('\n', 1)
  if (stuck) {
    return `${first}\nRefused ${nth} times in two minutes: stop trying. Tell the user you are stuck at the gate "${gate}", and do other work.`
  }
  return short ? `${first}\nRefused before: rewording the call will not help.` : reason
}

/** For the person, when an agent runs against the same gate again and again. */
export const stuckMessage = (
  caller: string,
  { name, yields }: { readonly name: string; readonly yields: boolean },
  nth: number,
): string => {
  const way = yields ? `\`signalbox bypass --gate ${name} --for 10m --reason "…"\` lets it by.` : 'It never yields.'
  return `signalbox: ${caller} is stuck at the gate "${name}": ${nth} refusals in two minutes. ${way}`
}
