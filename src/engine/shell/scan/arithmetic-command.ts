/**
 * Dash has no `((`: it reads `((a + b))` as nested subshells that run the program `a` with the arguments `+` and `b`. Returns true
 * if the first word of a command in the text may be a program name.
 */
export function mayRunProgram(sum: string): boolean {
  for (const { 1: words = '' } of sum.matchAll(COMMAND_WORDS)) {
    // the command follows the assignments
    const command = words.replace(ASSIGNMENTS, '')
    const [word = '', rest = ''] = splitWord(command)
    if (word !== '' && mayBeProgramWord(word, rest)) return true
  }
  return false
}

const COMMAND_WORDS = /(?<=^|[|&;(\n])[ \t(]*(?:![ \t]+)*([^|&;()\n]+)/g
const ASSIGNMENTS = /^(?:[A-Za-z_]\w*=[^\s<>]*(?:\s+|(?=[<>])|$))+/

const splitWord = (command: string): readonly string[] => /^([^\s<>]+)([\s\S]*)$/.exec(command)?.slice(1) ?? []

const NAME = /^[A-Za-z_]\w*/
const INDEXED = /^([A-Za-z_]\w*)\[[^\]]*\]/

function mayBeProgramWord(word: string, rest: string): boolean {
  // variable values are checked in `dash-differences.ts`
  if (/[$"`]/.test(word)) return false
  const element = INDEXED.exec(word)
  if (element !== null) return !isCounterName(element[1] ?? '') || !/^[-+*/%=!]/.test(word.slice(element[0].length))
  // a path, or a wildcard that may match any name
  if (/[/*?[]/.test(word)) return true
  if (!/[A-Za-z_]/.test(word)) return false
  const name = NAME.exec(word)?.[0]
  // `7z` may be a program, but not `0x1f`, `16#ff` or `-a`
  if (name === undefined) return /^\d/.test(word) && !/^(?:0x[\da-fA-F]+|\d+#\w+)$/.test(word)
  const behind = word.slice(name.length)
  // `g++ - x` runs the compiler
  if (behind === '' || behind === '++')
    return behind === '++' && rest.trim() === '' ? false : !isCounterName(name, behind)
  // `git-lfs` may be a program, but not `end-start`
  if (/^-\w/.test(behind))
    return ![name, ...behind.slice(1).split('-')].every(part => /^\d*$/.test(part) || isCounterName(part))
  return false
}

const COMPILER_NAMES = /^[cg]$/

const isCounterName = (name: string, behind = ''): boolean =>
  COUNTER_NAME.test(name) && name !== 'w' && !(behind === '++' && COMPILER_NAMES.test(name))

/** Names commonly used for numbers, and not for programs that have an effect. */
const COUNTER_NAME = new RegExp(
  `^(?:[a-zA-Z]|_\\w*|[a-z]+[A-Z]\\w*|(?!(?:GET|HEAD|POST|PUT|DELETE)$)[A-Z][A-Z\\d_]+|(?:[a-z]\\w*_)?(?:${[
    'num nr cnt count counts counter total totals sum avg mean pct percent ratio score',
    'idx index pos offset len length width height size depth level max min limit threshold budget',
    'start begin end now elapsed duration delta diff age sec secs seconds minutes hours ms year month day hour minute second',
    'tries attempt attempts retry retries round rounds turn turns steps iter iteration iterations loops',
    'fail fails failed failure failures passed passes ok bad good err errs error errors warnings missing found hits misses skipped',
    'lines files bytes words chars cols row rows ret rc res result results val value values number numbers',
    'major minor left rest remaining used lo hi mid low high first last prev next cur current old new before after',
  ]
    .join(' ')
    .replaceAll(' ', '|')})\\d*(?:_\\w+)?)$`,
)
