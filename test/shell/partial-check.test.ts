import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { matchCommands, parseCommand } from '../../src/pattern/index.ts'
import { readShell } from '../../src/shell/index.ts'
import { removeFolder } from '../remove-folder.ts'

/** Would the success of the line open a gate that asks for the success of the command? As far as its words say. */
function proves(command: string, line: string): boolean {
  const pattern = parseCommand(command)
  const how = { reading: 'all', fill: (text: string) => text } as const
  return readShell(line).acts.some(
    act =>
      act.implied === true &&
      act.words !== undefined &&
      pattern !== null &&
      matchCommands([{ ...pattern, whole: true }], { ...act, words: act.words }, how) === 'true',
  )
}

const WHOLE: readonly (readonly [string, readonly string[]])[] = [
  [
    'npm test',
    [
      'npm test',
      'npm test --silent',
      'npm -s -dd test --loglevel=warn --no-color',
      'npm test --color=always',
      'npm test -- --run',
      'npm test -- --coverage --reporter=dot',
      'npm test -- --reporter dot --bail --watch=false',
      'CI=1 npm test -- --ci --runInBand',
      'timeout 60 npm test',
    ],
  ],
  ['npm run lint', ['npm run lint', 'npm run lint --silent']],
  ['npm run *', ['npm run lint']],
  ['pnpm test', ['pnpm test', 'pnpm -w test']],
  ['npm install', ['npm install', 'npm install x']],
  ['pytest', ['pytest', 'pytest -q', 'pytest -xvs', 'pytest -v -n 4', 'pytest -n4 --tb=short', 'pytest --cov=src -rA']],
  ['python -m pytest', ['python -m pytest', 'python -m pytest -q', 'python -u -m pytest -x']],
  ['uv run pytest', ['uv run pytest', 'uv run pytest -q']],
  ['pytest -k smoke', ['pytest -k smoke', 'pytest -q -k smoke']],
  [
    'cargo test',
    ['cargo test', 'cargo test --workspace --all-features', 'cargo test -q -- --nocapture', 'cargo test -j 4'],
  ],
  ['go test', ['go test', 'go test ./...', 'go test -v -race -count=1 ./...', 'go test --timeout 5m ./...']],
  ['make test', ['make test', 'make -j4 test', 'make -sk test', 'make test lint', 'make test V=1', 'make -j 4 test']],
  ['mvn test', ['mvn test', 'mvn -q -B test', 'mvn test -ntp -T=4']],
  ['gradle test', ['gradle test', 'gradle test --info --console=plain', 'gradle test check']],
  ['npx vitest', ['npx vitest', 'npx vitest run', 'npx vitest run --reporter=dot --coverage']],
  ['ctest', ['ctest', 'ctest --output-on-failure -j8']],
  ['dotnet test', ['dotnet test', 'dotnet test --nologo -v minimal -c Release']],
  // no checks: what they are given is what they are for
  ['git push', ['git push', 'git push -u origin main']],
  ['git commit', ['git commit -m x']],
  ['./deploy.sh', ['./deploy.sh --env prod']],
]

describe('a success counts with what leaves the check whole', () => {
  it.each(WHOLE.flatMap(([command, lines]) => lines.map(line => [command, line] as const)))(
    '%s: %s',
    (command, line) => {
      expect(proves(command, line)).toBe(true)
    },
  )
})

