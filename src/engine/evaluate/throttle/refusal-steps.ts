import { joinDistinct } from '../../../lib/join-distinct.ts'

/** What a rule or a hook says when it refuses a call. */
export interface Refusal {
  readonly text: string
  /** says that the call was refused before; `''` the first time */
  readonly note: string
  /** of several notes the agent gets the most urgent */
  readonly urgency: number
  /** what refuses, as in `the gate "tests"` */
  readonly name: string
}

/** One of several refusals of the same call. */
interface Step extends Refusal {
  /** its gate can open, so its step comes before the call is tried again */
  readonly opens: boolean
  readonly suggests: boolean
  /** other refusals, by index, that also refuse what this one suggests */
  readonly refusedBy: readonly number[]
}

export const refusalText = ({ text, note }: Refusal): string => joinDistinct([text, note], '\n')

/** What one gate or sub-hook says about an event. A refusal by a rule carries what the rule suggests. */
interface Voice<V> {
  readonly verdict: V
  readonly refusal?: Refusal & { readonly rule?: { readonly while?: unknown; readonly suggest?: unknown } }
}

/** Merges several refusals into one list. The first refusal carries the list; the others get an empty reason. */
export function mergeRefusals<V extends Voice<object>>(
  voices: readonly V[],
  refusersOf: (of: NonNullable<V['refusal']>, among: readonly NonNullable<V['refusal']>[]) => readonly number[],
  isShort: boolean,
): readonly V[] {
  const refusals = voices.flatMap(({ refusal }): NonNullable<V['refusal']>[] => (refusal ? [refusal] : []))
  if (refusals.length < 2) return voices
  const steps = refusals.map(one => {
    const { while: state, suggest } = one.rule ?? {}
    return { ...one, opens: state !== undefined, suggests: suggest !== undefined, refusedBy: refusersOf(one, refusals) }
  })
  const list = refusalList(steps, isShort)
  return voices.map(one => {
    const reason = one.refusal === refusals[0] ? list : ''
    return one.refusal ? { ...one, verdict: { ...one.verdict, reason } } : one
  })
}

/** A numbered list in an order that works, without repeated sentences. `isShort`: the client's texts may be cut. */
function refusalList(steps: readonly Step[], isShort: boolean): string {
  const order = inOrder(steps)
  const texts = withoutRepeats(order.filter((one, at) => order.findIndex(({ text }) => text === one.text) === at))
  const rest = order.some(step => step.suggests) ? steps.filter(step => !order.includes(step)) : []
  const [note = ''] = [...steps].sort((a, b) => b.urgency - a.urgency).map(step => step.note)
  const covered = [...new Set(rest.map(({ name }) => `${capital(name)} refuses it too, and needs no step of its own.`))]
  if (texts.length < 2) return joinDistinct([...texts.map(({ text }) => text), ...covered, note], '\n')
  const tasks = texts.filter(({ suggests }) => suggests)
  // only suggestions have a checked order; a refusal without a suggestion is not a step
  if (tasks.length < 2)
    return joinDistinct(
      [
        joinDistinct(
          texts.map(({ text }) => text),
          '\n\n',
        ),
        ...covered,
        note,
      ],
      '\n',
    )
  const numbered = tasks.map(({ text }, at) => `${at + 1}.${isShort || !text.includes('\n') ? ' ' : '\n'}${text}`)
  const beside = texts.flatMap(({ text, suggests }) => (suggests ? [] : [text]))
  return joinDistinct([...numbered, 'Do these in this order.', ...covered, ...beside, note], '\n')
}

/** Drops a step that another rule always refuses: that rule's step replaces it. Each other step comes after the gates that refuse it. */
function inOrder(steps: readonly Step[]): readonly Step[] {
  const lasting = (at: number): readonly number[] => (steps[at]?.refusedBy ?? []).filter(by => !steps[by]?.opens)
  const isVain = (at: number): boolean => lasting(at).some(by => lasting(by).length === 0)
  let left = steps.map((_, at) => at).filter(at => !isVain(at))
  left = [...left.filter(at => steps[at]?.opens), ...left.filter(at => !steps[at]?.opens)]
  const order: Step[] = []
  while (left.length > 0) {
    const next = left.find(at => !steps[at]?.refusedBy.some(by => by !== at && left.includes(by))) ?? left[0]
    order.push(...steps.filter((_, at) => at === next))
    left = left.filter(at => at !== next)
  }
  return order
}

const SENTENCE_END = /(?<=[.!?])[ \t]+/
const SHORTEST = 12
/** A shorter text counts as a sentence only if it cannot be the rest of `e.g. gh`. */
const SHORT_SENTENCE = /^\p{Lu}.*\s.*[.!?]$/u

/** Removes sentences that an earlier text contains, and drops texts with nothing left. */
function withoutRepeats(steps: readonly Step[]): readonly Pick<Step, 'text' | 'suggests'>[] {
  const said = new Set<string>()
  return steps.flatMap(({ text, suggests }) => {
    const lines = text.split('\n').map(line => ({ line, sentences: line.split(SENTENCE_END) }))
    const isNew = (one: string) => !said.has(one) || (one.length < SHORTEST && !SHORT_SENTENCE.test(one))
    const kept = lines.flatMap(({ line, sentences }) => {
      const left = sentences.filter(isNew)
      return left.length === sentences.length ? [line] : left.length > 0 ? [left.join(' ')] : []
    })
    for (const { sentences } of lines) for (const sentence of sentences) said.add(sentence)
    return kept.join('').trim() === '' ? [] : [{ text: kept.join('\n'), suggests }]
  })
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
