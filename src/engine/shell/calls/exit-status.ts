import { programName } from '../../match/command.ts'
import type { Word } from '../../match/command-words.ts'
import {
  CHECK_PROGRAMS,
  type CheckProgram,
  PACKAGE_SCRIPT_CHECK,
  SCRIPT_RUNNER_FLAGS,
} from '../programs/check-programs.ts'
import { joinFolders } from '../scope/path-resolution.ts'
import { isHarmlessVariable } from '../scope/variable-risk.ts'
import { type Arg, basename, mayBeOption, UNKNOWN_ARG } from './argument.ts'
import type { ParsedCommandLine } from './parse-command-line.ts'
import type { ProgramCall } from './program-call.ts'

const toSet = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** With these options a program succeeds without doing its work. */
const NO_OP_OPTIONS = toSet('--help -h -? --version -V --dry-run --collect-only --co --list --list-tests --listTests')

/** The same for single programs, because other programs use these letters differently. */
const NO_OP_OPTIONS_BY_PROGRAM: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...['make', 'gmake', 'bmake', 'remake'].map((name): [string, ReadonlySet<string>] => [
    name,
    toSet(
      '-n -q -t -i -v -o -W --just-print --recon --question --touch --ignore-errors --old-file --assume-old --what-if --new-file --assume-new',
    ),
  ]),
  // another build file, or a tool instead of the targets
  ['ninja', toSet('-n -t -f')],
  [
    'rake',
    toSet(
      '-n -T -D -W -P -A -e -E -p -f --tasks --describe --where --prereqs --all --execute --execute-continue --execute-print --rakefile',
    ),
  ],
  [
    'just',
    toSet(
      '-n -l -s -f -c -e --show --summary --evaluate --dump --edit --choose --command --init --fmt --groups --variables --completions --changelog --man --usage --justfile --set --shell',
    ),
  ],
  ['task', toSet('-n -l -a -i -t -w -g --dry --list-all --status --summary --init --taskfile --watch --global')],
  ['go', toSet('-n -c -list -exec -toolexec')],
  ['npx', toSet('-v -H --versions --usage --script-shell --userconfig --globalconfig --if-present')],
  ['cargo', toSet('--no-run')],
  ['pytest', toSet('--fixtures --markers --setup-plan --setup-only --cache-show')],
  ['command', toSet('-v -V')],
  [
    'sudo',
    toSet(
      '-l -v -k -K -b -e -i --validate --reset-timestamp --remove-timestamp --background --edit -D --chdir -R --chroot --login',
    ),
  ],
  // a run in another folder proves nothing about this one
  ['env', toSet('-C --chdir')],
  ['doas', toSet('-L -C')],
  ['unshare', toSet('-w -R --wd --root')],
  ['nsenter', toSet('-a -m -t -r -w -W --all --mount --target --root --wd --wdns')],
  // the command may be cut short and still succeed
  ...['timeout', 'gtimeout'].map((name): [string, ReadonlySet<string>] => [name, toSet('-p --preserve-status')]),
  ['ionice', toSet('-p -P -u --pid --pgid --uid')],
  ...['prlimit', 'choom'].map((name): [string, ReadonlySet<string>] => [name, toSet('-p --pid')]),
  ['strace', toSet('-V -p --attach')],
  ['fakeroot', toSet('-v')],
  ['flock', toSet('-E --conflict-exit-code')],
])

/** Script runners read any option as a setting, also abbreviated. Only options that do not affect the run keep the proof. */
const SCRIPT_RUNNERS = toSet('npm pnpm yarn bun')
const HARMLESS_RUNNER_OPTIONS = toSet(
  `${SCRIPT_RUNNER_FLAGS} --loglevel -w --workspace -ws --workspaces --omit --include --prefix -C --dir --cwd`,
)

/** Programs that read any variable as a setting: `IsTestProject=false dotnet test`, `PYTHON=true make test`. */
const ANY_VARIABLE_PROGRAMS = toSet('dotnet msbuild rake rails make gmake bmake')
const hasAnySetting = ({ assigns, scope }: ProgramCall): boolean =>
  scope.exported || Object.keys(assigns ?? {}).some(name => !isHarmlessVariable(name))

/**
 * True if success of this call proves that it did what its words say. An unknown word may be `--help`.
 * `own` is the command line without the inner command that the program runs.
 */
