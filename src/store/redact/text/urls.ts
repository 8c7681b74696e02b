import { REDACTED } from './tokens.ts'

const WEBHOOK =
  /(\bhooks\.slack\.com\/(?:services|workflows)\/|\bdiscord(?:app)?\.com\/api\/webhooks\/\d{1,30}\/|\.webhook\.office\.com\/webhookb2\/|\bhooks\.zapier\.com\/hooks\/catch\/)[\w/@-]{8,300}/gi
/** Up to the last `@` before the path, because a password can contain `@`. */
const PASSWORD = /(:\/\/[^\s/:@'"]{0,200}:)(?!\d{1,5}[/?#])(?![$<{…]|\*\*\*|\[redacted\])[^\s/'"]{1,500}(?=@)/g
/** A token in place of the user: longer than a name, or clearly not a name. */
const TOKEN_AS_USER =
  /(:\/\/)(?![$<{…]|\*\*\*|\[redacted\])(?:(?=[^\s/:@'"]{0,40}\d)[^\s/:@'"]{10,500}|[^\s/:@'"]{16,500})(?=@)/g
/** Credentials truncated before the `@`. */
const TRUNCATED_CREDENTIALS =
  /(:\/\/[^\s/:@'"]{0,200}:)(?!\d{0,5}…)(?![$<{])[^\s/@'"…]{1,500}(?=…)|(:\/\/)[\w-]{16,500}(?=…)/g

/** Each rule with a character that a text must contain. The captured groups stay. */
const URL_RULES: readonly (readonly [sign: string, pattern: RegExp])[] = [
  ['/', WEBHOOK],
  ['@', PASSWORD],
  ['@', TOKEN_AS_USER],
  ['…', TRUNCATED_CREDENTIALS],
]

/** Redacts credentials before a host, and addresses that are themselves secret. */
export const redactUrls = (text: string): string =>
  text.includes('://') || text.includes('hooks.')
    ? URL_RULES.reduce(
        (rest, [sign, pattern]) => (rest.includes(sign) ? rest.replace(pattern, keepPrefix) : rest),
        text,
      )
    : text

const keepPrefix = (_: string, ...[first, second]: readonly (string | undefined)[]): string =>
  `${first ?? second ?? ''}${REDACTED}`
