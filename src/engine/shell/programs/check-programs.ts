/**
 * A program that checks something: runs tests, compiles, lints. Lists the words that do not narrow the check. Any other word may
 * select, skip or list instead of run; success with such a word proves only what a policy names explicitly.
 */
export interface CheckProgram {
  /** words that make the call a check; undefined: every call is one */
  readonly verbs?: string
  /** first words that make the call something else */
  readonly others?: string
  /** options without a value */
  readonly flags?: string
  /** options with a value: a number, a name, an output file; `--color=`: value only behind an equals sign */
  readonly values?: string
  /** several letters may follow one dash */
  readonly clusters?: boolean
  /** options that name the working folder or package */
  readonly folders?: string
  /** words that add work to the check instead of narrowing it */
  readonly more?: RegExp
  /** words after `--` go to the script it runs */
  readonly script?: boolean
}

/** For scripts of `package.json`: only options that mean the same in every test runner, or are an error. */
export const PACKAGE_SCRIPT_CHECK: CheckProgram = {
  flags:
    '--run --ci --coverage --no-coverage --verbose --silent --color --colors --no-color --no-cache --no-watch --watch=false --watchAll=false --runInBand --single-run --bail --no-bail',
  values: '--reporter --reporters',
}

const PACKAGE_COMMANDS =
  'add install i ci remove rm uninstall up update upgrade publish pack init create link unlink config pm cache login logout version info view outdated why audit'

/** Options of script runners that change only what they print, or where they look for packages. */
export const SCRIPT_RUNNER_FLAGS =
  '-s --silent -q --quiet -d -dd -ddd --verbose --color --no-color --include-workspace-root --foreground-scripts --no-audit --no-fund --no-update-notifier --offline --prefer-offline'

const scriptRunner = (more: CheckProgram): CheckProgram => ({
  script: true,
  others: PACKAGE_COMMANDS,
  folders: '-C --prefix --dir --cwd -w --workspace -ws --workspaces',
  ...more,
  flags: `${SCRIPT_RUNNER_FLAGS} ${more.flags ?? ''}`,
  values: `--loglevel --omit --include --color= ${more.values ?? ''}`,
})

const make: CheckProgram = {
  flags:
    '-s -B -k -S -w -r -R --silent --quiet --always-make --keep-going --no-keep-going --stop --print-directory --no-print-directory --no-builtin-rules --no-builtin-variables --warn-undefined-variables --trace --output-sync -O -j --jobs',
  values: '-j --jobs= -l --load-average= --max-load= --output-sync=',
  clusters: true,
  folders: '-C --directory',
  // further targets add work; a variable may replace the commands they run
  more: /^(?!-)[^=]+$|^(V|VERBOSE)=\d?$/,
}

export const MAVEN_FLAGS =
  '-q -B -e -X -U -o -V -ntp -ff -fae --quiet --batch-mode --errors --debug --update-snapshots --offline --show-version --no-transfer-progress --fail-fast --fail-at-end'

const maven: CheckProgram = {
  flags: MAVEN_FLAGS,
  values: '-T --threads --color',
  folders: '-f --file',
  more: /^[^-]/,
}

export const GRADLE_FLAGS =
  '-q -w -i -d -s -S --quiet --warn --info --debug --stacktrace --full-stacktrace --no-daemon --daemon --parallel --no-parallel --build-cache --no-build-cache --offline --continue --scan --no-scan --rerun-tasks --refresh-dependencies --configuration-cache --no-configuration-cache'

const gradle: CheckProgram = {
  flags: GRADLE_FLAGS,
  values: '--console --warning-mode --max-workers',
  folders: '-p --project-dir',
  more: /^[^-]/,
}

const pytest: CheckProgram = {
  flags:
    '-q -v -s -x -l --quiet --verbose --exitfirst --showlocals --no-showlocals --ff --failed-first --nf --new-first --no-header --no-summary --disable-warnings --disable-pytest-warnings --strict-markers --strict-config --cov --no-cov-on-fail -ra -rA -rs -rf -rfE -rx -rX -rp -rP -rw',
  values:
    '-n --numprocesses --tb --maxfail --durations --durations-min --color --capture --cov= --cov-report --junitxml --junit-xml --verbosity',
  clusters: true,
  folders: '--rootdir',
}

const cargo: CheckProgram = {
  verbs: 'test t nextest check c clippy build b bench fmt doc',
  flags:
    '-q -v -vv -r --quiet --verbose --release --workspace --all --all-targets --all-features --locked --offline --frozen --no-fail-fast --keep-going --timings --nocapture --show-output --include-ignored',
  values: '-j --jobs --color --message-format -F --features --test-threads',
  folders: '-C --manifest-path',
}

const go: CheckProgram = {
  verbs: 'test vet build',
  flags: '-v -race -cover -json -failfast -x -a -benchmem -trimpath',
  values: '-count -timeout -covermode -coverprofile -coverpkg -shuffle -parallel -p -cpu',
  folders: '-C',
  more: /^(\.\/)?\.\.\.$/,
}

