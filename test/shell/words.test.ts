import { describe, expect, it } from 'vitest'
import { analyseShellLine } from '../../src/engine/shell/index.ts'
import { runs, told } from './action-text.ts'

describe('words are decoded as the shell would', () => {
  it.each([
    ['r""m x', 'rm x'],
    ["r''m x", 'rm x'],
    ['"r"m x', 'rm x'],
    ['\\rm x', 'rm x'],
    ['r\\m x', 'rm x'],
    ["$'\\x72m' x", 'rm x'],
    ["$'\\162\\155' x", 'rm x'],
    ["$'r\\u006d' x", 'rm x'],
    ['$"rm" x', 'rm x'],
    ['rm\\\n x', 'rm x'],
    ['r\\\nm x', 'rm x'],
    ['echo "a\\$b"', 'echo a$b'],
    ["echo 'a\\b'", 'echo a\\b'],
    ['echo a\\ b', 'echo a b'],
    ['echo ""', 'echo '],
    ['echo "~/x" ~/y', 'echo ~/x ~/y'],
    ['echo $X', 'echo ?'],
    ['echo a$X', 'echo ?'],
    ['echo "$(x)b"', 'echo ?'],
    ['git add *', 'git add *'],
    ['ls *.[ch] a?b', 'ls *.[ch] a?b'],
    ['echo {a,b}c', 'echo ac bc'],
    ['echo x{a,{b,c}}', 'echo xa xb xc'],
    ['echo {a,b}{c,d}', 'echo ac ad bc bd'],
    ['echo "{a,b}" \\{a,b}', 'echo {a,b} {a,b}'],
    ['echo {1..3}', 'echo 1 2 3'],
    ['echo {a..c} {1..999}', 'echo a b c ?'],
    ['{rm,-rf,x}', 'rm -rf x'],
    [`echo $HOME/x \${HOME}/y "$PWD/z"`, 'echo ~/x ~/y ./z'],
    [`echo \${HOME}x a$HOME`, 'echo ? ?'],
    ['echo "$(pwd)/x"', 'echo ./x'],
  ])('%j', (line, expected) => {
    expect(runs(line)[0]).toBe(expected)
  })
})

describe('a program that cannot be told is opaque', () => {
  it.each([
    '$X a',
    '"$X" a',
    '$(x) a',
    '`x` a',
    'r?m a',
    'r* a',
    '[r]m a',
    `\${X:-rm} a`,
    `\${X} a`,
    'r$@m a',
    `\${!X} a`,
  ])('%j', line => {
    expect(told(line).slice(0, 1)).toEqual(['run ? a'])
    expect(told(line)).toContain('opaque')
  })
})

describe('a variable set to a literal on the same line is known', () => {
  it.each([
    ['X=rm; $X -rf a', 'rm -rf a'],
    ['X=rm && $X a', 'rm a'],
    ['X=r; Y=m; $X$Y a', 'rm a'],
    ['X="rm -rf"; $X a', 'rm -rf a'],
    ['X="a b"; rm "$X"', 'rm a b'],
    ['X=; $X rm a', 'rm a'],
    ['X=r; X+=m; $X a', 'rm a'],
    ['X=$Y; $X a', '? a'],
    ['export X=rm; $X a', 'rm a'],
    ['X=rm; ($X a)', 'rm a'],
    ['X=rm; if true; then $X a; fi', 'rm a'],
    ['X=rm; for i in 1; do $X a; done', 'rm a'],
    ['X=a; for i in 1; do $X a; X=rm; done', '? a'],
    ['X=echo; f() { $X a; }; X=rm; f', '? a'],
    ['true && X=echo; $X a', '? a'],
    ['if x; then X=echo; fi; $X a', '? a'],
    ['(X=echo); $X a', '? a'],
    ['X=echo | true; $X a', '? a'],
    ['X=echo; read X; $X a', '? a'],
    ['X=echo; unset X; $X a', '? a'],
    ['X=echo; printf -v X rm; $X a', '? a'],
    ['X=echo; (( X = 1 )); $X a', '? a'],
    ['X=echo; . ./x; $X a', '? a'],
    ['X=echo; f; f() { X=rm; }; f; $X a', '? a'],
    ["X=rm bash -c '$X a'", 'rm a'],
    ["env X=rm sh -c '$X a'", 'rm a'],
    ['X=echo $X a', '? a'],
    ['X=(a b); $X a', '? a'],
    ['IFS=,; X=rm,a; $X', '?'],
    ['X=echo; command export X=$Y; $X a', '? a'],
    ['X=echo; builtin export X=rm; $X a', 'rm a'],
    ['X=echo; builtin declare X+=y; $X a', '? a'],
    ['X=echo; Y=rm export X; $Y a', '? a'],
    ['_=echo; : rm; $_ a', '? a'],
    ['BASH_REMATCH=echo; [[ rm =~ rm ]]; $BASH_REMATCH a', '? a'],
    ['REPLY=echo; $REPLY a', '? a'],
    ['RANDOM=echo; $RANDOM a', '? a'],
    ["X=echo; trap 'X=rm' DEBUG; X=echo; $X a", '? a'],
    ['set -o posix; X=echo; $X a', '? a'],
    ['PWD=/x; cat $PWD/a', 'cat ?'],
    ['X=echo; : $((X=1)); $X a', '? a'],
    ['X=echo; declare -n Y=X; Y=rm; $X a', '? a'],
  ])('%j', (line, expected) => {
    expect(runs(line)).toContain(expected)
  })
})

