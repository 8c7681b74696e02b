import { HIDDEN, type Span, withoutSpans } from './span.ts'
import { VALUE } from './value.ts'

const FILE = '(?:[^\\s"\'|;&<>]{0,200}/)?(?:\\.env(?:rc)?(?:\\.[\\w.-]{1,40})?|[\\w-]{1,60}\\.env|\\.dev\\.vars)'
const WRITTEN = new RegExp(`(?:>\\s{0,3}|\\btee\\s{1,3}(?:-a\\s{1,3})?|\\bof=)["']?${FILE}(?:["'\\s;&|<)]|$)`)
/** It is named as a word of its own. */
const NAMED = new RegExp(`\\s["']?${FILE}(?=["'\\s;&|<)]|$)`)
/** A command of `sed`, with the sign that parts it. */
const COMMAND = /(?:^|[\s"';])s([/|#,@])/g
const SET = /^(?:export\s{1,3})?[A-Za-z_]\w{0,80}=(?!\$|\[redacted\])/
const MOST = 32
const SETTING = new RegExp(
  `((?:^|[\\s"';]|\\\\n)(?:export\\s{1,3})?(?!of=)[A-Za-z_]\\w{0,80}=)(?![$=])(?:${VALUE.source})`,
  'g',
)

/** What goes into a `.env` file is secret, whatever it is called. */
export const hideSettings = (text: string): string => text.replace(SETTING, `$1${HIDDEN}`)

export function hideEnvFile(text: string): string {
  if (!text.includes('.env') && !text.includes('.dev.vars')) return text
  const bare = WRITTEN.test(text) ? hideSettings(text) : text
  return /\bsed\s/.test(bare) && NAMED.test(bare) ? hideReplaced(bare) : bare
}

/** `sed -i s/X=old/X=x/ .env`: what is put in. */
function hideReplaced(text: string): string {
  const spans: Span[] = []
  COMMAND.lastIndex = 0
  for (let found = COMMAND.exec(text); found && spans.length < MOST; found = COMMAND.exec(text)) {
    const [, mark = ''] = found
    const middle = text.indexOf(mark, COMMAND.lastIndex)
    const end = middle < 0 ? -1 : text.indexOf(mark, middle + 1)
    if (end < 0) break
    const [named] = SET.exec(text.slice(middle + 1, Math.min(end, middle + 200))) ?? []
    if (named !== undefined && middle + 1 + named.length < end) spans.push({ from: middle + 1 + named.length, to: end })
    COMMAND.lastIndex = end
  }
  return withoutSpans(text, spans)
}
