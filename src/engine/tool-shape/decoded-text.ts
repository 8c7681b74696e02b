import { tryOr } from '../../lib/errors.ts'
import { isPatch } from './looks-like-patch.ts'
import { looksLikeShell } from './looks-like-shell.ts'

/** Every JavaScript engine has it. It skips blanks, and throws for a text that is no base64. */
declare const atob: (text: string) => string

/** Far longer than a line that a shell is given: decoding takes time. */
const LONGEST = 100_000

/** What a text means after decoding, if that is a shell line, a patch, a URL or JSON: base64, hexadecimal, `%20`. */
export function decodedTextOf(given: string): string | undefined {
  const text = given.slice(0, LONGEST)
  // `escape` writes each byte as decodeURIComponent() reads it, which throws for bytes that are no text
  const plain = tryOr('', () => decodeURIComponent(/%[\da-f]{2}/i.test(text) ? text : bytesOf(text)))
  // what was encoded twice is decoded twice: each time it gets shorter
  return meansAct(plain) || (plain !== '' && decodedTextOf(plain)) ? plain : undefined
}

const bytesOf = (text: string): string =>
  /^([\da-f]{2}){4,}$/i.test(text)
    ? text.replace(/../g, '%$&')
    : escape(atob(text.replace(/-/g, '+').replace(/_/g, '/')))

const meansAct = (text: string): boolean =>
  looksLikeShell(text) || isPatch(text) || /^\s*(https?:\/\/|[[{]\s*["{[])/i.test(text)
