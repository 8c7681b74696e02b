import type { RequestWord } from './request-text.ts'
import { LANGUAGE_MARKERS } from './tables/languages.ts'

const KANA = /[\p{sc=Hira}\p{sc=Kana}]/u
const languageMarkers = Object.entries(LANGUAGE_MARKERS).map(([language, words]) => ({
  language,
  words: new Set(words.split(/\s+/)),
}))

/** What another language needs of the small words of the first to be thought of too: Spanish and Portuguese share many. */
const SECOND_LANGUAGE_SHARE = 0.66

export interface DetectedLanguages {
  /** the languages it is written in, as far as can be told */
  readonly main: ReadonlySet<string>
  /** those whose words count */
  readonly all: ReadonlySet<string>
}

/**
 * The languages whose words count. English always does, as words of the trade are English everywhere; with nothing to go by, all of them.
 */
export function detectLanguages(words: readonly RequestWord[]): DetectedLanguages {
  const main = new Set(['ru', 'ko'])
  const runs = words.filter(({ kind }) => kind === 'run')
  if (runs.length > 0) main.add(runs.some(({ text }) => KANA.test(text)) ? 'ja' : 'zh')
  const scores = languageMarkers.map(({ language, words: own }) => ({
    language,
    score: words.reduce((sum, { text }) => sum + (own.has(text) ? 1 : 0), 0),
  }))
  const most = Math.max(...scores.map(({ score }) => score))
  for (const { language, score } of scores) if (score >= most * SECOND_LANGUAGE_SHARE) main.add(language)
  return { main, all: new Set([...main, 'en']) }
}
