import { describe, expect, it } from 'vitest'
import { analyseShellLine } from '../../src/engine/shell/index.ts'
import { marked } from './action-text.ts'

describe('success proves that a command did what its words say', () => {
  it.each([
    'npm test',
    'npm test --silent',
    'npm -s -dd test',
    'npm -w app test',
    'npm -ws --include-workspace-root test --loglevel=warn --no-color',
    'npm --prefix app test',
    'pnpm -w test',
    'npm test -- --grep x',
    'npm test -- --grep "$NAME"',
    'CI=1 npm test',
    'NODE_OPTIONS=--max-old-space-size=4096 npm test',
    'pytest -v -n 4',
    'make test',
  ])('%s', line => {
    expect(marked(line, 'implied')).toHaveLength(1)
  })

  it.each([
    'npm test -- --help',
    'npm test -- --version',
    'npm test -- --hel',
    'npm test -- $(echo --help)',
    'npm test -v',
    'npm test --versions',
    'npm test --usage',
    'npm test -H',
    'npm test --hel',
    'npm test --script-sh=true',
    'npm test --userconfig f',
    'npm test --globalconfig=f',
    'pnpm --filter x test',
    'npx -v npm test',
    "npx --script-shell=true -c 'npm test'",
    'yarn test --help',
    'bun test --hel',
    'pytest --hel',
    'pytest --vers',
    'make -i test',
    'nohup --version npm test',
    'env --help npm test',
    'timeout --version 5 npm test',
    'timeout $X 5 npm test',
    'stdbuf --help npm test',
    'nice --version npm test',
    'sudo -l npm test',
    'sudo -v npm test',
    'sudo -k npm test',
    'sudo -b npm test',
    'command -v npm test',
    'command -V npm test',
    'strace -V npm test',
    'fakeroot -v npm test',
    'flock -E 0 -n f npm test',
    'flock --conflict-exit-code=0 -n f npm test',
    "bash -n -c 'npm test'",
    "bash -nc 'npm test'",
    "bash -tc 'npm test'",
    'set -t; npm test',
    // the line's options no longer end it at a failure, or nothing runs
    'set -e; unsetopt errexit; npm test; true',
    'set -e; unsetopt ERR_EXIT; npm test; true',
    'set -e; unsetopt -e; npm test; true',
    'set -e; setopt +e; npm test; true',
    'set -e; emulate sh; npm test; true',
    'set -o pipefail; unsetopt pipefail; npm test | cat',
    'set -o pipefail; emulate zsh; npm test | cat',
    'setopt noexec; npm test',
    'setopt NO_EXEC; npm test',
    "zsh +o exec -c 'npm test'",
    "zsh -o NO_EXEC -c 'npm test'",
    "zsh --no-exec -c 'npm test'",
    "fish --no-execute -c 'npm test'",
    'logout; npm test',
    'bye; npm test',
    'bye 0; npm test',
    'suspend; npm test',
    'PYTHON=true make test',
    'export PYTHON=true; make test',
    'doas -C f npm test',
    'sudo -i npm test',
    'sudo --login npm test',
    'chroot / npm test',
    'unshare -w /x npm test',
    'unshare --wd=/x npm test',
    'nsenter --wd=/x npm test',
    'prlimit -p 1 npm test',
    'timeout --preserve-status 1 npm test',
    'timeout --pres -s INT 1 npm test',
    'timeout -vp 1 npm test',
    '/lib64/ld-linux-x86-64.so.2 --verify /usr/bin/cargo test',
    'env -C /x npm test',
    'env --chdir=/x npm test',
    'sudo -D /x npm test',
    "bash -o noexec -c 'npm test'",
    "bash -D -c 'npm test'",
    "bash --dump-strings -c 'npm test'",
    "bash -o $X -c 'npm test'",
    'export npm_config_script_shell=/bin/true && npm test',
    'set -a; NPM_CONFIG_SCRIPT_SHELL=true; npm test',
    'declare -x npm_config_script_shell=true && npm test',
    'readonly PATH=/x && npm test',
    'command export PATH=/x && npm test',
    'builtin declare -x PATH=/x && npm test',
    'export "PATH=/x" && npm test',
    'BASH_CMDS[npm]=/bin/true; npm test',
    'BASH_ALIASES[npm]=true; npm test',
    'read PATH <<< x && npm test',
    'printf -v PATH x && npm test',
    'printf -vPATH x && npm test',
    'mapfile PATH < x && npm test',
    'readarray -t PATH < x && npm test',
    'for PATH in /x; do :; done; npm test',
    'select PATH in /x; do :; done; npm test',
    'getopts x PATH && npm test',
    '((PATH=1)); npm test',
    `: "\${BASH_ENV:=x}"; npm test`,
    "PATH=/x bash -c 'npm test'",
    'npm test --help',
    'npm test -h',
    'npm test --version',
    'npm test --if-present',
    'npm test --script-shell=true',
    'npm test --script-shell true',
    'npm_config_script_shell=true npm test',
    'npm test $EXTRA',
    'npm test "$EXTRA"',
    'PATH=/tmp:$PATH npm test',
    'export PATH=/tmp; npm test',
    'LD_PRELOAD=x npm test',
    'NODE_OPTIONS="--require ./x" npm test',
    'pytest --collect-only',
    'pytest --fixtures',
    'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=x git push',
    'make -n test',
    'git push --dry-run',
  ])('not with %s', line => {
    expect(marked(line, 'implied').filter(act => /^(npm|npx|pnpm|yarn|bun|pytest|make|git push)\b/.test(act))).toEqual(
      [],
    )
  })
})

