/** Tokens of language models, of pagination, and of parsers are not secret. */
const NOT_A_SECRET_TOKEN =
  '(?<!(?:next|page|pad|eos|bos|unk|mask|sep|cls|stop|start|starting|end|continuation|cancellation|special|first|last|current|prev|previous)[_-]?)'
const KEYS =
  '(?:api|access|account|private|secret|(?<!user\\.)signing|encryption|decryption|auth|subscription|functions|application|master|storage|consumer|session|webhook|shared[_-]?access)[_-]?key|client-key-data'
/** Weaker hints: they count only as the last part of a longer name. */
const LAST_PART =
  '(?<!(?:first|second|render|one|two|multi|single|by)[_-])(?<=[_-])(?:pass|passwd|pw|psk|pat|otp|bearer)'
const SUFFIX =
  '(?:[_-]?(?:base|value|prod|production|dev|test|staging|live|old|new|b64|base64|hex|string|binary|v?\\d{1,2}))?'
const SECRET_NAME = new RegExp(
  `(?:secret|${NOT_A_SECRET_TOKEN}token|passw(?:or)?d|passphrase|passcode|credentials?|${KEYS}|shared[_-]?access[_-]?signature|storepass|keypass|requirepass|masterauth|bindpw|rootpw|sonar\\.login|(?:db|ssh|user|root|admin|smtp|mail|ftp|sudo)pass|${LAST_PART}|^-{0,2}_auth)${SUFFIX}$`,
)
const SECRET_VARIABLE =
  /^[A-Z][A-Z0-9_]*(?<!PRIMARY|FOREIGN|SORT|PARTITION|CACHE|PUBLIC|ROUTING|IDEMPOTENCY)_(?:KEY|PASS|PWD|AUTH|PAT|SALT|DSN)$/

/** Variable names that are recognised only as a whole. */
const WHOLE_NAME =
  /^(?:[A-Z][A-Z0-9_]*_)?(?:CREDS?|JWT|COOKIE|SERVICE_ROLE)$|^[A-Z][A-Z0-9_]*_WEBHOOK(?:_URL)?$|^(?:BW|OP)_SESSION/

/** `DB_PASSWORD`, `apiKey`, `client-secret`, `STRIPE_KEY`; not `max_tokens`, `token_url`, `primary_key`. */
export const isSecretName = (name: string): boolean => {
  // the end of a name shows whether it is secret
  const end = name.length > 60 ? name.slice(-60) : name
  return SECRET_NAME.test(end.toLowerCase()) || SECRET_VARIABLE.test(end) || WHOLE_NAME.test(end)
}

/** Many programs accept abbreviated long options. */
const ABBREVIATED_OPTION = /^--(?:[a-z]+-)*passwo?r?$/

/** `--password`, `-token`, `--http-passw`; not `--show-token x`, which has no value. */
export const isSecretOption = (name: string): boolean =>
  (isSecretName(name) || ABBREVIATED_OPTION.test(name)) &&
  !/^-{1,2}(?:no|show|ask|with|without|print|use|prompt|require|store|save|skip|generate|create|rotate|reset|change|get|list|delete|revoke)-/.test(
    name,
  )

const SECRET_HEADER =
  /-(?:auth|signature|jwt|(?<!(?:idempotency|cache|websocket|surrogate|sort|primary|foreign|partition|public|routing|host)-)key)$/

/** `X-Auth`, `PRIVATE-TOKEN`, `DD-APPLICATION-KEY`: the last part decides. */
export const isSecretHeader = (name: string): boolean => isSecretName(name) || SECRET_HEADER.test(name.toLowerCase())

const SECRET_QUERY_PARAMETER =
  /^(?:auth|sig|signature|jwt|hmac|saml(?:request|response)|j?session_?id|x-(?:amz|goog)-(?:signature|credential))$/i

/** Names that are secret only in a query. */
export const isSecretQueryParameter = (name: string): boolean => SECRET_QUERY_PARAMETER.test(name)