export function isSuccessProof(call: ProgramCall, own: ParsedCommandLine): boolean {
  const { program, args } = call
  if (call.idle || (ANY_VARIABLE_PROGRAMS.has(program) && hasAnySetting(call))) return false
  const end = own.words.findIndex(word => word.text === '--' && word.role === 'option')
  const before = end < 0 ? own.words : own.words.slice(0, end)
  if (before.some((word, at) => word.text === null && word.role !== 'value' && mayBeOption(args[at] ?? UNKNOWN_ARG)))
    return false
  if (SCRIPT_RUNNERS.has(program)) {
    if (own.options.some(option => !HARMLESS_RUNNER_OPTIONS.has(option.name))) return false
    return end < 0 || !mayPassNoOp(args.slice(end + 1, own.words.length))
  }
  if (end >= 0 && CHECK_PROGRAMS.has(program) && mayPassNoOp(args.slice(end + 1, own.words.length))) return false
  const more = NO_OP_OPTIONS_BY_PROGRAM.get(program)
  return !own.options.some(
    ({ name }) => isNoOpOption(name, NO_OP_OPTIONS) || (more !== undefined && isNoOpOption(name, more)),
  )
}

/** Arguments after `--` may make the script do nothing. An unknown word right after an option counts as its value. */
const mayPassNoOp = (words: readonly Arg[]): boolean =>
  words.some(({ text }, at) =>
    text === null ? !words[at - 1]?.head.startsWith('-') : isNoOpOption(text.replace(/=.*$/s, ''), NO_OP_OPTIONS),
  )

/** Long options may be abbreviated. */
function isNoOpOption(name: string, idle: ReadonlySet<string>): boolean {
  if (idle.has(name)) return true
  if (name.length < 3 || !name.startsWith('--')) return false
  for (const full of idle) if (full.startsWith(name)) return true
  return false
}

/** Options that name the program's working folder. */
const FOLDER_OPTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['git', toSet('-C')],
  ['make', toSet('-C --directory')],
  ...[...SCRIPT_RUNNERS].map((name): [string, ReadonlySet<string>] => [name, toSet('-C --prefix --dir --cwd')]),
  ['go', toSet('-C')],
  ['terraform', toSet('-chdir')],
  ['gradle', toSet('-p --project-dir')],
  ['gradlew', toSet('-p --project-dir')],
  ['cargo', toSet('-C')],
])

/** True if the line changed the folder and an option changes it again. No pattern can match both changes. */
export const hasTwoFolderChanges = (call: ProgramCall): boolean =>
  call.scope.cwds[0] !== '' && folderChangesOf(call).length > 0

const folderChangesOf = ({ program, line }: ProgramCall): readonly (string | null)[] => {
  const names = FOLDER_OPTIONS.get(program)
  return names === undefined
    ? []
    : line.options.filter(({ name }) => names.has(name)).map(({ value }) => value?.text ?? null)
}

/** The folder the command works in: '' is where the line began, null is unknown. */
export function commandFolderOf(call: ProgramCall): string | null {
  const { cwds, wildCwds } = call.scope
  const [start, other] = cwds
  if (start === undefined || start === null || other !== undefined || wildCwds.has(start)) return null
  const changes = folderChangesOf(call)
  return changes.length === 0 ? start : joinFolders(start, changes)
}

/** A number, a name or a file below the current folder. Excludes values that may be code, and zero (also `0x0`), which means "none". */
const PLAIN_VALUE = /^(?!0(?:$|[\d_xob]))(?!\.{0,2}\/)(?!.*\.\.)[\w.,:@%][\w.,:+@%/-]*$/i
/** The number of times each test runs. */
const COUNT_OPTION = /^-*count$/
const POSITIVE_NUMBER = /^[1-9]\d*$/
/** The value of these options (reporter, format, logger) may be a file that is run. */
const CODE_VALUE_OPTION = /^-*(reporters?|format|f|logger|l|test-reporter)$/
const PLAIN_NAME = /^\w[\w-]*$/

/**
 * Marks the words with which a check may do less, something else, or nothing: a filter, a file, `--passWithNoTests`,
 * `-DskipTests`, or an option that is not described. Words of other programs stay unmarked.
 */
