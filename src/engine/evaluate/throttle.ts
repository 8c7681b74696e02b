import { fnv64 } from '../../lib/fnv64.ts'
import type { ClientText, Gate } from '../model/gate.ts'
import type { MatchedRule } from './judge.ts'
import { joinDistinct, withoutRepeats } from './judge.ts'

const SHORT_WITHIN_MS = 90_000
const STUCK_WITHIN_MS = 120_000
const STUCK_AFTER = 5
const LASTING_AFTER = 3
const MOST_DENIALS = 256
const MOST_TIMES = 20

/** Times of the latest denials, newest last, by caller and source. */
export type DenialTimes = Readonly<Record<string, readonly number[]>>

/** The rule or sub-hook that denies a call. */
interface DenialSource {
  /** denials are counted by this id, never by their text */
  readonly id: string
  readonly name: string
  /** what a person can do to let the agent past */
  readonly help: string
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
  help: gate.yields ? `\`signalbox bypass --gate ${gate.name} --for 10m --reason "…"\`` : 'Changing your own policy',
  lasts,
})

/** Signalbox knows no rules of a sub-hook, so its denials are counted by event kind. */
export const hookDenialSource = (id: string, event: string): DenialSource => ({
  id: `${id}|${event}`,
  name: `the hook ${id}`,
  help: 'Removing it from `hooks`',
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
  const { reason, message = '', caller, now, shortens, head = '' } = refusing
  const key = `${caller.key}|${obstacle.id}`
  const textKey = obstacle.varies ? `${key}|${fnv64(reason)}` : key
  const within = (one: string, ms: number) => (denials[one] ?? []).filter(time => now - time <= ms).length
  const nth = 1 + within(key, STUCK_WITHIN_MS)
  const stuck = nth >= STUCK_AFTER
  const repeated = within(textKey, SHORT_WITHIN_MS) > 0 || (stuck && !obstacle.varies)
  // denied at least twice before in this session, for any caller
  const lasting = obstacle.lasts && timesOf(denials, `|${obstacle.id}`) + 1 >= LASTING_AFTER
  const repeat = { nth, stuck, repeated, again: lasting ? ', and will be again' : '' }
  const alarm = stuck
    ? `signalbox: ${caller.label} is stuck at ${obstacle.name}: ${nth} denials in two minutes. ${obstacle.help} switches it off.`
    : ''
  const words = joinDistinct([message, alarm], '\n')
  const next: DenialTimes = { [key]: counted(denials[key], now), [textKey]: counted(denials[textKey], now) }
  const { text, ...noted } = reword(reason, repeat, obstacle, shortens)
  const refusal: Refusal = { text: head + text, ...noted, name: obstacle.name }
  return { refusal, reason: refusalText(refusal), ...(words && { message: words }), denials: next }
}

/** Keeps the latest few times for the whole session and older ones while they count as stuck: the session is saved at every event. */
const counted = (times: readonly number[] = [], now: number): readonly number[] => {
  const few = times.length - LASTING_AFTER
  const recent = times.filter((time, nth) => nth >= few || now - time <= STUCK_WITHIN_MS)
  return [...recent, now].slice(-MOST_TIMES)
}

interface Repeat {
  readonly nth: number
  readonly stuck: boolean
  /** denied within the last 90 seconds: the agent still has the long text in its context */
  readonly repeated: boolean
  readonly again: string
}

/** If texts must not be shortened, the reason stays whole and a note is only added. */
function reword(reason: string, { nth, stuck, repeated, again }: Repeat, { name }: DenialSource, shortens: boolean) {
  const [first = ''] = reason.split('\n', 1)
  if (!shortens || !(repeated || stuck))
    return { text: reason, note: again && `Denied before${again}.`, urgency: again ? 1 : 0 }
  if (!stuck) return { text: first, note: `Denied before${again}: rewording will not help.`, urgency: 2 }
  const note = `Denied ${nth} times in two minutes${again}: stop trying. Tell the user you are stuck at ${name}, and do other work.`
  return { text: repeated ? first : reason, note, urgency: nth }
}

const timesOf = (denials: DenialTimes, end: string): number =>
  Object.entries(denials).reduce((sum, [key, times]) => (key.endsWith(end) ? sum + times.length : sum), 0)

/** Adds the new times, drops the times of gates that moved, and keeps the latest `MOST_DENIALS` entries. */
export function nextDenialTimes(
  denials: DenialTimes,
  judgements: readonly { readonly denials?: DenialTimes }[],
  moved: readonly { readonly gate: string }[],
): DenialTimes {
  if (moved.length === 0 && judgements.every(judgement => !judgement.denials)) return denials
  const added = new Map(judgements.flatMap(judgement => Object.entries(judgement.denials ?? {})))
  const remaining = Object.entries(denials).filter(
    ([key]) => !added.has(key) && !moved.some(({ gate }) => key.includes(`|${gate}|`)),
  )
  return Object.fromEntries([...remaining, ...added].slice(-MOST_DENIALS))
}

/** What a rule or a hook says when it refuses a call. */
interface Refusal {
  readonly text: string
  /** says that the call was refused before; `''` the first time */
  readonly note: string
  /** of several notes the agent gets the most urgent */
  readonly urgency: number
  /** what refuses, as in `the gate "tests"` */
  readonly name: string
}

/** Other refusals of the same call, by index. */
export interface SuggestionConflicts {
  /** they refuse the suggestion too */
  readonly refusedBy: readonly number[]
  /** the suggestion closes their gates */
  readonly closes: readonly number[]
}

export const NO_CONFLICTS: SuggestionConflicts = { refusedBy: [], closes: [] }

/** One of several refusals of the same call. */
interface Step extends Refusal, SuggestionConflicts {
  /** its gate can open, so its step comes before the call is tried again */
  readonly opens: boolean
  /** the call that its rule suggests; `''` if it suggests none */
  readonly suggested: string
}

const refusalText = ({ text, note }: Refusal): string => joinDistinct([text, note], '\n')

/** What one gate or sub-hook says about an event. A refusal by a rule carries what the rule suggests. */
interface Judgement<V> {
  readonly verdict: V
  readonly refusal?: Refusal & Partial<Pick<Source, 'render'>> & { readonly rule?: { readonly while?: unknown } }
}

/** Merges several refusals into one list. The first refusal carries the list; the others get an empty reason. */
export function mergeRefusals<V extends Judgement<object>>(
  judgements: readonly V[],
  conflictsOf: (of: NonNullable<V['refusal']>, among: readonly NonNullable<V['refusal']>[]) => SuggestionConflicts,
  isShort: boolean,
): readonly V[] {
  const refusals = judgements.flatMap(({ refusal }): NonNullable<V['refusal']>[] => (refusal ? [refusal] : []))
  if (refusals.length < 2) return judgements
  const steps = refusals.map(refusal => {
    return {
      ...refusal,
      opens: refusal.rule?.while !== undefined,
      suggested: refusal.render?.('{suggest}') ?? '',
      ...conflictsOf(refusal, refusals),
    }
  })
  const list = refusalList(steps, isShort)
  return judgements.map(judgement => {
    const reason = judgement.refusal === refusals[0] ? list : ''
    return judgement.refusal ? { ...judgement, verdict: { ...judgement.verdict, reason } } : judgement
  })
}

/** A numbered list in an order that works. A step keeps all its sentences: they speak of it. `isShort`: the client's texts may be cut. */
function refusalList(steps: readonly Step[], isShort: boolean): string {
  const order = inOrder(steps)
  const distinct = order.filter((one, at) => order.findIndex(({ text }) => text === one.text) === at)
  const texts = withoutRepeats(withJoinedSteps(distinct).map(step => ({ ...step, whole: step.text })))
  const rest = order.some(step => step.suggested) ? steps.filter(step => !order.includes(step)) : []
  const [note = ''] = [...steps].sort((a, b) => b.urgency - a.urgency).map(step => step.note)
  const covered = [...new Set(rest.map(({ name }) => `${capital(name)} denies it too, and needs no extra step.`))]
  const tasks = texts.filter(({ suggested }) => suggested)
  // only suggestions have a checked order; a refusal without a suggestion is not a step
  if (tasks.length < 2) {
    const all = joinDistinct(
      texts.map(({ text }) => text),
      '\n\n',
    )
    return joinDistinct([all, ...covered, note], '\n')
  }
  const numbered = tasks.map(({ whole }, at) => `${at + 1}.${isShort || !whole.includes('\n') ? ' ' : '\n'}${whole}`)
  const beside = texts.flatMap(({ text, suggested }) => (suggested ? [] : [text]))
  return joinDistinct([...numbered, 'Do these in this order.', ...covered, ...beside, note], '\n')
}

/** Refusals that suggest the same call, one after the other, are one step. */
function withJoinedSteps(steps: readonly Step[]): readonly Step[] {
  const joined: Step[] = []
  for (const step of steps) {
    const last = joined.at(-1)
    if (!last || !step.suggested || last.suggested !== step.suggested) joined.push(step)
    else {
      const [, added] = withoutRepeats([last, step])
      const text = joinDistinct([last.text, added?.text ?? ''], last.text.includes('\n') ? '\n' : ' ')
      joined.splice(-1, 1, { ...last, text })
    }
  }
  return joined
}

/**
 * Drops a step that another rule always refuses: that rule's step replaces it. Each other step comes after the gates that refuse it, and
 * after the steps that would close its own gate again.
 */
function inOrder(steps: readonly Step[]): readonly Step[] {
  const lasting = (at: number): readonly number[] => (steps[at]?.refusedBy ?? []).filter(by => !steps[by]?.opens)
  const isPointless = (at: number): boolean => lasting(at).some(by => lasting(by).length === 0)
  let left = steps.map((_, at) => at).filter(at => !isPointless(at))
  left = [...left.filter(at => steps[at]?.opens), ...left.filter(at => !steps[at]?.opens)]
  const firstLike = new Map(left.toReversed().map((at, nth) => [steps[at]?.suggested || at, -nth]))
  const placeOf = (at: number): number => firstLike.get(steps[at]?.suggested || at) ?? 0
  left.sort((a, b) => placeOf(a) - placeOf(b))
  // few steps close a gate: with many refusals the order must not cost their cube
  const closes = (other: number, at: number): boolean => !!steps[other]?.closes.includes(at)
  const closers = left.filter(at => steps[at]?.closes.length)
  const order: Step[] = []
  while (left.length > 0) {
    const isRefused = (at: number): boolean => !!steps[at]?.refusedBy.some(by => by !== at && left.includes(by))
    const isClosed = (at: number): boolean =>
      closers.some(other => other !== at && closes(other, at) && left.includes(other))
    const isReady = (at: number): boolean => !isRefused(at)
    const next = left.find(at => isReady(at) && !isClosed(at)) ?? left.find(isReady) ?? left[0]
    order.push(...steps.filter((_, at) => at === next))
    left = left.filter(at => at !== next)
  }
  return order
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export type SourcedRefusal = Refusal & Partial<Source>
export type Source = Pick<MatchedRule, 'rule'> & { readonly gate: Gate; readonly render: (text: ClientText) => string }
