import { type Action, actionsOf, type Event } from '../../engine/index.ts'
import { fieldText } from '../../lib/json.ts'
import { type PolicyCost, PROMPT_FIELD } from '../../policy/index.ts'

/**
 * The cost of evaluating an event with some gates, in nanoseconds of an ordinary machine. An upper bound from counts, not from a clock: the
 * same event costs the same everywhere. `regexes` are separate, because they are metered again while they run.
 */
export interface EvaluationCost {
  readonly regexes: number
  readonly rest: number
}

/** The sizes of an event that determine its cost. */
export interface EventSize {
  readonly acts: number
  readonly urls: number
  /** length of the actions' texts: URLs and assigned values */
  readonly actText: number
  readonly paths: number
  readonly pathLength: number
  readonly words: number
  /** length of a field's text; for a name with a leading space, the longest possible text */
  readonly textOf: (field: string) => number
}

export function eventSizeOf({ call, prompt, ...event }: Event, payload: number): EventSize {
  const acts = actionsOf({ ...event, ...(call && { call }) })
  const sum = (of: (act: Action) => number): number => acts.reduce((all, act) => all + of(act), 0)
  return {
    acts: acts.length,
    urls: sum(({ url }) => (url === undefined ? 0 : 1)),
    actText: sum(({ url, assigns }) => Math.min(url?.length ?? 0, LONGEST_URL) + (assigns ? ASSIGNED : 0)),
    paths: sum(({ place }) => (place ? 1 : 0)),
    pathLength: sum(({ place }) => place?.lexical?.length ?? 0),
    words: sum(({ words }) => words?.length ?? 0),
    textOf: field => {
      if (field === PROMPT_FIELD) return prompt?.text.length ?? 0
      if (field.startsWith(' ')) return payload
      return fieldText(call?.input, field)?.length ?? 0
    },
  }
}

const LONGEST_URL = 8192
/** Assumed length of the values that a line assigns to variables. */
const ASSIGNED = 100
/** Regexes read only this much of a longer text. */
const LONGEST_READ = 50_000
const TEST_NS = 30
const STEP_NS = 20

export function evaluationCostOf(weight: PolicyCost, extent: EventSize): EvaluationCost {
  const { acts, urls, actText, paths, pathLength, words, textOf } = extent
  let regexes = weight.actRegexes * actText
  let finds = 0
  for (const [field, one] of Object.entries(weight.texts)) {
    const length = textOf(field)
    regexes += one.instructions * Math.min(length, LONGEST_READ)
    finds += one.finds * (TEST_NS + length / 2)
  }
  return {
    regexes: STEP_NS * regexes,
    rest:
      weight.fixed +
      TEST_NS * weight.tests * acts +
      weight.commands * (TEST_NS * acts + 3 * words) +
      20 * weight.words * words +
      weight.plainPaths * (200 * paths + 3 * pathLength) +
      5 * weight.starredPaths * pathLength +
      TEST_NS * weight.routes * urls +
      finds,
  }
}