const LESS: readonly (readonly [string, readonly string[]])[] = [
  [
    'npm test',
    [
      'npm test -- --passWithNoTests zzz',
      'npm test -- --pass-with-no-tests',
      'npm test -- --showConfig',
      'npm test -- --clearCache',
      'npm test -- --listTests',
      'npm test -- --list',
      'npm test -- --grep zzz',
      'npm test -- -t zzz',
      'npm test -- -v',
      'npm test -- -u',
      'npm test -- --update',
      'npm test -- --shard=1/9999',
      'npm test -- --retry=9',
      'npm test -- --config=x.js',
      'npm test -- --reporter=./x.js',
      'npm test -- --reporter --passWithNoTests',
      'npm test -- src/a.test.ts',
      'npm test -- list',
      'npm test -- "$FILE"',
      'npm test zzz',
      'npm test -- -- zzz',
      'npm test --if-present',
      'npm test --ignore-scripts',
      'npm test -ignore-scripts',
      'npm test -if-present',
      'npm test -script-shell=true',
      'npm test -w docs',
      'NPM test zzz',
      '/usr/bin/npm test zzz',
      'env npm test zzz',
      'command npm test zzz',
      'npm test -workspace docs',
      'npm test --workspaces',
      'npm --prefix docs test',
    ],
  ],
  ['yarn test', ['yarn workspace x test', 'yarn --cwd x test', 'yarn test zzz', 'yarn test --passWithNoTests']],
  ['pnpm test', ['pnpm -C x test', 'pnpm --filter x test', 'pnpm -F x test', 'pnpm -r test', 'pnpm test zzz']],
  ['bun test', ['bun test zzz', 'bun test -t zzz', 'bun --cwd=x test', 'bun test --preload ./x', 'bun test --todo']],
  ['npx jest', ['npx jest --showConfig', 'npx jest --clearCache', 'npx jest zzz', 'npx jest -o', 'npx jest --init']],
  [
    'npx vitest',
    ['npx vitest list', 'npx vitest related x', 'npx vitest run zzz', 'npx vitest --root x', 'npx vitest --dir x'],
  ],
  ['vitest', ['vitest list', 'vitest init', 'vitest --project x']],
  ['npx playwright test', ['npx playwright test --list', 'npx playwright test a.spec.ts', 'npx playwright test -g x']],
  [
    'cargo test',
    [
      'cargo test -- --list',
      'cargo test -- --help',
      'cargo test -- zzz',
      'cargo test zzz',
      'cargo test --no-run',
      'cargo test --lib',
      'cargo test -p x',
      'cargo test --exclude x',
      'cargo test -- --skip a',
      'cargo test -- --ignored',
      'cargo test --no-default-features',
      'cargo test --manifest-path x/Cargo.toml',
      'cargo -C x test',
      'cargo test --config x',
      'cargo test --target wasm32-unknown-unknown',
    ],
  ],
  [
    'go test',
    [
      'go test -list .',
      'go test --list .',
      'go test -list=. ./...',
      "go test -run '^$'",
      "go test -run='^$' ./...",
      'go test -skip . ./...',
      'go test -c',
      'go test -n ./...',
      'go test -exec true ./...',
      'go test -short ./...',
      'go test -count=0 ./...',
      'go test -count=0x0 ./...',
      'go test -count=0X0 ./...',
      'go test -count 0b0 ./...',
      'go test -count=0o0 ./...',
      'go test -count=0_0 ./...',
      'go test -count=+0 ./...',
      'go test --count=-0 ./...',
      'go test -count=1e0 ./...',
      'go test -tags x ./...',
      'go test ./docs',
      'go test -C docs',
      'go test -args -test.list .',
    ],
  ],
  [
    'make test',
    [
      'make -o test test',
      'make -otest test',
      'make --old-file=test test',
      'make --old test test',
      'make --assume-old=test test',
      'make -n test',
      'make -t test',
      'make -q test',
      'make -kn test',
      'make --dry-run test',
      'make --dry test',
      'make --touch test',
      'make --question test',
      'make --just-print test',
      'make --recon test',
      'make -i test',
      'make -C docs test',
      'make --directory=docs test',
      'make -f other.mk test',
      'make test PYTEST=true',
      'make test TESTS=',
      'make -e test',
      'make --eval=test: test',
    ],
  ],
  [
    'mvn test',
    [
      'mvn test -DskipTests',
      'mvn test -DskipTests=true',
      'mvn test -Dmaven.test.skip',
      'mvn -Dmaven.test.skip=true test',
      'mvn test -Dtest=None -DfailIfNoTests=false',
      'mvn test -Dmaven.test.failure.ignore',
      'mvn test -fn',
      'mvn test -v',
      'mvn test -h',
      'mvn test -pl x',
      'mvn -f x test',
      'mvn test -P x',
    ],
  ],
  [
    'gradle test',
    ['gradle test -m', 'gradle test --dry-run', 'gradle test -x test', 'gradle -p x test', 'gradle test --tests x'],
  ],
  [
    'gradle test',
    ['gradle test -PskipTests', 'gradle test -Dx=y', 'gradle test --exclude-task test', 'gradle test -h'],
  ],
  [
    'pytest',
    [
      'pytest /elsewhere/ok_test.py',
      'pytest docs',
      'pytest -k zzz',
      'pytest -m zzz',
      'pytest --co',
      'pytest --collect-only -q',
      'pytest --lf',
      'pytest --lfnf=none --lf',
      'pytest --sw',
      'pytest --deselect x',
      'pytest --ignore tests',
      'pytest -c x.ini',
      'pytest -p no:python',
      'pytest -o python_files=x',
      'pytest --rootdir x',
      'pytest --setup-plan',
      'pytest --fixtures-per-test',
      'pytest --markers',
      'pytest -n --co',
      'pytest -qh',
    ],
  ],
  ['python -m pytest', ['python -m pytest docs', 'python -m pytest --co', 'python -c x -m pytest']],
  ['python', ['python -m pytest']],
  ['uv run pytest', ['uv run pytest docs', 'uv run --directory x pytest', 'uv run pytest --co']],
  ['dotnet test', ['dotnet test --list-tests', 'dotnet test -t', 'dotnet test --filter x', 'dotnet test x.csproj']],
  ['ctest', ['ctest -N', 'ctest --show-only', 'ctest -R x', 'ctest --test-dir x', 'ctest --print-labels']],
  ['bazel test', ['bazel test --nobuild //...', 'bazel test //docs/...', 'bazel test --test_filter=x']],
  ['tox', ['tox -l', 'tox --listenvs', 'tox -e x', 'tox -n', 'tox --notest']],
  ['nox', ['nox -l', 'nox --list', 'nox -s x']],
  ['rspec', ['rspec --dry-run', 'rspec x', 'rspec -e x', 'rspec --tag x']],
  ['phpunit', ['phpunit --list-tests', 'phpunit --filter x', 'phpunit x', 'phpunit --list-suites']],
  ['deno test', ['deno test --no-run', 'deno test x', 'deno test --filter x', 'deno test --permit-no-files']],
  ['node --test', ['node --test x.js', 'node --test --test-name-pattern=x', 'node --test --test-only']],
  ['eslint', ['eslint docs', 'eslint --print-config x', 'eslint . --no-eslintrc', 'eslint . --ignore-pattern x']],
  ['tsc', ['tsc --showConfig', 'tsc --init', 'tsc -p docs', 'tsc --listFilesOnly', 'tsc --version']],
  ['just test', ['just --dry-run test', 'just -n test', 'just --justfile x test', 'just test x']],
]

