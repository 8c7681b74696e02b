import { HIDDEN } from './span.ts'

/** Commands that read a secret from whoever prints it to them. */
const READS =
  /\s--(?:password-stdin|with-token|passphrase-fd[= ]0|data-file=-)(?!\w)|\bsudo\s(?:-\w+\s)*-\w*S|\b(?:chpasswd|cryptsetup)\b|\bgh secret set\s|\bsecret (?:put\s|create (?:\S+ ){1,8}-)|\bnpm (?:adduser|add-user|login)\b|\benv add\s|(?:--from-file=\S*|file:\/\/)\/dev\/stdin|-pass(?:in|out)? stdin|passwd\s.*--stdin|\b(?:smbpasswd -s|htpasswd -\w*i|pass insert)/
const WRITES_SETTINGS = /^write (?:.*\/)?(?:\.env(?:\.[\w.-]+)?|[\w-]+\.env)$/
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
