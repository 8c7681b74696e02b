const HIDDEN = '[redacted]'

/** Texts without any of this hold nothing to hide: most of them, and they cost one look. */
const SUSPECT = /[=:@]|--|\s-(?:[pu]|a\s)|[\w-]{16}/

const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g

/** Tokens that say by themselves what they are. Every repetition is bounded or ends at its first other character. */
const TOKENS = new RegExp(
  `\\b(?:${[
    '(?:AKIA|ASIA|ABIA|ACCA|AIDA|AROA)[A-Z0-9]{16}\\b', // AWS
    'gh[pousr]_[A-Za-z0-9]{20,255}', // GitHub
    'github_pat_\\w{20,255}',
    'gl(?:pat|dt|rt|ptt|ft|soat|cbt|imt|agent|oas)-[\\w-]{16,255}', // GitLab
    'npm_[A-Za-z0-9]{36}',
    'pypi-[\\w-]{50,500}',
    'rubygems_[a-f0-9]{48}',
    'xox[abeoprs]-[A-Za-z0-9-]{10,255}', // Slack
    'xapp-\\d-[A-Za-z0-9-]{10,255}',
    '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,255}', // Stripe
    'whsec_[A-Za-z0-9+/=]{20,100}',
    'sk-(?:ant|proj|svcacct|admin|or)-[\\w-]{20,255}', // Anthropic, OpenAI, OpenRouter
    'sk-[A-Za-z0-9]{20,255}',
    'AIza[\\w-]{35}', // Google
    'ya29\\.[\\w-]{20,500}',
    'GOCSPX-[\\w-]{20,100}',
    'eyJ[\\w-]{8,4000}\\.[\\w-]{8,8000}(?:\\.[\\w-]{0,2000})?', // JWT
    'hf_[A-Za-z0-9]{30,100}', // Hugging Face
    'dckr_pat_[\\w-]{20,100}', // Docker
    'do[opr]_v1_[a-f0-9]{64}', // DigitalOcean
    'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}', // Shopify
    'SG\\.[\\w-]{16,64}\\.[\\w-]{16,64}', // SendGrid
    'lin_api_[A-Za-z0-9]{30,60}', // Linear
    'ntn_[A-Za-z0-9]{40,60}', // Notion
    'hv[sb]\\.[\\w-]{20,300}', // Vault
    'tskey-[a-z]{1,20}-[\\w-]{10,100}', // Tailscale
    'glsa_\\w{32,60}', // Grafana
    'ATATT3[\\w=-]{50,300}', // Atlassian
    'AGE-SECRET-KEY-1[A-Z0-9]{50,70}',
    '\\d{8,10}:[A-Za-z0-9_-]{35}\\b', // Telegram
    '[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,40}', // Discord
  ].join('|')})`,
  'g',
)

const WEBHOOK =
  /(\bhooks\.slack\.com\/(?:services|workflows)\/|\bdiscord(?:app)?\.com\/api\/webhooks\/\d{1,30}\/)[\w/-]{8,200}/gi

