import { ASSIGNED_VALUE } from '../secret-values.ts'
import { REDACTED, redactSpans, type TextSpan } from '../text/tokens.ts'

const ENV_FILE = '(?:[^\\s"\'|;&<>]{0,200}/)?(?:\\.env(?:rc)?(?:\\.[\\w.-]{1,40})?|[\\w-]{1,60}\\.env|\\.dev\\.vars)'
const ENV_FILE_WRITE = new RegExp(
  `(?:>\\s{0,3}|\\btee\\s{1,3}(?:-a\\s{1,3})?|\\bof=)["']?${ENV_FILE}(?:["'\\s;&|<)]|$)`,
)
/** The file is named as a separate word. */
const ENV_FILE_ARGUMENT = new RegExp(`\\s["']?${ENV_FILE}(?=["'\\s;&|<)]|$)`)
/** A substitution of `sed`, with its delimiter. */
const SED_SUBSTITUTION = /(?:^|[\s"';])s([/|#,@])/g
const ASSIGNMENT_START = /^(?:export\s{1,3})?[A-Za-z_]\w{0,80}=(?!\$|\[redacted\])/
const MAX_SUBSTITUTIONS = 32
const ASSIGNMENT = new RegExp(
  `((?:^|[\\s"';]|\\\\n)(?:export\\s{1,3})?(?!of=)[A-Za-z_]\\w{0,80}=)(?![$=])(?:${ASSIGNED_VALUE.source})`,
  'g',
)

/** Every value written to a `.env` file is secret, whatever its name. */
export const redactAssignments = (text: string): string => text.replace(ASSIGNMENT, `$1${REDACTED}`)

export function redactEnvFile(text: string): string {
  if (!text.includes('.env') && !text.includes('.dev.vars')) return text
  const bare = ENV_FILE_WRITE.test(text) ? redactAssignments(text) : text
  return /\bsed\s/.test(bare) && ENV_FILE_ARGUMENT.test(bare) ? redactSedReplacements(bare) : bare
}

/** `sed -i s/X=old/X=x/ .env`: redacts the replacement. */
function redactSedReplacements(text: string): string {
  const spans: TextSpan[] = []
  SED_SUBSTITUTION.lastIndex = 0
  for (
    let found = SED_SUBSTITUTION.exec(text);
    found && spans.length < MAX_SUBSTITUTIONS;
    found = SED_SUBSTITUTION.exec(text)
  ) {
    const [, mark = ''] = found
    const middle = text.indexOf(mark, SED_SUBSTITUTION.lastIndex)
    const end = middle < 0 ? -1 : text.indexOf(mark, middle + 1)
    if (end < 0) break
    const [named] = ASSIGNMENT_START.exec(text.slice(middle + 1, Math.min(end, middle + 200))) ?? []
    if (named !== undefined && middle + 1 + named.length < end) spans.push({ from: middle + 1 + named.length, to: end })
    SED_SUBSTITUTION.lastIndex = end
  }
  return redactSpans(text, spans)
}
