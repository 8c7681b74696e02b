import { HIDDEN, type Span, spanOf, withoutSpans } from './span.ts'
import { WORD } from './value.ts'

/** Commands that read a secret from whoever prints it to them. */
const READS =
  /\s--(?:password-stdin|with-token|passphrase-fd[= ]0|data-file=-)(?!\w)|\bsudo\s(?:-\w+\s)*-\w*S|\b(?:chpasswd|cryptsetup)\b|\bgh secret set\s|\bsecret (?:put\s|create (?:\S+ ){1,8}-)|\bnpm (?:adduser|add-user|login)\b|\bkinit\b|\blpass login\b|\b(?:restic|borg)\s|\bvault login -(?:\s|$)|(?:^|[|;&]|run |sudo )\s{0,3}passwd\s{1,3}[a-z_][\w.-]{0,60}\s{0,3}(?:$|[\n;|&'"])|\benv add\s|(?:--from-file=\S*|file:\/\/)\/dev\/stdin|-pass(?:in|out)? stdin|passwd\s.*--stdin|\b(?:smbpasswd -s|htpasswd -\w*i|pass insert)/
const WRITES_SETTINGS = /^write (?:.*\/)?(?:\.env(?:rc)?(?:\.[\w.-]+)?|[\w-]+\.env|\.dev\.vars)$/
const PRINTS = /\b(?:echo|printf)\s+(?:-\w+\s+)*(?=\S)/
const REFERENCE = /^["']?(?:\$|…$|\[redacted\])/

/** `echo x` without what it prints. */
function hidePrinted(command: string): string {
  const found = PRINTS.exec(command)
  if (!found) return command
  const at = found.index + found[0].length
  const printed = command.slice(at).trimEnd()
  return REFERENCE.test(printed) ? command : `${command.slice(0, at)}${HIDDEN}${command.slice(at + printed.length)}`
}

/** `echo x | docker login --password-stdin` */
export function hidePiped(text: string): string {
  if (!text.includes('|') || !READS.test(text)) return text
  const commands = text.split('|')
  return commands.map((one, nth) => (READS.test(commands[nth + 1] ?? '') ? hidePrinted(one) : one)).join('|')
}

const HERE_TEXT = /<<<[ \t]{0,3}/g
const HERE_LINES = /(?<!<)<<-?(?!<)[ \t]{0,3}["']?(\w{1,40})["']?[^\n]{0,300}\n/g

/** `docker login --password-stdin <<< x`, and lines of a text that is given to it. */
export function hideGiven(text: string): string {
  if (!text.includes('<<') || !READS.test(text)) return text
  const spans: Span[] = []
  for (const { 0: mark, index } of text.matchAll(HERE_TEXT)) {
    const at = index + mark.length
    if (isRead(text, index) && !REFERENCE.test(text.slice(at, at + 12))) keep(spans, spanOf(WORD, text, at))
  }
  HERE_LINES.lastIndex = 0
  for (let found = HERE_LINES.exec(text); found; found = HERE_LINES.exec(text)) {
    const from = HERE_LINES.lastIndex
    const end = text.indexOf(`\n${found[1]}`, from - 1)
    if (isRead(text, found.index) && end !== from - 1) spans.push({ from, to: end < 0 ? text.length : end })
    if (end < 0) break
    HERE_LINES.lastIndex = Math.max(end, from)
  }
  return withoutSpans(text, spans)
}

const keep = (spans: Span[], span: Span | undefined): void => {
  if (span) spans.push(span)
}

/** By the command in front of it. */
function isRead(text: string, at: number): boolean {
  const before = text.slice(Math.max(at - LONGEST, 0), at)
  return READS.test(before.slice(Math.max(...['\n', ';', '|', '&'].map(sign => before.lastIndexOf(sign))) + 1))
}
const LONGEST = 300

/** `curl --cert file:x`, which is also a file that is read. */
const WITH_CERT = /^run (?:\S*\/)?curl\s(?:.*\s)?(?:-E|--cert)[\s=]/
const CERT = /^(read [^:]{2,}:).+/

/** The file of a certificate without its password. */
export const hideCert = (acts: readonly string[]): readonly string[] =>
  acts.length > 1 &&
  acts.some(act => act.startsWith('read ') && CERT.test(act)) &&
  acts.some(act => WITH_CERT.test(act))
    ? acts.map(act => act.replace(CERT, `$1${HIDDEN}`))
    : acts

/** The same line as acts, a command each; and what is printed into a `.env` file. */
export const hideFed = (acts: readonly string[]): readonly string[] =>
  acts.some(isPrinting) && acts.some(act => READS.test(act) || WRITES_SETTINGS.test(act))
    ? acts.map(act => (isPrinting(act) ? hidePrinted(act) : act))
    : acts

const isPrinting = (act: string): boolean => act.startsWith('run echo ') || act.startsWith('run printf ')
