import { HIDDEN } from './span.ts'
import { VALUE } from './value.ts'

const FILE = '(?:[^\\s"\'|;&<>]{0,200}/)?(?:\\.env(?:\\.[\\w.-]{1,40})?|[\\w-]{1,60}\\.env)'
const WRITTEN = new RegExp(`(?:>\\s{0,3}|\\btee\\s{1,3}(?:-a\\s{1,3})?)["']?${FILE}(?:["'\\s;&|<)]|$)`)
const SETTING = new RegExp(
  `((?:^|[\\s"';]|\\\\n)(?:export\\s{1,3})?[A-Za-z_]\\w{0,80}=)(?![$=])(?:${VALUE.source})`,
  'g',
)

/** What goes into a `.env` file is secret, whatever it is called. */
export const hideSettings = (text: string): string => text.replace(SETTING, `$1${HIDDEN}`)

export const hideEnvFile = (text: string): string =>
  text.includes('.env') && WRITTEN.test(text) ? hideSettings(text) : text
