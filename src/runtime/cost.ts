import { type Act, actsOf, type Event } from '../core/index.ts'
import type { Weight } from '../policy/index.ts'

/**
 * What it takes to judge an event by some gates, in nanoseconds of an ordinary machine. An upper bound made of counts, never of a clock: the
 * same event costs the same everywhere. `regexes` apart: they are counted again while they run.
 */
export interface Cost {
  readonly regexes: number
  readonly rest: number
}

/** The part of an event that its cost is made of. */
export interface Extent {
  readonly acts: number
  readonly urls: number
  readonly urlLength: number
  readonly paths: number
  readonly pathLength: number
  readonly words: number
  /** of the longest text in it, at most */
  readonly text: number
}

export function extentOf(event: Event, payload: number): Extent {
  const acts = actsOf(event)
  const sum = (of: (act: Act) => number): number => acts.reduce((all, act) => all + of(act), 0)
  return {
    acts: acts.length,
    urls: sum(({ url }) => (url === undefined ? 0 : 1)),
    urlLength: sum(({ url }) => Math.min(url?.length ?? 0, LONGEST_URL)),
    paths: sum(({ place }) => (place ? 1 : 0)),
    pathLength: sum(({ place }) => place?.lexical?.length ?? 0),
    words: sum(({ words }) => words?.length ?? 0),
    text: payload,
  }
}

const LONGEST_URL = 8192
/** Of a longer text a regex sees only the beginning. */
const LONGEST_READ = 50_000
const TEST_NS = 30
const STEP_NS = 20

export function costOf(weight: Weight, extent: Extent): Cost {
  const { acts, urls, urlLength, paths, pathLength, words, text } = extent
  return {
    regexes: STEP_NS * (weight.regexes * Math.min(text, LONGEST_READ) + weight.actRegexes * urlLength),
    rest:
      weight.fixed +
      TEST_NS * weight.tests * acts +
      weight.commands * (TEST_NS * acts + 3 * words) +
      20 * weight.words * words +
      weight.plainPaths * (200 * paths + 3 * pathLength) +
      5 * weight.starredPaths * pathLength +
      TEST_NS * weight.routes * urls +
      weight.finds * (TEST_NS + text / 2),
  }
}
