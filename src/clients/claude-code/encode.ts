import { createEncoder, createFailureEncoder } from '../adapter/encode.ts'
import { capabilities } from './capabilities.ts'
import { eventKindOf } from './decode.ts'

/** The client moves a string of more than 10,000 characters into a file and shows a preview. */
const shortenText = (words: string): string =>
  words.length > 10_000 ? `${cutText(words, 9_900)}… (cut: ${words.length} characters in all)` : words

/** Never cuts a surrogate pair in half. */
const cutText = (words: string, length: number): string => {
  const last = words.charCodeAt(length - 1)
  return words.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

export const encode = createEncoder({ capabilities, kindOf: eventKindOf, short: shortenText })

export const encodeFailure = createFailureEncoder({ capabilities, kindOf: eventKindOf })