describe('it counts for nothing with what may make the check a smaller one, or none', () => {
  it.each(LESS.flatMap(([command, lines]) => lines.map(line => [command, line] as const)))(
    '%s: %s',
    (command, line) => {
      expect(proves(command, line)).toBe(false)
    },
  )
})

describe('nor with a variable that is a setting of the runner', () => {
  it.each([
    ['pytest', 'PYTEST_ADDOPTS=--co pytest'],
    ['pytest', 'export PYTEST_ADDOPTS=--co && pytest'],
    ['cargo test', 'CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=true cargo test'],
    ['mvn test', 'MAVEN_ARGS=-DskipTests mvn test'],
    ['go test', 'GOFLAGS=-list=. go test'],
    ['yarn test', 'YARN_SCRIPT_SHELL=/bin/true yarn test'],
    ['pnpm test', 'pnpm_config_script_shell=/bin/true pnpm test'],
    ['make test', 'env GTEST_FILTER=none make test'],
    ['node --test', 'NODE_TEST_CONTEXT=child node --test'],
    ['node --test', 'export NODE_TEST_CONTEXT=child-v8; node --test'],
    ['npm test', 'NODE_TEST_CONTEXT=child-v8 npm test'],
    ['npm test', 'env NODE_TEST_CONTEXT=child npm test'],
    ['npm test', 'VITEST_SKIP=1 npm test'],
    ['npx jest', 'JEST_WORKER_ID=1 npx jest'],
    ['npm test', 'TAP_ONLY=1 npm test'],
    ['npm test', 'npm_node_execpath=/bin/true npm test'],
    ['python -m pytest', 'PYTHONOPTIMIZE=2 python -m pytest'],
    ['cargo test', 'INSTA_FORCE_PASS=1 cargo test'],
    ['cargo test', 'PROPTEST_CASES=0 cargo test'],
    ['cargo test', 'RUSTFLAGS=--cfg=x cargo test'],
    ['go test', 'GORACE=exitcode=0 go test'],
    ['make test', 'MAKEFLAGS=n make test'],
    ['make test', 'MFLAGS=-n make test'],
    ['gradle test', 'ORG_GRADLE_PROJECT_skip=1 gradle test'],
    ['mvn test', 'JAVA_HOME=./mine mvn test'],
    ['mvn test', 'JAVA_HOME=/usr/../tmp/mine mvn test'],
    ['dotnet test', 'VSTestListTests=true dotnet test'],
    ['dotnet test', 'IsTestProject=false dotnet test'],
    ['dotnet test', 'export IsTestProject=false; dotnet test'],
    ['rake test', 'TEST=none rake test'],
    ['just test', 'JUST_DRY_RUN=1 just test'],
    ['npx nx test', 'NX_DRY_RUN=true npx nx test'],
    ['mix test', 'MIX_EXS=x.exs mix test'],
  ])('%s: %s', (command, line) => {
    expect(proves(command, line)).toBe(false)
  })
  it.each([
    ['npm test', 'CI=1 NODE_ENV=test PORT=3000 npm test'],
    ['cargo test', 'RUST_BACKTRACE=1 CARGO_TERM_COLOR=never cargo test'],
    ['go test', 'GOMAXPROCS=2 go test ./...'],
    ['npm test', 'FORCE_COLOR=0 TZ=UTC LC_ALL=C DEBUG=x NODE_NO_WARNINGS=1 npm test'],
    ['npm test', 'export NODE_ENV=test DATABASE_URL=postgres://x; npm test'],
    ['pytest', 'PYTHONUNBUFFERED=1 PYTHONHASHSEED=0 pytest -q'],
    ['mvn test', 'JAVA_HOME=/usr/lib/jvm/java-17 mvn test'],
    ['dotnet test', 'DOTNET_NOLOGO=1 CI=true dotnet test'],
    ['mix test', 'MIX_ENV=test mix test'],
    ['npm test', 'GOOGLE_API=x PHASE=2 npm test'],
  ])('but with %s: %s', (command, line) => {
    expect(proves(command, line)).toBe(true)
  })
})

describe('these really succeed without the test having run', () => {
  const project = () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-narrowing-'))
    onTestFinished(() => removeFolder(folder))
    writeFileSync(join(folder, 'Makefile'), 'RUN = touch ran\ntest:\n\t$(RUN)\n')
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { test: 'touch ran' } }))
    return folder
  }
  it.each(['make -o test test', 'make -n test', 'make --dry test', 'make --old test test', 'make test RUN=true'])(
    '%s',
    line => {
      const folder = project()
      const { status } = spawnSync('sh', ['-c', line], { cwd: folder })
      expect([status, existsSync(join(folder, 'ran')), proves('make test', line)]).toEqual([0, false, false])
    },
  )
  it.each(['npm test -script-shell=true', 'npm test -script-sh true', 'npm test ---script-shell=true'])('%s', line => {
    const folder = project()
    const { status } = spawnSync('sh', ['-c', line], { cwd: folder })
    rmSync(join(folder, 'package-lock.json'), { force: true })
    expect([status, existsSync(join(folder, 'ran')), proves('npm test', line)]).toEqual([0, false, false])
  })
})
