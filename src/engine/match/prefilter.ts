import type { Condition, ConditionLeaf } from '../model/condition.ts'
import type { ActionKind, EventKind } from '../model/vocabulary.ts'
import { isOtherProgram, programName } from './command.ts'
import type { Word } from './command-words.ts'
import type { PathRef } from './path-ref.ts'
import type { Quantifier, Truth } from './three-valued.ts'

/** The parts of an action, and of its event, that make up an outline. */
interface Doing {
  readonly action: ActionKind
  readonly words?: readonly Word[]
  readonly by?: { readonly words?: readonly Word[] }
  readonly place?: PathRef
  readonly url?: string | null
  readonly assigns?: object
  readonly opaque?: boolean
}

interface EventOutline {
  readonly kind: EventKind
  readonly call?: object
  readonly prompt?: object
}

/** What can be seen of an action without matching it. There are few outlines, and many actions for each. */
interface Outline {
  readonly nth: number
  readonly kind: EventKind
  readonly action: ActionKind
  /** the bare name of the program that runs, or that makes the action; null if it is unknown or there is none */
  readonly program: string | null
  readonly marks: number
}

const MARK = { call: 1, prompt: 2, words: 4, place: 8, url: 16, assigns: 32, by: 64 }

const ALWAYS: Condition = { all: [] }
const NEVER: Condition = { any: [] }

/** Program names are unlimited: above this number of outlines all caches are cleared. */
const MOST_OUTLINES = 256
/** Actions of the latest events: every rule looks up each of them. */
const MOST_LATEST = 32

let count = 0
const outlines = new Map<string, Outline[]>()
const latest = new Map<Doing, Outline>()
let narrow = new WeakMap<Condition, Condition[]>()

/**
 * The part of the condition that is still undecided for actions of this outline. It gives the same answer for all of them. A policy
 * names hundreds of programs, and an action runs at most one.
 */
export function prefilterCondition(condition: Condition, doing: Doing, event: EventOutline): Condition {
  // nothing is certain about an opaque action
  if (doing.opaque) return condition
  const outline = outlineOf(doing, event)
  let known = narrow.get(condition)
  if (!known) {
    known = []
    narrow.set(condition, known)
  }
  known[outline.nth] ??= leftOf(condition, outline)
  return known[outline.nth] ?? condition
}

function outlineOf(doing: Doing, event: EventOutline): Outline {
  const known = latest.get(doing)
  const eventMarks = (event.call ? MARK.call : 0) | (event.prompt ? MARK.prompt : 0)
  if (known && known.kind === event.kind && (known.marks & (MARK.call | MARK.prompt)) === eventMarks) return known
  if (latest.size >= MOST_LATEST) latest.clear()
  const outline = glance(doing, event.kind, eventMarks)
  latest.set(doing, outline)
  return outline
}

function glance({ action, words, by, place, url, assigns }: Doing, kind: EventKind, eventMarks: number): Outline {
  const marks =
    eventMarks |
    (words ? MARK.words : 0) |
    (by ? MARK.by : 0) |
    (place ? MARK.place : 0) |
    (url === undefined ? 0 : MARK.url) |
    (assigns ? MARK.assigns : 0)
  const written = (words ?? by?.words)?.[0]?.text
  const name = typeof written === 'string' ? written : null
  const alike = outlines.get(name ?? '') ?? []
  const isIt = (item: Outline) => item.marks === marks && item.kind === kind && item.action === action
  const known = alike.find(candidate => isIt(candidate) && (candidate.program === null) === (name === null))
  if (known) return known
  if (count >= MOST_OUTLINES) forget()
  const outline = { nth: count++, kind, action, program: name === null ? null : programName(name), marks }
  outlines.set(name ?? '', [...(outlines.get(name ?? '') ?? []), outline])
  return outline
}

function forget(): void {
  count = 0
  outlines.clear()
  latest.clear()
  narrow = new WeakMap()
}

function leftOf(condition: Condition, outline: Outline): Condition {
  if ('all' in condition) return leftOfAll(condition.all, outline)
  if ('any' in condition) return leftOfAny(condition.any, outline)
  if ('not' in condition) {
    const inner = leftOf(condition.not, outline)
    return inner === NEVER ? ALWAYS : inner === ALWAYS ? NEVER : { not: inner }
  }
  return 'with' in condition ? condition : leafLeft(condition, outline)
}

function leftOfAll(parts: readonly Condition[], outline: Outline): Condition {
  const left: Condition[] = []
  for (const part of parts) {
    const condition = leftOf(part, outline)
    if (condition === NEVER) return NEVER
    if (condition !== ALWAYS) left.push(condition)
  }
  return left.length === 0 ? ALWAYS : left.length === 1 && left[0] ? left[0] : { all: left }
}

