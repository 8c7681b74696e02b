import { SHELL_WORD } from '../secret-values.ts'
import { matchSpan, REDACTED, redactSpans, type TextSpan } from '../span.ts'

/** Commands that read a secret from standard input. */
const READS_SECRET_FROM_STDIN =
  /\s--(?:password-stdin|with-token|passphrase-fd[= ]0|data-file=-)(?!\w)|\bsudo\s(?:-\w+\s)*-\w*S|\b(?:chpasswd|cryptsetup)\b|\bgh secret set\s|\bsecret (?:put\s|create (?:\S+ ){1,8}-)|\bnpm (?:adduser|add-user|login)\b|\bkinit\b|\blpass login\b|\b(?:restic|borg)\s|\bvault login -(?:\s|$)|(?:^|[|;&]|run |sudo )\s{0,3}passwd\s{1,3}[a-z_][\w.-]{0,60}\s{0,3}(?:$|[\n;|&'"])|\benv add\s|(?:--from-file=\S*|file:\/\/)\/dev\/stdin|-pass(?:in|out)? stdin|passwd\s.*--stdin|\b(?:smbpasswd -s|htpasswd -\w*i|pass insert)/
const WRITES_ENV_FILE = /^write (?:.*\/)?(?:\.env(?:rc)?(?:\.[\w.-]+)?|[\w-]+\.env|\.dev\.vars)$/
const PRINT_COMMAND = /\b(?:echo|printf)\s+(?:-\w+\s+)*(?=\S)/
const REFERENCE = /^["']?(?:\$|…$|\[redacted\])/

/** Redacts what `echo x` prints. */
function redactPrintedText(command: string): string {
  const found = PRINT_COMMAND.exec(command)
  if (!found) return command
  const at = found.index + found[0].length
  const printed = command.slice(at).trimEnd()
  return REFERENCE.test(printed) ? command : `${command.slice(0, at)}${REDACTED}${command.slice(at + printed.length)}`
}

/** `echo x | docker login --password-stdin` */
export function redactPipedSecrets(text: string): string {
  if (!text.includes('|') || !READS_SECRET_FROM_STDIN.test(text)) return text
  const commands = text.split('|')
  return commands
    .map((one, nth) => (READS_SECRET_FROM_STDIN.test(commands[nth + 1] ?? '') ? redactPrintedText(one) : one))
    .join('|')
}

const HERE_STRING = /<<<[ \t]{0,3}/g
const HERE_DOCUMENT = /(?<!<)<<-?(?!<)[ \t]{0,3}["']?(\w{1,40})["']?[^\n]{0,300}\n/g

/** `docker login --password-stdin <<< x`, and here-documents for such commands. */
export function redactHereDocuments(text: string): string {
  if (!text.includes('<<') || !READS_SECRET_FROM_STDIN.test(text)) return text
  const spans: TextSpan[] = []
  for (const { 0: mark, index } of text.matchAll(HERE_STRING)) {
    const at = index + mark.length
    if (feedsSecretReader(text, index) && !REFERENCE.test(text.slice(at, at + 12)))
      addSpan(spans, matchSpan(SHELL_WORD, text, at))
  }
  HERE_DOCUMENT.lastIndex = 0
  for (let found = HERE_DOCUMENT.exec(text); found; found = HERE_DOCUMENT.exec(text)) {
    const from = HERE_DOCUMENT.lastIndex
    const end = text.indexOf(`\n${found[1]}`, from - 1)
    if (feedsSecretReader(text, found.index) && end !== from - 1) spans.push({ from, to: end < 0 ? text.length : end })
    if (end < 0) break
    HERE_DOCUMENT.lastIndex = Math.max(end, from)
  }
  return redactSpans(text, spans)
}

const addSpan = (spans: TextSpan[], span: TextSpan | undefined): void => {
  if (span) spans.push(span)
}

/** Whether the command in front of this position reads a secret. */
function feedsSecretReader(text: string, at: number): boolean {
  const before = text.slice(Math.max(at - MAX_LOOKBEHIND, 0), at)
  return READS_SECRET_FROM_STDIN.test(
    before.slice(Math.max(...['\n', ';', '|', '&'].map(sign => before.lastIndexOf(sign))) + 1),
  )
}
const MAX_LOOKBEHIND = 300

/** `curl --cert file:x`, which is also recorded as a read of that file. */
const CURL_WITH_CERT = /^run (?:\S*\/)?curl\s(?:.*\s)?(?:-E|--cert)[\s=]/
const READ_OF_CERT = /^(read [^:]{2,}:).+/

/** Redacts the password after the file name of a certificate. */
export const redactCertificatePasswords = (acts: readonly string[]): readonly string[] =>
  acts.length > 1 &&
  acts.some(act => act.startsWith('read ') && READ_OF_CERT.test(act)) &&
  acts.some(act => CURL_WITH_CERT.test(act))
    ? acts.map(act => act.replace(READ_OF_CERT, `$1${REDACTED}`))
    : acts

/** Like `redactPipedSecrets`, for a line split into actions; also for text printed into a `.env` file. */
export const redactPipedActions = (acts: readonly string[]): readonly string[] =>
  acts.some(isPrintAction) && acts.some(act => READS_SECRET_FROM_STDIN.test(act) || WRITES_ENV_FILE.test(act))
    ? acts.map(act => (isPrintAction(act) ? redactPrintedText(act) : act))
    : acts

const isPrintAction = (act: string): boolean => act.startsWith('run echo ') || act.startsWith('run printf ')
