import { ELIDED_ARTICLES } from './tables/languages.ts'

export interface RequestWord {
  readonly text: string
}

export interface RequestText {
  readonly words: readonly RequestWord[]
  /** the share of letters in scripts that the tables cover */
  readonly known: number
  /** characters in the middle that were skipped */
  readonly skipped: number
}

/** The request is at the beginning or the end of a pasted text; the middle may be a log of any length. */
const MAX_HEAD = 2400
const MAX_TAIL = 800

const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]+/gu
const URL_PATTERN = /\b[a-z][a-z0-9+.-]*:\/\/\S+/g
const ACCENT = /[\u0300-\u036f]/g
const elidedArticles = new Set(ELIDED_ARTICLES.split(' '))
const APOSTROPHE = /(\p{L}+)['’ʼ`](?=\p{L})/gu
/** Latin letters are words of their own, also within another script (`FastAPIで`): technical terms are English everywhere. */
const WORD_PATTERN = /[\p{sc=Latn}\p{M}\p{N}]+|[\p{L}\p{M}]+|\?/gu

export function parseRequestText(request: string): RequestText {
  const skipped = Math.max(0, request.length - MAX_HEAD - MAX_TAIL)
  const read = skipped > 0 ? `${request.slice(0, MAX_HEAD)}\n${request.slice(-MAX_TAIL)}` : request
  const words = splitWords(read)
  return { words, known: knownScriptShare(words), skipped }
}

/** Normalizes requests and tables alike: lower case, without accents, apostrophes and URLs. */
export function splitWords(text: string): readonly RequestWord[] {
  const plain = text
    .replace(INVISIBLE_CHARACTERS, ' ')
    .normalize('NFKD')
    .replace(ACCENT, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(URL_PATTERN, ' url ')
    .replace(APOSTROPHE, (_, before: string) => (elidedArticles.has(before) ? `${before} ` : before))
  return Array.from(plain.matchAll(WORD_PATTERN), ([text]) => ({ text }))
}

const KNOWN_SCRIPT = /^[\p{sc=Latn}\p{N}?]/u

function knownScriptShare(words: readonly RequestWord[]): number {
  let all = 0
  let known = 0
  for (const { text } of words) {
    all += text.length
    if (KNOWN_SCRIPT.test(text)) known += text.length
  }
  return all === 0 ? 0 : known / all
}