const AUTHORIZATION =
  /(\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:bearer|basic|token|digest|apikey|negotiate)\s{1,3})?)(?![$<]|(?:bearer|basic|token|digest|apikey|negotiate)\s)[^\s"'`,;]+/gi
const BEARER = /(\bbearer\s{1,3})[\w.~+/=-]{16,}/gi
const COOKIE = /(\b(?:set-)?cookie["']?\s{0,3}:\s{0,3})[^"'\n]+/gi

const URL_PASSWORD = /(:\/\/[^\s/:@'"]{0,200}:)(?![$<{])[^\s/@'"]{1,500}(?=@)/g
const URL_TOKEN = /(:\/\/)[^\s/:@'"$<{]{16,500}(?=@)/g

const SECRET_NAME =
  '(?:secret|token|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|secret[_-]?key|signing[_-]?key|encryption[_-]?key|shared[_-]?access[_-]?(?:key|signature)|credentials?|client[_-]?secret|auth[_-]?key)'
/** A reference, a placeholder or a plain word of code is no secret. */
const NO_SECRET = '(?![$<{(]|["\']?(?:true|false|null|none|undefined|yes|no|\\d{1,5})?["\']?(?:[\\s&;,)}\\]]|$))'
const VALUE = `(?:"(?![$<{])[^"\\n]{1,2000}"|'(?![$<{])[^'\\n]{1,2000}'|[^\\s"'&;,)}]{1,2000})`

/** `--password x`, `--api-key=x`; not `--password-file x`, `--max-tokens 5`. */
const OPTION = new RegExp(
  `((?:^|\\s)--(?!no-)(?:[a-z0-9]{1,30}-){0,4}(?:${SECRET_NAME}|pass|pat)(?:=|\\s{1,3}))(?!-)${NO_SECRET}${VALUE}`,
  'gi',
)
/** `DB_PASSWORD=x`, `password=x`, `?token=x`, `AccountKey=x;` */
const ASSIGNED = new RegExp(
  `(${SECRET_NAME}(?:[_-]?(?:base|value|prod|dev|test|live|v?\\d{1,2}))?=)${NO_SECRET}${VALUE}`,
  'gi',
)
/** `"password": "x"`, `token = 'x'` */
const QUOTED = new RegExp(
  `(${SECRET_NAME}\\\\?["']?\\s{0,3}[:=]\\s{0,3})(?:\\\\?"(?![$<{])[^"\\n]{3,2000}"|'(?![$<{])[^'\\n]{3,2000}')`,
  'gi',
)
/** `X-Api-Key: x`, `password: x1`: a digit in it tells a secret from prose. */
const COLON = new RegExp(`(${SECRET_NAME}["']?:\\s{0,3})(?=[^\\s"']{0,200}\\d)(?![$<{])[^\\s"',;]{6,2000}`, 'gi')
const ENV_KEY = new RegExp(`(\\b[A-Z][A-Z0-9_]{0,60}_(?:KEY|PASS|PWD|AUTH|PAT|SALT|DSN)=)${NO_SECRET}${VALUE}`, 'g')
/** `Pwd=x;` of a connection string, never the shell's own `PWD=/folder`. */
const PWD = /((?:^|[;\s&?])pwd=)(?![/$<~])[^\s;&"']{1,500}/gi

const MYSQL =
  /(\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|mariadb-admin)\b[^|;&\n]{0,300}?\s-p)(?![$<])[^\s"']+/g
const SHORT_PASSWORD = /(\bsshpass\s{1,3}-p\s{0,3}|\bredis-cli\b[^|;&\n]{0,200}?\s-a\s{1,3})(?![$<])\S+/g
/** `curl -u name:x`; `docker run -u 1000:1000` is no secret. */
const USER = /((?:^|\s)(?:-u|--user)(?:=|\s{0,3})["']?(?!\d+:\d)[^\s:"'$/]{1,100}:)(?![$<])[^\s"'/]+/g

/** What is hidden after a name that stays, by what a text must hold to be worth the look. */
const NAMED: readonly (readonly [sign: RegExp, patterns: readonly RegExp[]])[] = [
  [/:\/\//, [WEBHOOK, URL_PASSWORD, URL_TOKEN]],
  [/authorization|bearer|cookie/i, [AUTHORIZATION, BEARER, COOKIE]],
  [/secret|token|pass|key|credential|signature|--pat/i, [OPTION, ASSIGNED, QUOTED, COLON]],
  [/=/, [ENV_KEY, PWD]],
  [/\s-/, [MYSQL, SHORT_PASSWORD, USER]],
]

/** The text without what looks like a secret. What it was the secret of stays readable. */
export function redact(text: string): string {
  if (!SUSPECT.test(text)) return text
  const bare = text.replace(PRIVATE_KEY, HIDDEN).replace(TOKENS, HIDDEN)
  const patterns = NAMED.flatMap(([sign, list]) => (sign.test(bare) ? list : []))
  return patterns.reduce((rest, pattern) => rest.replace(pattern, `$1${HIDDEN}`), bare)
}
