const SHORT_WITHIN_MS = 90_000
const STUCK_WITHIN_MS = 120_000
const STUCK_AFTER = 5
const LASTING_AFTER = 3
const MOST_DENIALS = 256

/** Times of the latest refusals, newest last, by caller, gate and rule. */
type Denials = Readonly<Record<string, readonly number[]>>

/** Who is refused by what. `lasts`: no gate opens on it, so the same call is refused whenever it comes. */
interface Refusal {
  readonly caller: string
  readonly gate: string
  readonly rule: string
  readonly lasts: boolean
}

/** How often this was refused, this time included: counted by caller, gate and rule, never by wording. */
export interface Repetition {
  readonly nth: number
  /** refused within the last minute and a half: the agent has the long text in its context */
  readonly short: boolean
  readonly stuck: boolean
  /** refused at least twice before in this session, whoever called, and it will be again */
  readonly lasting: boolean
  readonly denial: readonly [key: string, times: readonly number[]]
}

export function repetition(denials: Denials, { caller, gate, rule, lasts }: Refusal, now: number): Repetition {
  const key = `${caller}|${gate}|${rule}`
  const times = denials[key] ?? []
  const nth = 1 + times.filter(time => now - time <= STUCK_WITHIN_MS).length
  const short = times.some(time => now - time <= SHORT_WITHIN_MS)
  const lasting = lasts && timesOf(denials, `|${gate}|${rule}`) + 1 >= LASTING_AFTER
  return { nth, short, stuck: nth >= STUCK_AFTER, lasting, denial: [key, [...times, now].slice(-STUCK_AFTER)] }
}

const timesOf = (denials: Denials, end: string): number =>
  Object.entries(denials).reduce((sum, [key, times]) => (key.endsWith(end) ? sum + times.length : sum), 0)

/** With the new ones, without what was before its gate changed; of very many the latest. */
export function nextDenials(
  denials: Denials,
  voices: readonly { readonly denial?: Repetition['denial'] }[],
  moved: readonly { readonly gate: string }[],
): Denials {
  const added = new Map(voices.flatMap(({ denial }) => (denial ? [denial] : [])))
  const kept = Object.entries(denials).filter(
    ([key]) => !added.has(key) && !moved.some(({ gate }) => key.includes(`|${gate}|`)),
  )
  return Object.fromEntries([...kept, ...added].slice(-MOST_DENIALS))
}

/** The same refusal again, in fewer words that add something. Where words must not be cut they are only added. */
export function reword(reason: string, repeat: Repetition, gate: string, shortens: boolean): string {
  const { nth, short, stuck, lasting } = repeat
  const [first = ''] = reason.split('\n', 1)
  if (!shortens || !(short || stuck)) return lasting ? `${reason}\nRefused before, and will be again.` : reason
  if (stuck) {
    return `${first}\nRefused ${nth} times in two minutes${lasting ? ', and will be again' : ''}: stop trying. Tell the user you are stuck at the gate "${gate}", and do other work.`
  }
  return `${first}\nRefused before${lasting ? ', and will be again' : ''}: rewording the call will not help.`
}

/** For the person, when an agent runs against the same gate again and again. */
export const stuckMessage = (caller: string, gate: string, nth: number, at = 'the policy'): string =>
  `signalbox: ${caller} is stuck at the gate "${gate}": ${nth} refusals in two minutes. \`mode: warn\` in ${at} lets it by.`
