import { REDACTED } from '../span.ts'

const BASE64_WORD = /(?<![\w+/=-])[A-Za-z0-9+/_-]{24,}={0,2}(?![\w+/=-])/g
const PRINTABLE = /^[\t\r\n -~]+$/
/** What is wrapped is a line or two; of more the beginning tells. */
const MAX_DECODED = 8_192

/** Text that was wrapped in base64, and holds a secret. Other words of these letters are no text once they are unwrapped. */
export const redactBase64 = (text: string, redact: (text: string) => string): string =>
  text.replace(BASE64_WORD, word => {
    const inner = Buffer.from(word.slice(0, MAX_DECODED), 'base64').toString('latin1')
    return PRINTABLE.test(inner) && redact(inner) !== inner ? REDACTED : word
  })
