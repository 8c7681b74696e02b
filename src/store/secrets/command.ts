import { allHabits, type Habit, hasNoLogin, isScript, USER_HABIT } from './habit.ts'
import { MOST_PARTS, type Span, withoutSpans } from './span.ts'
import { shownWord, Watch } from './watch.ts'

/** Pieces in quotes or not; or what ends a command; or a quote that is never closed. */
const WORD = /(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\\[\s\S]|[^\s|;&"'\\])+|[|;&\n]|["'\\]/g
const BLANK = /[\s"'(`]+/
/** The options and words that habits begin with. */
const SIGN =
  /\s-(?:h?p|[PkKaAuUwWbtNEXx]\s|\w{1,6}[bUu]\s|u|hmac|psk)|\s\/p(?:ass)?[:\s]|\s--(?:user|proxy-user|body|cookie|from-literal|auth|cert|(?:src-|dest-)?creds|(?:pre)?proxy|key|set|value|session|plaintext)[\s=]|\s(?:put|patch|write|login|secrets?|password|auth|passwd|unlock|unseal|set|authtoken|add-authtoken|setapikey|encrypt_string|add_user|change_password|obscure|put-parameter|secret_access_key|config:set|config:add|env:set|functions:config:set|setenv|set-env|encrypt|using|upwd|variable|\w{4,5}_pw)\s|sql(?:plus|ldr)|[ei]mpdp|rman|\shttp-basic\.|\spypi-token|user-secrets|wpa_passphrase|pass:|ecure[Ss]tring|-oauth\.|-token\.|\sbearer\.|passwd\s|\bnet user |\bpm2 link|cloudflared|-setairportnetwork|user[:-]password|\bbundle config|\bsmbclient\s/
/** Those beside which a word or a mark of any secret stands: looked for only then, so they cost most texts nothing. */
const BESIDE =
  /htpasswd|wpa_cli|ssh-keygen|mysqladmin|rclone|pulumi|\s--secret-|\]=|npm-cli-|\s(?:auth|setuser|hello|adduser|add-user)\s/i
const USER = /\s(?:-u|--user)/
/** A program has some habits, and runs another that has: hardly more. */
const MOST = 12

let known: Map<string, Habit[]> | undefined
/** By program. */
function habits(): ReadonlyMap<string, readonly Habit[]> {
  if (known) return known
  known = new Map()
  for (const habit of allHabits())
    for (const program of habit.programs.split(' ')) known.set(program, [...(known.get(program) ?? []), habit])
  return known
}

const programOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1).toLowerCase()

/** Worth to be read word by word. */
export const mayFollowHabit = (text: string): boolean =>
  SIGN.test(text) && (USER.test(text) || text.split(BLANK).some(word => habits().has(programOf(word))))

/** Secrets that only who knows the program can tell: `zip -P x`, `htpasswd -b file user x`. */
export const hideInCommands = (text: string): string =>
  SIGN.test(text) || BESIDE.test(text) ? withoutSpans(text, secretsIn(text, 0, 0)) : text

/** How deep one command stands in the quotes of another. */
const DEEPEST = 3

function secretsIn(text: string, offset: number, depth: number): readonly Span[] {
  const spans: Span[] = []
  const keep = (span: Span | undefined) => span && spans.push(span)
  let watches = [new Watch(USER_HABIT)]
  let count = 0
  for (const { 0: word, index } of text.matchAll(WORD)) {
    count += 1
    if (count > MOST_PARTS) return [...spans, { from: offset + index, to: offset + text.length }]
    if (word.length === 1 && '|;&\n'.includes(word)) {
      for (const watch of watches) keep(watch.end())
      watches = [new Watch(USER_HABIT)]
      continue
    }
    const shown = shownWord(word, offset + index)
    for (const watch of watches) keep(watch.see(shown))
    if (depth < DEEPEST && shown.bare !== word && /\s/.test(word))
      spans.push(...secretsIn(shown.bare, shown.start, depth + 1))
    watches = met(programOf(word), watches)
  }
  for (const watch of watches) keep(watch.end())
  return spans
}

/** What is watched from here on. */
function met(program: string, watches: Watch[]): Watch[] {
  const own = habits().get(program)
  const noLogin = hasNoLogin(program)
  const isNew = isScript(program) && !watches.some(({ habit }) => habit === USER_HABIT)
  if (!own && !noLogin && !isNew) return watches
  const others = watches.filter(({ habit }) => !own?.includes(habit) && !(noLogin && habit === USER_HABIT))
  const login = isNew ? [new Watch(USER_HABIT)] : []
  return [...others, ...login, ...(own ?? []).map(habit => new Watch(habit))].slice(-MOST)
}
