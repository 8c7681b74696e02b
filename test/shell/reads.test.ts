import { describe, expect, it } from 'vitest'
import { marked, runs } from './told.ts'

describe('commands that only read', () => {
  it.each([
    'ls -la src',
    'cat a | grep x | wc -l',
    'cd app && ls',
    'X=1; echo $X',
    'head -5 a',
    'find . -name "*.ts" -type f',
    'rg -n x src',
    'grep -rn "$X" src',
    'sort a | uniq -c',
    "awk '{print $1}' a",
    "sed -n '1,5p' a",
    'jq .x a',
    'git status',
    'git log --oneline -5',
    'git diff HEAD~1 -- src',
    'git show HEAD:a',
    'git log -- $X',
    'git branch -a',
    'git branch --show-current',
    'git remote -v',
    'git config --get user.name',
    'git config user.name',
    'git stash list',
    'git tag -l',
    'git rev-parse --show-toplevel',
    'git -C app status',
    'git --no-pager log',
    'GIT_PAGER=cat git log',
    'tar tf a.tar',
    'unzip -l a.zip',
    'command -v git',
    'env',
    'FOO=1 ls',
    'timeout 5 ls',
    'env A=1 ls',
    "bash -c 'ls; pwd'",
    'find . -exec cat {} +',
    '/usr/bin/ls',
  ])('%j', line => {
    expect(marked(line, 'onlyReads')).toEqual(runs(line))
  })
})

describe('commands that may do more', () => {
  it.each([
    'rm a',
    'unheard a',
    'npm test',
    './ls',
    '/tmp/git status',
    'git commit -m x',
    'git push',
    'git branch x',
    'git branch -D x',
    'git tag v1',
    'git remote add a b',
    'git config user.name x',
    'git stash',
    'git log --output=f',
    'git log $X',
    'git log "$X"',
    'git $X',
    'git -c core.pager=x log',
    'git grep -Oless x',
    'GIT_PAGER=x git log',
    'GIT_DIR=x git log',
    'PATH=. ls',
    'LD_PRELOAD=x ls',
    'PAGER=x git log',
    'IFS=x ls',
    'sort -o a b',
    'sort $X',
    'sort *',
    'uniq a b',
    'find . -delete',
    'find . -fprint f',
    'find . $X',
    'rg --pre x y',
    "sed -i 's/a/b/' f",
    "sed 's/a/b/w f' g",
    `awk 'BEGIN{system("x")}'`,
    'yq -i .x a',
    'tar xf a',
    'tar tf a --to-command=x',
    'curl https://x.y',
    'date -s now',
    'hostname x',
    'tree -o f',
    'sudo ls',
    'xargs -I{} sh -c {}',
    'alias a=b',
  ])('%j', line => {
    expect(marked(line, 'onlyReads')).not.toEqual(runs(line))
  })
  it('nothing after a variable that changes programs was exported', () => {
    expect(marked('export PATH=.; ls', 'onlyReads')).not.toContain('ls')
    expect(marked('PATH=.; ls', 'onlyReads')).not.toContain('ls')
  })
  it('not a program hidden by a function', () => {
    expect(marked('git() { rm x; }; git status', 'onlyReads')).toEqual([])
  })
})
