import { MAX_PARTS, REDACTED } from './tokens.ts'

const BEARER = /(\bbearer\s{1,3})[\w.~+/=-]{16,}/gi
const BASIC = /(\bbasic\s{1,3})([\w+/-]{4,}={0,2})/gi
/** One colon, and only printable characters. */
const NAME_AND_PASSWORD = /^[ -9;-~]*:[ -~]*$/

const isCredential = (base64: string): boolean =>
  base64.length % 4 === 0 && NAME_AND_PASSWORD.test(Buffer.from(base64.slice(0, 1000), 'base64').toString('latin1'))

/** Redacts `Bearer x` and `Basic x` anywhere. "Basic" is a common word, so only an encoded `name:password` counts. */
export function redactAuthSchemes(text: string): string {
  const bare = /bearer\s/i.test(text) ? text.replace(BEARER, `$1${REDACTED}`) : text
  if (!/basic\s/i.test(bare)) return bare
  let count = 0
  return bare.replace(BASIC, (whole, before: string, value: string) => {
    count += 1
    return count > MAX_PARTS || isCredential(value) ? before + REDACTED : whole
  })
}
