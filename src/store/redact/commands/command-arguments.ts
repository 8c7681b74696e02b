import { MAX_PARTS, redactSpans, type TextSpan } from '../span.ts'
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
const SECRET_OPTION_HINT =
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

/** Whether the text is worth reading word by word. */
export const mayHoldSecretArgument = (text: string): boolean =>
  SECRET_OPTION_HINT.test(text) &&
  (USER_OPTION.test(text) || text.split(WORD_BREAK).some(word => rulesByProgram().has(programOf(word))))

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
