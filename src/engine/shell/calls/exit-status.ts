import { CHECK_PROGRAMS } from '../programs/check-programs.ts'
import { joinFolders } from '../scope/path-resolution.ts'
import { isHarmlessVariable } from '../scope/variable-risk.ts'
import { type Arg, mayBeOption, UNKNOWN_ARG } from './argument.ts'
import type { ParsedCommandLine } from './parse-command-line.ts'
import type { ProgramCall } from './program-call.ts'

const toSet = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** With these options a program succeeds without doing its work. */
const NO_OP_OPTIONS = toSet('--help -h -? --version -V --dry-run --collect-only --co --list --list-tests --listTests')

/** The same for single programs, because other programs use these letters differently. */
const NO_OP_OPTIONS_BY_PROGRAM: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'make',
    toSet(
      '-n -q -t -i -v -o -W --just-print --recon --question --touch --ignore-errors --old-file --assume-old --what-if --new-file --assume-new',
    ),
  ],
  ['go', toSet('-n -c -list -exec -toolexec')],
  ['npx', toSet('-v -H --versions --usage --script-shell --userconfig --globalconfig --if-present')],
  ['cargo', toSet('--no-run')],
  ['pytest', toSet('--fixtures --markers --setup-plan --setup-only --cache-show')],
  ['command', toSet('-v -V')],
  [
    'sudo',
    toSet(
      '-l -v -k -K -b -e --validate --reset-timestamp --remove-timestamp --background --edit -D --chdir -R --chroot',
    ),
  ],
  // a run in another folder proves nothing about this one
  ['env', toSet('-C --chdir')],
  ['doas', toSet('-L')],
  ['ionice', toSet('-p -P -u --pid --pgid --uid')],
  ['strace', toSet('-V -p --attach')],
  ['fakeroot', toSet('-v')],
  ['flock', toSet('-E --conflict-exit-code')],
])

/** Script runners read any option as a setting, also abbreviated. Only options that do not affect the run keep the proof. */
const SCRIPT_RUNNERS = toSet('npm pnpm yarn bun')
const HARMLESS_RUNNER_OPTIONS = toSet(
  '-s --silent -q --quiet -d -dd -ddd --verbose --loglevel --color --no-color -w --workspace -ws --workspaces --include-workspace-root --foreground-scripts --no-audit --no-fund --no-update-notifier --omit --include --offline --prefer-offline --prefix -C --dir --cwd',
)

/** Programs that read any variable as a setting: `IsTestProject=false dotnet test`, `TEST=x rake test`. */
const ANY_VARIABLE_PROGRAMS = toSet('dotnet msbuild rake rails')
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
  return joinFolders(start, folderChangesOf(call))
}