function leftOfAny(parts: readonly Condition[], outline: Outline): Condition {
  const left: Condition[] = []
  for (const part of parts) {
    const condition = leftOf(part, outline)
    if (condition === ALWAYS) return ALWAYS
    if (condition !== NEVER) left.push(condition)
  }
  return left.length === 0 ? NEVER : left.length === 1 && left[0] ? left[0] : { any: left }
}

/** Decides a key only if the answer is `true` or `false` under every reading; a key that may be unknown stays. */
function leafLeft(leaf: Extract<Condition, { key: unknown }>, outline: Outline): Condition {
  const { kind, program, marks } = outline
  switch (leaf.key) {
    case 'event':
      return leaf.in.includes(kind) ? ALWAYS : NEVER
    case 'action':
      return marks & MARK.call && leaf.in.includes(outline.action) ? ALWAYS : NEVER
    case 'command': {
      if (!(marks & (leaf.maker ? MARK.words | MARK.by : MARK.words))) return NEVER
      const near = program === null ? leaf.in : leaf.in.filter(matcher => !isOtherProgram(matcher, program))
      return near.length === 0 ? NEVER : { ...leaf, in: near }
    }
    case 'words':
      return marks & (leaf.maker ? MARK.words | MARK.by : MARK.words) ? leaf : NEVER
    case 'path':
      return marks & MARK.place ? leaf : NEVER
    case 'file':
      // a `run` has no place, and yet a file
      return marks & (MARK.place | MARK.words) ? leaf : NEVER
    case 'url':
      return marks & MARK.url ? leaf : NEVER
    case 'text':
      return outline.action === 'write' || outline.action === 'mcp' ? leaf : NEVER
    case 'prompt':
    case 'source':
      return marks & MARK.prompt ? leaf : NEVER
    case 'input':
      return marks & MARK.call || leaf.fields.length === 0 ? leaf : NEVER
    case 'assigns':
      return marks & MARK.assigns || leaf.fields.length === 0 ? leaf : NEVER
    case 'succeeded':
      return kind === 'tool.after' || kind === 'tool.failed' ? leaf : NEVER
    default:
      return leaf
  }
}

/** All conditions inside a condition that have none inside themselves, also those behind `not` and `with`. */
export function leavesOf(condition: Condition): readonly ConditionLeaf[] {
  if ('not' in condition) return leavesOf(condition.not)
  if ('with' in condition) return leavesOf(condition.with)
  return 'key' in condition ? [condition] : ('all' in condition ? condition.all : condition.any).flatMap(leavesOf)
}

/** Nothing is known of an opaque item: it may contain any other. */
interface Item {
  readonly opaque?: boolean
}

interface Answers {
  readonly of: ReadonlyMap<Item, Truth>
  readonly matched: number
  readonly doubtful: number
}

/** By what is asked of the items, and within what: the same question has the same answers there. */
const answered = new WeakMap<object, WeakMap<object, Partial<Record<Quantifier, Answers>>>>()

/**
 * Does an action other than this one match? Every action is asked once for all of them, so that a line of thousands of commands costs
 * thousands of questions and not millions. `ask` is called with the question and each action.
 */
export function matchOthers<T extends Item, C extends object, W extends object>(
  own: T,
  items: readonly T[],
  [condition, within, reading]: readonly [C, W, Quantifier],
  ask: (condition: C, item: T, within: W, reading: Quantifier) => Truth,
): Truth {
  const { of, matched, doubtful } = answersTo(items, condition, within, reading, item =>
    ask(condition, item, within, reading),
  )
  const answer = of.get(own)
  if (matched > (answer === 'true' ? 1 : 0)) return 'true'
  return own.opaque || doubtful > (answer === 'unknown' ? 1 : 0) ? 'unknown' : 'false'
}

function answersTo<T extends Item>(
  items: readonly T[],
  condition: object,
  within: object,
  reading: Quantifier,
  ask: (item: T) => Truth,
): Answers {
  const ofWithin = answered.get(within) ?? new WeakMap<object, Partial<Record<Quantifier, Answers>>>()
  answered.set(within, ofWithin)
  const both = ofWithin.get(condition) ?? {}
  ofWithin.set(condition, both)
  if (both[reading]) return both[reading]
  const of = new Map(items.map(item => [item, ask(item)]))
  const count = (wanted: Truth) => [...of.values()].filter(answer => answer === wanted).length
  both[reading] = { of, matched: count('true'), doubtful: count('unknown') }
  return both[reading]
}