describe('nothing is proved by a line that may run nothing', () => {
  const proofs = (line: string) => marked(line, 'implied').filter(act => CHECK.test(act))
  const CHECK = /^(npm test|pytest|tox|cargo test|g?make|ninja|rake|just|task|mvn|gradle|go test)\b/
  const changes = (file: string, check: string) => [
    `echo x > ${file} && ${check}`,
    `cp /tmp/x sub/${file}; ${check}`,
    `rm ${file} && ${check}`,
  ]
  it.each([
    // the target's file is there, or newer than what it is made of
    'touch test && make test',
    'mkdir -p test; make test',
    'make test > test',
    'make test.log > test.log',
    'touch build/.stamp && make test',
    'cp a test && make test',
    'ln -s a test && gmake test',
    'cd sub && touch test && make test',
    'touch "$X" && make test',
    'tar xf a.tar && make test',
    'install -D a test && ninja test',
    'touch test && rake test',
    'touch test && task test',
    'gmake -t test',
    'gmake -q test',
    'make --tou test',
    'ninja -n test',
    'ninja -t clean',
    'rake -n test',
    'rake -T test',
    'just -n test',
    'just --show test',
    'task -n test',
    'task --status test',
    // loops that may run zero times
    'repeat 0 npm test',
    'repeat $N npm test',
    'for x in; do npm test; done',
    'for x in $Y; do npm test; done',
    'while false; do npm test; done',
    'until true; do npm test; done',
    'for ((i=0;i<0;i++)); do npm test; done',
    ...changes('makefile', 'make test'),
    ...changes('Makefile', 'make test'),
    ...changes('GNUmakefile', 'make test'),
    ...changes('rules.mk', 'make test'),
    ...changes('justfile', 'just test'),
    ...changes('Taskfile.yml', 'task test'),
    ...changes('Rakefile', 'rake test'),
    ...changes('build.ninja', 'ninja test'),
    ...changes('build.gradle.kts', 'gradle test'),
    ...changes('pom.xml', 'mvn test'),
    ...changes('tox.ini', 'tox'),
    ...changes('setup.cfg', 'pytest'),
    ...changes('pyproject.toml', 'pytest'),
    ...changes('package.json', 'npm test'),
    ...changes('vitest.config.ts', 'npm test'),
    ...changes('Cargo.toml', 'cargo test'),
    ...changes('go.mod', 'go test ./...'),
  ])('%s', line => {
    expect(proofs(line)).toEqual([])
  })

  it.each([
    'make test > out.log 2>&1',
    'make test > /tmp/out 2> /dev/null',
    'make build && make test',
    'cat Makefile && make test',
    'rm -rf build && make test',
    'rake test',
    'ninja test',
    'just test',
    'task test',
    'echo x > src/a.ts && npm test',
    'cat package.json && npm test',
    'touch test && npm test',
    'mkdir -p out && gradle test',
  ])('but by %s', line => {
    expect(proofs(line)).not.toEqual([])
  })
})

describe('a wrapper that proves itself proves what it runs', () => {
  it.each([
    'sudo pytest -l -v',
    'timeout -k 1 5 pytest -q',
    'env A="$X" pytest',
    'command pytest -v',
    'flock f pytest -E x',
    "bash -c pytest _ -n '$X'",
    'nohup pytest',
    'git-commit -m x',
  ])('%s', line => {
    expect(marked(line, 'implied')).toHaveLength(2)
  })
})

describe('variables that are certain from the start', () => {
  const at = (line: string) => analyseShellLine(line, { vars: { ROOT: '/my app' } }).acts.at(-1)
  it('are read as text', () => {
    expect(at('cd "$ROOT" && npm test')).toMatchObject({ folder: '/my app', implied: true })
    expect(at('echo > "$ROOT/a"')?.place).toEqual({ lexical: '/my app/a' })
  })
  it('until they are set', () => {
    expect(at('read ROOT; cd "$ROOT" && npm test')?.folder).toBe(null)
    expect(at('ROOT=b; cd "$ROOT" && npm test')?.folder).toBe('b')
  })
  it('but not in a shell of its own, which may not be given them', () => {
    expect(at(`env -i bash -c 'cd "$ROOT" && npm test'`)?.folder).toBe(null)
  })
})

describe('where a command works', () => {
  const folder = (line: string) =>
    analyseShellLine(line)
      .acts.filter(act => act.words)
      .at(-1)?.folder
  it.each([
    ['npm test', undefined],
    ['cd app && npm test', 'app'],
    ['cd ../q && npm test', '../q'],
    ['cd app && cd .. && npm test', 'app/..'],
    ['cd $X && npm test', null],
    ['cd a; npm test', null],
    ['npm --prefix ../q test', '../q'],
    ['npm -C ../q test', '../q'],
    ['pnpm --prefix ../q test', '../q'],
    ['bun --cwd=../q test', '../q'],
    ['cd a && make -C b test', 'a/b'],
    ['git -C "$X" status', null],
    ['(cd a && true) && npm test', undefined],
    [`git ${'-C a '.repeat(33)}status`, null],
    [`git -C ${'a'.repeat(5000)} status`, null],
  ])('%s: %s', (line, expected) => {
    expect(folder(line)).toBe(expected)
  })
})

it.each(['GIT_CONFIG_KEY_0=core.pager git log', 'GIT_CONFIG_PARAMETERS=x git log', 'LD_PRELOAD=x git log'])(
  '%s may run anything',
  line => {
    expect(analyseShellLine(line).acts.some(act => act.opaque)).toBe(true)
  },
)