describe('roles', () => {
  const roles = (line: string) =>
    analyseShellLine(line)
      .acts[0]?.words?.map(({ text, role }) => `${text}:${role}`)
      .join(' ')
  it.each([
    ['git -C d commit -m x f', 'git:plain -C:option d:value commit:plain -m:option x:value f:plain'],
    ['git commit -am x', 'git:plain commit:plain -am:option x:value'],
    ['git commit -mx y', 'git:plain commit:plain -mx:option y:plain'],
    ['git commit --message=x y', 'git:plain commit:plain --message=x:option y:plain'],
    ['git commit -m --amend', 'git:plain commit:plain -m:option --amend:value'],
    ['git commit --new x', 'git:plain commit:plain --new:option x:maybe'],
    ['git -c a=b --git-dir g log', 'git:plain -c:option a=b:value --git-dir:option g:value log:plain'],
    ['git log -5 x', 'git:plain log:plain -5:option x:plain'],
    ['git checkout -- -f', 'git:plain checkout:plain --:option -f:plain'],
    ['rm -rf a', 'rm:plain -rf:option a:plain'],
    ['rm --new a', 'rm:plain --new:option a:maybe'],
    ['unheard -x a b', 'unheard:plain -x:option a:maybe b:plain'],
    ['unheard --x=1 a', 'unheard:plain --x=1:option a:plain'],
    ['unheard - a', 'unheard:plain -:plain a:plain'],
    ['npm --prefix d test', 'npm:plain --prefix:option d:value test:plain'],
    ['npm -w d run x', 'npm:plain -w:option d:value run:plain x:plain'],
    ['make -C d all', 'make:plain -C:option d:value all:plain'],
    ['docker -H h ps', 'docker:plain -H:option h:value ps:plain'],
    ['curl -X POST u', 'curl:plain -X:option POST:value u:plain'],
    ['pytest -k x -v t', 'pytest:plain -k:option x:value -v:option t:plain'],
    ['x --o=$Y z', 'x:plain null:option z:plain'],
  ])('%j', (line, expected) => {
    expect(roles(line)).toBe(expected)
  })
})

describe('assignments', () => {
  const assigns = (line: string, at = 0) => analyseShellLine(line).acts[at]?.assigns
  it.each([
    ['FOO=1 cmd', { FOO: '1' }],
    ['A=1 B="x y" cmd', { A: '1', B: 'x y' }],
    ['FOO=$X cmd', { FOO: null }],
    ['FOO=1', { FOO: '1' }],
    ['export FOO=1 BAR', { FOO: '1' }],
    ['declare -x FOO=1', { FOO: '1' }],
    ['readonly FOO=1', { FOO: '1' }],
    ['env FOO=1 cmd', { FOO: '1' }],
    ['A=1 env B=2 cmd', { A: '1', B: '2' }],
    ['FOO=(a b)', { FOO: null }],
    ['FOO=~/x cmd', { FOO: '~/x' }],
    ['cmd FOO=1', undefined],
    ['unset FOO', undefined],
  ])('%j', (line, expected) => {
    expect(assigns(line)).toEqual(expected)
  })
  it('reach the command inside a wrapper', () => {
    expect(assigns('env -i -u X FOO=1 cmd', 1)).toEqual({ FOO: '1' })
    expect(assigns('sudo FOO=1 cmd', 1)).toEqual({ FOO: '1' })
  })
  it('make a run act without words when they stand alone', () => {
    expect(analyseShellLine('FOO=1').acts[0]?.words).toEqual([])
  })
  it('of variables that name code are opaque', () => {
    for (const name of ['PATH', 'LD_PRELOAD', 'BASH_ENV', 'ENV', 'GIT_PAGER', 'GIT_EXTERNAL_DIFF', 'GIT_SSH_COMMAND'])
      for (const line of [`${name}=x git log`, `env ${name}=x git log`, `export ${name}=x`])
        expect(told(line)).toContain('opaque')
  })
})
