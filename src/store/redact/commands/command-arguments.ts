import { SHELL_WORD } from '../secret-values.ts'
import { MAX_PARTS, matchSpan, REDACTED, redactSpans, type TextSpan } from '../text/tokens.ts'
import { ArgumentScanner, toCommandWord } from './argument-scanner.ts'
import {
  createSecretArgumentRules,
  hasNoLoginOption,
  isScriptFile,
  type SecretArgumentRule,
  USER_OPTION_RULE,
} from './secret-argument-rules.ts'

/** A word made of quoted and unquoted pieces, or the end of a command, or an unclosed quote. */
const COMMAND_WORD = /(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\\[\s\S]|[^\s|;&"'\\])+|[|;&\n]|["'\\]/g
const WORD_BREAK = /[\s"'(`]+/
/** The options and words with which rules begin. */
export const SECRET_OPTION_HINT =
  /\s-(?:h?p|[PkKaAuUwWbtNEXx]\s|\w{1,6}[bUu]\s|u|hmac|psk)|\s\/p(?:ass)?[:\s]|\s--(?:user|proxy-user|body|cookie|from-literal|auth|cert|(?:src-|dest-)?creds|(?:pre)?proxy|key|set|value|session|plaintext)[\s=]|\s(?:put|patch|write|login|secrets?|password|auth|passwd|unlock|unseal|set|authtoken|add-authtoken|setapikey|encrypt_string|add_user|change_password|obscure|put-parameter|secret_access_key|config:set|config:add|env:set|functions:config:set|setenv|set-env|encrypt|using|upwd|variable|\w{4,5}_pw)\s|sql(?:plus|ldr)|[ei]mpdp|rman|\shttp-basic\.|\spypi-token|user-secrets|wpa_passphrase|pass:|ecure[Ss]tring|-oauth\.|-token\.|\sbearer\.|passwd\s|\bnet user |\bpm2 link|cloudflared|-setairportnetwork|user[:-]password|\bbundle config|\bsmbclient\s/
/** Rules for texts that contain a keyword of secrets anyway. Tested only then, so they cost most texts nothing. */
const KEYWORD_HINT =
  /htpasswd|wpa_cli|ssh-keygen|mysqladmin|rclone|pulumi|\s--secret-|\]=|npm-cli-|\s(?:auth|setuser|hello|adduser|add-user)\s/i
const USER_OPTION = /\s(?:-u|--user)/
/** A program has a few rules, and may run another program with rules. */
const MAX_SCANNERS = 12

let rulesByProgramCache: Map<string, SecretArgumentRule[]> | undefined
/** The rules by program. */
function rulesByProgram(): ReadonlyMap<string, readonly SecretArgumentRule[]> {
  if (rulesByProgramCache) return rulesByProgramCache
  rulesByProgramCache = new Map()
  for (const habit of createSecretArgumentRules())
    for (const program of habit.programs.split(' '))
      rulesByProgramCache.set(program, [...(rulesByProgramCache.get(program) ?? []), habit])
  return rulesByProgramCache
}

const programOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1).toLowerCase()

/** Whether a text that matches SECRET_OPTION_HINT is worth reading word by word. */
export const mayHoldSecretArgument = (text: string): boolean =>
  USER_OPTION.test(text) || text.split(WORD_BREAK).some(word => rulesByProgram().has(programOf(word)))

/** Secrets that are recognised only by knowing the program: `zip -P x`, `htpasswd -b file user x`. */
export const redactCommandArguments = (text: string): string =>
  SECRET_OPTION_HINT.test(text) || KEYWORD_HINT.test(text) ? redactSpans(text, findSecretArguments(text, 0, 0)) : text

/** How deep commands can be nested in quotes. */
const MAX_NESTING = 3

function findSecretArguments(text: string, offset: number, depth: number): readonly TextSpan[] {
  const spans: TextSpan[] = []
  const keep = (span: TextSpan | undefined) => span && spans.push(span)
  let watches = [new ArgumentScanner(USER_OPTION_RULE)]
  let count = 0
  for (const { 0: word, index } of text.matchAll(COMMAND_WORD)) {
    count += 1
    if (count > MAX_PARTS) return [...spans, { from: offset + index, to: offset + text.length }]
    if (word.length === 1 && '|;&\n'.includes(word)) {
      for (const watch of watches) keep(watch.end())
      watches = [new ArgumentScanner(USER_OPTION_RULE)]
      continue
    }
    const shown = toCommandWord(word, offset + index)
    for (const watch of watches) keep(watch.see(shown))
    if (depth < MAX_NESTING && shown.bare !== word && /\s/.test(word))
      spans.push(...findSecretArguments(shown.bare, shown.start, depth + 1))
    watches = scannersAfter(programOf(word), watches)
  }
  for (const watch of watches) keep(watch.end())
  return spans
}

/** The active scanners after this word. */
function scannersAfter(program: string, watches: ArgumentScanner[]): ArgumentScanner[] {
  const own = rulesByProgram().get(program)
  const noLogin = hasNoLoginOption(program)
  const isNew = isScriptFile(program) && !watches.some(({ habit }) => habit === USER_OPTION_RULE)
  if (!own && !noLogin && !isNew) return watches
  const others = watches.filter(({ habit }) => !own?.includes(habit) && !(noLogin && habit === USER_OPTION_RULE))
  const login = isNew ? [new ArgumentScanner(USER_OPTION_RULE)] : []
  return [...others, ...login, ...(own ?? []).map(habit => new ArgumentScanner(habit))].slice(-MAX_SCANNERS)
}

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
    .map((command, nth) =>
      READS_SECRET_FROM_STDIN.test(commands[nth + 1] ?? '') ? redactPrintedText(command) : command,
    )
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
const redactCertificatePasswords = (actionTexts: readonly string[]): readonly string[] =>
  actionTexts.length > 1 &&
  actionTexts.some(actionText => actionText.startsWith('read ') && READ_OF_CERT.test(actionText)) &&
  actionTexts.some(actionText => CURL_WITH_CERT.test(actionText))
    ? actionTexts.map(actionText => actionText.replace(READ_OF_CERT, `$1${REDACTED}`))
    : actionTexts

/** Like `redactPipedSecrets`, for a line split into actions; also for text printed into a `.env` file. */
const redactPipedActions = (actionTexts: readonly string[]): readonly string[] =>
  actionTexts.some(isPrintAction) &&
  actionTexts.some(actionText => READS_SECRET_FROM_STDIN.test(actionText) || WRITES_ENV_FILE.test(actionText))
    ? actionTexts.map(actionText => (isPrintAction(actionText) ? redactPrintedText(actionText) : actionText))
    : actionTexts

export const PRINT_ACTION = /^run (?:echo|printf) /

const isPrintAction = (actionText: string): boolean => PRINT_ACTION.test(actionText)

/** Redacts secrets that an action shows only together with another: what it prints, or the file it reads. */
export const redactAcrossActions = (actionTexts: readonly string[]): readonly string[] =>
  redactCertificatePasswords(redactPipedActions(actionTexts))
