import { describe, expect, it } from 'vitest'
import { isOpaque } from '../../scripts/fuzz/verdict.mjs'
import { analyseShellLine } from '../../src/engine/shell/index.ts'
import { runs, told } from './action-text.ts'

const GUARDED = '.claude/settings.json'
const COMMIT = 'git commit --allow-empty -qm x'

/** True if a gate on `git commit` cannot be sure that the line does not commit. */
const mayCommit = (line: string): boolean =>
  isOpaque(analyseShellLine(line)) || runs(line).some(run => /^\S*git commit/.test(run))

/** True if a gate on the guarded file cannot be sure that the line leaves it alone. */
const mayChange = (line: string): boolean =>
  isOpaque(analyseShellLine(line)) || told(line).some(act => act === `delete ${GUARDED}` || act === `write ${GUARDED}`)

describe('env takes every word with an equals sign for an assignment', () => {
  it.each([
    `env a.b=1 ${COMMIT}`,
    `env x-y=1 bash -c '${COMMIT}'`,
    `env -u A b.c=1 ${COMMIT}`,
    `nice env FOO.BAR=1 ${COMMIT}`,
    `env '=x' ${COMMIT}`,
    `env =git commit`,
    `sudo a.b=1 ${COMMIT}`,
  ])('%s', line => {
    expect(mayCommit(line)).toBe(true)
  })
  it.each([`env npm_config-x=1 rm ${GUARDED}`, `env 1a=1 rm ${GUARDED}`])('%s', line => {
    expect(told(line)).toContain(`delete ${GUARDED}`)
  })
  it('a function in the environment is code', () => {
    expect(isOpaque(analyseShellLine(`env 'BASH_FUNC_ls%%=() { rm ${GUARDED}; }' bash -c ls`))).toBe(true)
  })
})

describe('a wrapper whose first word may be the command or not', () => {
  it.each([
    `setarch -R ${COMMIT}`,
    `setarch linux64 -- ${COMMIT}`,
    `setarch x86_64 -R ${COMMIT}`,
    `setarch x86_64 ${COMMIT}`,
    `setarch -- ${COMMIT}`,
    `i386 ${COMMIT}`,
    `uname26 ${COMMIT}`,
    `arch -arm64 ${COMMIT}`,
    `arch -arch x86_64 ${COMMIT}`,
    `arch -e A=1 ${COMMIT}`,
    `chrt -o ${COMMIT}`,
    `chrt --batch 0 ${COMMIT}`,
  ])('%s', line => {
    expect(runs(line)).toContain(COMMIT)
  })
  it('x86_64', () => {
    expect(told(`x86_64 rm ${GUARDED}`)).toContain(`delete ${GUARDED}`)
  })
  it('a known architecture leaves no doubt', () => {
    expect(isOpaque(analyseShellLine('setarch x86_64 -R make'))).toBe(false)
    expect(isOpaque(analyseShellLine('arch'))).toBe(false)
  })
})

describe('wrappers that are described, and wrappers that nobody described', () => {
  it.each([
    `capsh -- -c '${COMMIT}'`,
    `capsh --drop=cap_net_raw -- -c '${COMMIT}'`,
    `capsh == -- -c '${COMMIT}'`,
    `ssh-agent ${COMMIT}`,
    `ssh-agent -t 5 ${COMMIT}`,
    `perf stat ${COMMIT}`,
    `perf stat -e cycles -- ${COMMIT}`,
    'ld.so /usr/bin/git commit -m x',
    '/lib64/ld-linux-x86-64.so.2 /usr/bin/git commit -m x',
    '/lib/ld-musl-x86_64.so.1 --library-path /lib /usr/bin/git commit',
    'start-stop-daemon -S -x /usr/bin/git -d . -- commit -m x',
    'start-stop-daemon --start --exec=/usr/bin/git -- commit',
    `systemd-run --user --wait ${COMMIT}`,
    `firejail --noprofile ${COMMIT}`,
    `direnv exec . ${COMMIT}`,
    `poetry run ${COMMIT}`,
    `uv run ${COMMIT}`,
    `mise exec -- ${COMMIT}`,
    `sg users -c '${COMMIT}'`,
    `hyperfine '${COMMIT}'`,
    `nix-shell --run '${COMMIT}'`,
    `anything bash -c 'perf stat ${COMMIT}'`,
    `anything ${'kubectl '.repeat(400)}${COMMIT}`,
    'anything =git commit',
  ])('%s', line => {
    expect(mayCommit(line)).toBe(true)
  })
  it.each([`perf stat rm ${GUARDED}`, `ssh-agent rm ${GUARDED}`, `unknown-tool --flag /bin/rm ${GUARDED}`])(
    '%s',
    line => {
      expect(mayChange(line)).toBe(true)
    },
  )
})

describe('an option whose name says that its value is a command', () => {
  it.each([
    `dpkg --pre-invoke='${COMMIT}' --remove x`,
    `dpkg --status-logger '${COMMIT}' -l`,
    `apt-get -o APT::Update::Pre-Invoke::='${COMMIT}' update`,
    `apt-get -oDPkg::Pre-Invoke::='${COMMIT}' install x`,
    `ssh-copy-id -o ProxyCommand='${COMMIT}' h`,
    `ssh-copy-id -o 'ProxyCommand ${COMMIT}' h`,
    `unheard --on-exit-hook='${COMMIT}'`,
    `unheard --shell '(cd x; ${COMMIT})'`,
    `unheard --editor 'A=1 ${COMMIT}'`,
    `unheard --exec "!${COMMIT}"`,
    `npm explore x -- ${COMMIT}`,
    `at now <<< '${COMMIT}'`,
    `echo '${COMMIT}' | batch`,
    `crontab - <<< '* * * * * ${COMMIT}'`,
  ])('%s', line => {
    expect(mayCommit(line)).toBe(true)
  })
  it('the value is unknown', () => {
    expect(isOpaque(analyseShellLine('unheard --pre-hook "$X"'))).toBe(true)
  })
  it.each([
    `gh pr create --body '${COMMIT}'`,
    `unheard --message '${COMMIT}'`,
    `unheard --shell nushell`,
    'psql --command "select 1 from git"',
    `docker run --health-cmd 'curl -f localhost' x`,
    'crontab -l',
  ])('%s', line => {
    const reading = analyseShellLine(line)
    expect(isOpaque(reading)).toBe(false)
    expect(runs(line)).toHaveLength(1)
  })
})

it('what an unknown program may run is an act of its own', () => {
  expect(told('unheard rm x')).toEqual(['run unheard rm x', 'run rm x', 'delete x'])
})

describe('words that only name a program', () => {
  it.each([
    'man git',
    'which git',
    'brew install git',
    'brew install git make',
    'apt install git',
    'apt-get install -y git curl',
    'echo git commit',
    'pip install pytest',
    'uv add ruff',
    'conda install git',
    'ninja install',
    'just test',
    'gh pr list --label git',
    'docker ps --filter name=git',
  ])('%s', line => {
    const reading = analyseShellLine(line)
    expect(isOpaque(reading)).toBe(false)
    expect(runs(line)).toEqual([line])
  })
})
