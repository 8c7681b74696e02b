import { ELIDED } from './tables/languages.ts'

/** How a word is written decides how it is looked up: words, runs without spaces between them, words with endings glued on. */
type Kind = 'word' | 'run' | 'glued'

export interface Word {
  readonly text: string
  readonly kind: Kind
}

export interface Text {
  readonly words: readonly Word[]
  /** the share of its letters that are of a script the tables have */
  readonly known: number
  /** characters in the middle that were not read */
  readonly skipped: number
}

/** What is asked stands at the beginning or at the end of what is pasted; between the two may be a log of any length. */
const HEAD = 2400
const TAIL = 800

const NO_WORD = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]+/gu
const URL = /\b[a-z][a-z0-9+.-]*:\/\/\S+/g
const ACCENT = /[\u0300-\u036f]/g
const elided = new Set(ELIDED.split(' '))
const APOSTROPHE = /(\p{L}+)['’ʼ`](?=\p{L})/gu
const WORDS =
  /([\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]+)|(\p{sc=Hang}+)|((?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}])[\p{L}\p{M}\p{N}])+|\?)/gu

export function readText(request: string): Text {
  const skipped = Math.max(0, request.length - HEAD - TAIL)
  const read = skipped > 0 ? `${request.slice(0, HEAD)}\n${request.slice(-TAIL)}` : request
  const words = wordsOf(read)
  return { words, known: knownShare(words), skipped }
}

/** One way for requests and tables: lower case, no accents, apostrophes and addresses out of the way. */
export function wordsOf(text: string): readonly Word[] {
  const plain = text
    .replace(NO_WORD, ' ')
    .normalize('NFKD')
    .replace(ACCENT, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(URL, ' url ')
    .replace(APOSTROPHE, (_, before: string) => (elided.has(before) ? `${before} ` : before))
  return Array.from(plain.matchAll(WORDS), ([word, run, glued]) => ({
    text: word,
    kind: run ? 'run' : glued ? 'glued' : 'word',
  }))
}

const KNOWN = /^[\p{sc=Latn}\p{sc=Cyrl}\p{N}?]/u

function knownShare(words: readonly Word[]): number {
  let all = 0
  let known = 0
  for (const { text, kind } of words) {
    all += text.length
    if (kind !== 'word' || KNOWN.test(text)) known += text.length
  }
  return all === 0 ? 0 : known / all
}
