import type { RequestWord } from './request-text.ts'
import { LANGUAGE_MARKERS } from './tables/languages.ts'

const KANA = /[\p{sc=Hira}\p{sc=Kana}]/u
const languageMarkers = Object.entries(LANGUAGE_MARKERS).map(([language, words]) => ({
  language,
  words: new Set(words.split(/\s+/)),
}))

/** A second language counts if it has this share of the first one's marker words: Spanish and Portuguese share many. */
const SECOND_LANGUAGE_SHARE = 0.66

export interface DetectedLanguages {
  /** the detected languages of the request */
  readonly main: ReadonlySet<string>
  /** the languages whose cues count */
  readonly all: ReadonlySet<string>
}

/**
 * Detects the languages whose cues count. English always counts, because technical terms are English everywhere. Without markers all count.
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