export function markNarrowingWords(program: string, args: readonly Arg[], words: readonly Word[]): readonly Word[] {
  const name = programName(program)
  const checker = CHECK_PROGRAMS.get(name) ?? CHECK_PROGRAMS.get(name.replace(/(?<=^python)[\d.]+$/, ''))
  if (checker === undefined || !isCheckCommand(checker, args, words)) return words
  const neutral = neutralWordPositions(checker, args, words)
  const folders = namesIn(checker.folders)
  return words.map((word, at) => {
    if (neutral.has(at)) return word
    // npm accepts any number of dashes
    const option = word.text?.replace(/^-+|=.*$/gs, '') ?? ''
    const isFolder = word.role === 'option' && (folders.has(`-${option}`) || folders.has(`--${option}`))
    return { ...word, narrows: isFolder ? 'folder' : 'run' }
  })
}

function isCheckCommand({ verbs, others }: CheckProgram, args: readonly Arg[], words: readonly Word[]): boolean {
  const first = words.find(({ role }, at) => at > 0 && role === 'plain')?.text ?? ''
  if (namesIn(others).has(first)) return false
  return verbs === undefined || args.some(({ text }, at) => at > 0 && (text === null || namesIn(verbs).has(text)))
}

/** Positions of the words that leave the check complete. The verb is included, because patterns match it by name. */
function neutralWordPositions(
  checker: CheckProgram,
  args: readonly Arg[],
  words: readonly Word[],
): ReadonlySet<number> {
  const neutral = new Set([0])
  let now = checker
  // `python -m`, `node --test`: the verb is an option
  let hasVerb = checker.verbs === undefined ? !checker.script : checker.verbs.startsWith('-')
  for (let at = 1; at < args.length; at += 1) {
    const text = args[at]?.text ?? null
    if (text === null) continue
    if (text === '--') {
      neutral.add(at)
      if (now.script) now = PACKAGE_SCRIPT_CHECK
    } else if (text.startsWith('-') && text !== '-') {
      const size = neutralOptionLength(text, args[at + 1]?.text ?? null, now)
      for (let more = 0; more < size; more += 1) neutral.add(at + more)
      at += Math.max(0, size - 1)
    } else if (words[at]?.role === 'value') {
      if (args[at - 1]?.text === '-m') now = CHECK_PROGRAMS.get(text) ?? now
    } else {
      if (now.more?.test(text) || !hasVerb) neutral.add(at)
      hasVerb = true
      // behind `npx`, `uv run`, `python -m` follows the actual check program
      now = CHECK_PROGRAMS.get(basename(text)) ?? now
    }
  }
  return neutral
}

const namesCache = new Map<string, ReadonlySet<string>>()
function namesIn(list = ''): ReadonlySet<string> {
  const known = namesCache.get(list) ?? new Set(list.split(' ').filter(Boolean))
  namesCache.set(list, known)
  return known
}

/** The number of words the option takes if it leaves the check complete; otherwise 0. */
function neutralOptionLength(
  text: string,
  next: string | null,
  { flags = '', values = '', clusters }: CheckProgram,
): number {
  const isFlag = namesIn(flags)
  const isValue = namesIn(values)
  // go treats one dash and two dashes alike
  if (/^--\w\w/.test(text) && (isFlag.has(text.slice(1)) || isValue.has(text.slice(1).replace(/=.*$/s, ''))))
    return neutralOptionLength(text.slice(1), next, { flags, values })
  if (isValue.has(text) && next !== null && isNeutralValue(text, next)) return 2
  if (isFlag.has(text)) return 1
  const equals = text.indexOf('=')
  const name = equals < 0 ? text : text.slice(0, equals)
  if (equals > 0)
    return (isValue.has(name) || isValue.has(`${name}=`)) && isNeutralValue(name, text.slice(equals + 1)) ? 1 : 0
  if (isValue.has(text.slice(0, 2)) && /^-[a-zA-Z]\d+$/.test(text)) return 1
  const letters = /^-[a-zA-Z]+$/.test(text) ? [...text.slice(1)].map(letter => `-${letter}`) : []
  return clusters && letters.length > 1 && letters.every(letter => isFlag.has(letter)) ? 1 : 0
}

const isNeutralValue = (option: string, value: string): boolean =>
  (COUNT_OPTION.test(option) ? POSITIVE_NUMBER : CODE_VALUE_OPTION.test(option) ? PLAIN_NAME : PLAIN_VALUE).test(value)
