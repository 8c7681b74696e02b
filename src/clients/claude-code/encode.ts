import { encodeIn } from '../hook-output.ts'
import { capabilities } from './capabilities.ts'
import { kindOf } from './events.ts'

/** The client moves a string of more than 10,000 characters into a file and shows a preview. */
const short = (words: string): string =>
  words.length > 10_000 ? `${cut(words, 9_900)}… (cut: ${words.length} characters in all)` : words

/** Never through the middle of a surrogate pair. */
const cut = (words: string, length: number): string => {
  const last = words.charCodeAt(length - 1)
  return words.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

export const encode = encodeIn({ capabilities, kindOf, short })
