import type { RequestWord } from './request-text.ts'
import { LANGUAGE_MARKERS } from './tables/languages.ts'

const languageMarkers = Object.entries(LANGUAGE_MARKERS).map(([language, words]) => ({
  language,
  words: new Set(words.split(/\s+/)),
}))

/** A second language counts if it has this share of the first one's marker words: German and English share some. */
const SECOND_LANGUAGE_SHARE = 0.66

export interface DetectedLanguages {
  /** the detected languages of the request */
  readonly main: ReadonlySet<string>
  /** the languages whose cues count */
  readonly cueLanguages: ReadonlySet<string>
}

/**
 * Detects the languages whose cues count. English always counts, because technical terms are English everywhere. Without markers all count.
 */
export function detectLanguages(words: readonly RequestWord[]): DetectedLanguages {
  const scores = languageMarkers.map(({ language, words: own }) => ({
    language,
    score: words.reduce((sum, { text }) => sum + (own.has(text) ? 1 : 0), 0),
  }))
  const most = Math.max(...scores.map(({ score }) => score))
  const main = new Set(
    scores.filter(({ score }) => score >= most * SECOND_LANGUAGE_SHARE).map(({ language }) => language),
  )
  return { main, cueLanguages: new Set([...main, 'en']) }
}