const dotnet: CheckProgram = {
  verbs: 'test build format',
  flags: '--nologo --no-restore --blame',
  values: '-v --verbosity -c --configuration -l --logger --results-directory',
}

const testRunner = (flags: string, values = ''): CheckProgram => ({
  flags: `${PACKAGE_SCRIPT_CHECK.flags} ${flags}`,
  values: `${PACKAGE_SCRIPT_CHECK.values} ${values}`,
})

/** Runs the tool that its words name. Its own options may change the run, so only a few are listed. */
const toolRunner = (verbs?: string): CheckProgram => ({
  ...(verbs === undefined ? {} : { verbs }),
  flags: '-q -v --quiet --verbose -y --yes',
})

const fewOptions: CheckProgram = { flags: '--verbose --color --no-color' }

export const CHECK_PROGRAMS: ReadonlyMap<string, CheckProgram> = new Map<string, CheckProgram>([
  ['npm', scriptRunner({})],
  // in pnpm `-w` means the workspace root
  [
    'pnpm',
    scriptRunner({ flags: '-w --workspace-root', folders: '-C --prefix --dir --cwd --filter -F -r --recursive' }),
  ],
  ['yarn', scriptRunner({})],
  ['bun', scriptRunner({})],
  ['npx', toolRunner()],
  ['bunx', toolRunner()],
  ['pnpx', toolRunner()],
  ...['uv', 'poetry', 'pdm', 'hatch', 'pipenv', 'rye'].map((name): [string, CheckProgram] => [name, toolRunner('run')]),
  ['bundle', toolRunner('exec')],
  ['python', { verbs: '-m', flags: '-u -B' }],
  ['python3', { verbs: '-m', flags: '-u -B' }],
  [
    'node',
    {
      verbs: '--test',
      flags: '--no-warnings --enable-source-maps --experimental-test-coverage',
      values: '--test-reporter --test-concurrency',
    },
  ],
  ['make', make],
  ['gmake', make],
  ['mvn', maven],
  ['mvnw', maven],
  ['gradle', gradle],
  ['gradlew', gradle],
  ['cargo', cargo],
  ['go', go],
  ['dotnet', dotnet],
  ['pytest', pytest],
  ['py.test', pytest],
  ['unittest', { flags: '-v -q -f -b --verbose --quiet --failfast --buffer' }],
  ['vitest', { ...testRunner('', '--maxWorkers --bail='), more: /^run$/ }],
  ['jest', testRunner('-i', '--maxWorkers --bail= --testTimeout=')],
  ['mocha', testRunner('-b --parallel')],
  ['playwright', testRunner('--headed --forbid-only -x', '--workers --max-failures')],
  [
    'deno',
    {
      verbs: 'test check lint',
      flags: '-A -q --allow-all --quiet --parallel --fail-fast --shuffle',
      values: '--reporter --junit-path --coverage=',
    },
  ],
  [
    'ctest',
    {
      flags:
        '-V -VV -Q --verbose --extra-verbose --quiet --output-on-failure --progress --schedule-random --stop-on-failure',
      values: '-j --parallel --timeout -C --build-config',
      folders: '--test-dir',
    },
  ],
  [
    'bazel',
    {
      verbs: 'test build',
      flags: '-k --keep_going --nocache_test_results',
      values: '--test_output --jobs --color --curses',
    },
  ],
  ['tox', { flags: '-q -v -r --recreate' }],
  ['nox', { flags: '-r -R' }],
  [
    'rspec',
    {
      flags: '-c --color --no-color --force-color -b --backtrace --fail-fast --no-fail-fast -w --warnings',
      values: '-f --format --order',
    },
  ],
  [
    'phpunit',
    {
      flags: '--testdox --no-progress --stop-on-failure --stop-on-error --stop-on-defect --debug --verbose',
      values: '--colors=',
    },
  ],
  ['swift', { verbs: 'test build', flags: '-v --verbose --parallel -q --quiet', values: '-c --configuration' }],
  [
    'mix',
    { verbs: 'test compile format credo dialyzer', flags: '--color --trace --cover', values: '--max-failures --seed' },
  ],
  ['flutter', { verbs: 'test analyze', flags: '--coverage' }],
  ['dart', { verbs: 'test analyze', flags: '--color --no-color' }],
  ['tsc', { flags: '--noEmit --pretty --incremental' }],
  ['eslint', { flags: '--cache --color --no-color', more: /^\.$/ }],
  ['ruff', { verbs: 'check format', flags: '-q -v --quiet --verbose', more: /^\.$/ }],
  ...'ava tap karma cypress ng nx turbo lerna just task rake sbt composer rails biome prettier stylelint mypy pyright flake8 pylint golangci-lint shellcheck hadolint'
    .split(' ')
    .map((name): [string, CheckProgram] => [name, fewOptions]),
])
