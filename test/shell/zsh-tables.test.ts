import { describe, expect, it } from 'vitest'
import { isOpaque } from '../../scripts/fuzz/verdict.mjs'
import { analyseShellLine } from '../../src/engine/shell/index.ts'
import { runs, told } from './action-text.ts'

const GUARDED = '.claude/settings.json'
const COMMIT = 'git commit --allow-empty -qm x'

describe('zsh replaces =name by the path of the program', () => {
  it.each([
    `=${COMMIT}`,
    `=sh -c '${COMMIT}'`,
    `command =${COMMIT}`,
    `timeout 5 =${COMMIT}`,
    `sudo -n =${COMMIT}`,
    `env A=1 =${COMMIT}`,
    `x==git; $x commit --allow-empty -qm x`,
    `ls | xargs =${COMMIT}`,
  ])('%s', line => {
    expect(runs(line).some(run => run.startsWith('git commit'))).toBe(true)
  })
  it.each([
    [`=rm ${GUARDED}`, 'delete'],
    [`echo {} | =tee ${GUARDED}`, 'write'],
    [`=env rm ${GUARDED}`, 'delete'],
  ])('%s', (line, action) => {
    expect(told(line)).toContain(`${action} ${GUARDED}`)
  })
})

describe('zsh tables that say what names mean', () => {
  it.each([
    `functions[f]='${COMMIT}'; f`,
    `functions[chpwd]='${COMMIT}'; cd src`,
    `functions+=(f '${COMMIT}'); f`,
    `functions=(f '${COMMIT}'); f`,
    `set -A functions f '${COMMIT}'; f`,
    `typeset 'functions[f]=${COMMIT}'; f`,
    `typeset -g functions=(f '${COMMIT}'); f`,
    `read 'functions[f]' <<< '${COMMIT}'; f`,
    `read -A functions <<< 'f ls'; f`,
    `print -v 'functions[f]' '${COMMIT}'; f`,
    `printf -v 'functions[f]' '${COMMIT}'; f`,
    `printf -v'functions[f]' '${COMMIT}'; f`,
    `: \${functions[f]::=${COMMIT}}; f`,
    `: "\${functions[f]:=${COMMIT}}"; f`,
    `x=functions; typeset "$x[f]=${COMMIT}"; f`,
    `zformat -f 'functions[f]' '${COMMIT}'; f`,
    `aliases[ls]='${COMMIT}'\nls`,
    `galiases[ls]='${COMMIT}'\nls`,
    `saliases[ts]='${COMMIT}'\na.ts`,
    `dis_functions[f]='${COMMIT}'; enable -f f; f`,
    `dis_aliases[f]='${COMMIT}'`,
    `commands[ls]=/tmp/x; ls`,
    `nameddirs[x]=$PWD/.claude; rm ~x/settings.json`,
    `options[shwordsplit]=on`,
    `path=(/tmp/x); ls`,
    `mapfile[${GUARDED}]=x`,
    `unset 'mapfile[${GUARDED}]'`,
    `zmodload zsh/mapfile; mapfile[${GUARDED}]=x`,
    `zstyle -e a b '${COMMIT}'; zstyle -t a b`,
  ])('%s', line => {
    expect(isOpaque(analyseShellLine(line))).toBe(true)
  })
  it.each([
    'path=src/a; cat $path',
    'commands="-l -a"; ls',
    'read -r options; echo "$options"',
    '[ "$1" = functions ]',
    'echo functions commands',
    'export path=a',
    'unset commands',
    `zstyle ':completion:*' menu select`,
    'zmodload zsh/datetime; echo $EPOCHSECONDS',
  ])('%s is no doubt', line => {
    expect(isOpaque(analyseShellLine(line))).toBe(false)
  })
})

describe('the table of zsh/mapfile has files as entries', () => {
  it.each([
    `mapfile[${GUARDED}]=x`,
    `mapfile['${GUARDED}']=x`,
    `mapfile+=(${GUARDED} x)`,
    `mapfile=(a x '${GUARDED}' y)`,
    `set -A mapfile ${GUARDED} x`,
    `typeset 'mapfile[${GUARDED}]=x'`,
    `x=mapfile; typeset "\${x}[${GUARDED}]=y"`,
    `read 'mapfile[${GUARDED}]' <<< x`,
  ])('%s', line => {
    expect(told(line)).toContain(`write ${GUARDED}`)
  })
  it('unset', () => {
    expect(told(`unset 'mapfile[${GUARDED}]'`)).toContain(`delete ${GUARDED}`)
  })
  it.each(['mapfile -t lines < a.txt', `echo "\${mapfile[a]}"`, 'set -- a b'])('%s writes nothing', line => {
    expect(told(line).some(act => act.startsWith('write'))).toBe(false)
  })
})

describe('what zsh modules bring', () => {
  it.each([
    ['zf_rm', `delete ${GUARDED}`],
    ['zf_mv', `delete ${GUARDED}`],
    ['zf_chmod 0', `write ${GUARDED}`],
    ['sysopen -w -o trunc -u 5', `write ${GUARDED}`],
    ['sysopen -rwo creat -u 5', `write ${GUARDED}`],
  ])('%s', (command, act) => {
    const line = `${command} ${GUARDED}${command === 'zf_mv' ? ' x' : ''}`
    expect(told(line)).toContain(act)
    expect(isOpaque(analyseShellLine(`zmodload zsh/files zsh/system; ${line}`))).toBe(true)
  })
  it.each([`zpty x '${COMMIT}'`, `zpty -b x ${COMMIT}`, `sched +00:01 ${COMMIT}`])('%s', line => {
    expect(runs(line)).toContain(COMMIT)
  })
  it.each([`zpty -w x '${COMMIT}'`, 'zmodload zsh/zpty', 'zmodload -F zsh/files b:zf_rm', 'zmodload $x'])(
    '%s',
    line => {
      expect(isOpaque(analyseShellLine(line))).toBe(true)
    },
  )
})
