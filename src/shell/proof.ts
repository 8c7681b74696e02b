import { type Arg, mayBeOption, UNKNOWN } from './arg.ts'
import type { Call } from './call.ts'
import type { Line } from './options.ts'
import { joinAll } from './place.ts'
import { CHECKERS } from './programs/test-runners.ts'
import { isNoSetting } from './variable.ts'

const listed = (names: string): ReadonlySet<string> => new Set(names.split(' '))

/** Options with which a program succeeds without doing what its words say. */
const IDLE = listed('--help -h -? --version -V --dry-run --collect-only --co --list --list-tests --listTests')

/** The same where the letters mean something else elsewhere. */
const IDLE_OF: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'make',
    listed(
      '-n -q -t -i -v -o -W --just-print --recon --question --touch --ignore-errors --old-file --assume-old --what-if --new-file --assume-new',
    ),
  ],
  ['go', listed('-n -c -list -exec -toolexec')],
  ['npx', listed('-v -H --versions --usage --script-shell --userconfig --globalconfig --if-present')],
  ['cargo', listed('--no-run')],
  ['pytest', listed('--fixtures --markers --setup-plan --setup-only --cache-show')],
  ['command', listed('-v -V')],
  [
    'sudo',
    listed(
      '-l -v -k -K -b -e --validate --reset-timestamp --remove-timestamp --background --edit -D --chdir -R --chroot',
    ),
  ],
  // elsewhere it proves nothing here
  ['env', listed('-C --chdir')],
  ['doas', listed('-L')],
  ['ionice', listed('-p -P -u --pid --pgid --uid')],
  ['strace', listed('-V -p --attach')],
  ['fakeroot', listed('-v')],
  ['flock', listed('-E --conflict-exit-code')],
])

/** Script runners take any option as a setting, by any abbreviation, so only those that leave the run alone keep the proof. */
const RUNNERS = listed('npm pnpm yarn bun')
const KEEPS_RUN = listed(
  '-s --silent -q --quiet -d -dd -ddd --verbose --loglevel --color --no-color -w --workspace -ws --workspaces --include-workspace-root --foreground-scripts --no-audit --no-fund --no-update-notifier --omit --include --offline --prefer-offline --prefix -C --dir --cwd',
)

/** To these every variable is a setting: `IsTestProject=false dotnet test`, `TEST=x rake test`. */
const TAKES_ANY = listed('dotnet msbuild rake rails')
const isGivenAny = ({ assigns, scope }: Call): boolean =>
  scope.exported || Object.keys(assigns ?? {}).some(name => !isNoSetting(name))

/**
 * Does the success of this call prove that it did what its words say? A word that cannot be told may be `--help`.
 * `own` is the line without the command that the program runs in turn.
 */
export function proves(call: Call, own: Line): boolean {
  const { program, args } = call
  if (call.idle || (TAKES_ANY.has(program) && isGivenAny(call))) return false
  const end = own.words.findIndex(word => word.text === '--' && word.role === 'option')
  const before = end < 0 ? own.words : own.words.slice(0, end)
  if (before.some((word, at) => word.text === null && word.role !== 'value' && mayBeOption(args[at] ?? UNKNOWN)))
    return false
  if (RUNNERS.has(program)) {
    if (own.options.some(option => !KEEPS_RUN.has(option.name))) return false
    return end < 0 || !handsOnIdle(args.slice(end + 1, own.words.length))
  }
  if (end >= 0 && CHECKERS.has(program) && handsOnIdle(args.slice(end + 1, own.words.length))) return false
  const more = IDLE_OF.get(program)
  return !own.options.some(({ name }) => isIdle(name, IDLE) || (more !== undefined && isIdle(name, more)))
}

/** What a script is given after `--` may tell it to do nothing; a value that cannot be told follows its option. */
const handsOnIdle = (words: readonly Arg[]): boolean =>
  words.some(({ text }, at) =>
    text === null ? !words[at - 1]?.head.startsWith('-') : isIdle(text.replace(/=.*$/s, ''), IDLE),
  )

/** Long options may be cut short. */
function isIdle(name: string, idle: ReadonlySet<string>): boolean {
  if (idle.has(name)) return true
  if (name.length < 3 || !name.startsWith('--')) return false
  for (const full of idle) if (full.startsWith(name)) return true
  return false
}

/** Options that name the folder a program works in. */
const FOLDER_OF: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['git', listed('-C')],
  ['make', listed('-C --directory')],
  ...[...RUNNERS].map((name): [string, ReadonlySet<string>] => [name, listed('-C --prefix --dir --cwd')]),
  ['go', listed('-C')],
  ['terraform', listed('-chdir')],
  ['gradle', listed('-p --project-dir')],
  ['gradlew', listed('-p --project-dir')],
  ['cargo', listed('-C')],
])

/** It goes to a folder that an option names, from one that the line had gone to: no pattern can name both. */
export const movesTwice = (call: Call): boolean => call.scope.cwds[0] !== '' && movesOf(call).length > 0

const movesOf = ({ program, line }: Call): readonly (string | null)[] => {
  const names = FOLDER_OF.get(program)
  return names === undefined
    ? []
    : line.options.filter(({ name }) => names.has(name)).map(({ value }) => value?.text ?? null)
}

/** Where the command works: '' is where the line began, null cannot be told. */
export function folderOf(call: Call): string | null {
  const { cwds, wildCwds } = call.scope
  const [start, other] = cwds
  if (start === undefined || start === null || other !== undefined || wildCwds.has(start)) return null
  return joinAll(start, movesOf(call))
}
