import { describe, expect, it } from 'vitest'
import { runs, touched } from './action-text.ts'

describe('git', () => {
  it.each([
    ['git status', []],
    ['git add a', []],
    ['git commit -m x', []],
    ['git push', []],
    ['git fetch', []],
    ['git tag v1', []],
    ['git log --output=f', ['write f']],
    ['git diff --outp f', ['write f']],
    ['git diff -U --output=f', ['write f']],
    ['git log --pretty --output f', ['write f']],
    ['git clean -n --no-dry-run', ['delete .']],
    ['git rm -n --no-dry-run a', ['delete a']],
    ['git restore --staged --no-staged a', ['write a']],
    ['git apply --check --no-check p', ['read p', 'write .']],
    ['git -c core.pager=x log', ['opaque']],
    ['git -c user.name=x commit -m y', []],
    ['git --exec-path=/x log', ['opaque']],
    ['git grep -O x', ['opaque']],
    ['git grep --open-files=x y', ['opaque']],
    ['git diff --ext-diff', ['opaque']],
    ['git ls-remote --upload-pack=x y', ['opaque']],
    ['git ls-remote ext::x', ['opaque']],
    ['git fetch ext::x', ['opaque']],
    ['git grep std::vector', []],
    ['git cat-file --textconv HEAD:a', ['opaque']],
    ['git cat-file --filters HEAD:a', ['opaque']],
    ['git help --web log', ['opaque']],
    ['git help -w log', ['opaque']],
    ['git shortlog --output=f', ['write f']],
    ['git mine', ['opaque']],
    ['git pack-objects f', ['write f']],
    ['git lfs pull', ['opaque']],
    ['git config user.name x', ['write .git/config']],
    ['git config user.name --get x', ['write .git/config']],
    ['git config user.name -x', ['write .git/config']],
    ['git config --global user.name x', ['write ~/.gitconfig']],
    ['git config -f .x a.b c', ['write .x']],
    ['git config --file=.x a.b c', ['write .x']],
    ['git config --file .x a.b', ['read .x']],
    ['git config unset a.b', ['write .git/config']],
    ['git init', ['write .']],
    ['git init -b main d', ['write d']],
    ['git worktree add -b x ../w main', ['write ../w']],
    ['git apply p', ['read p', 'write .']],
    ['git apply --check p', ['read p']],
    ['git am p', ['write .']],
    ['git checkout -- a b', ['write a', 'write b']],
    ['git checkout HEAD -- a', ['write a']],
    ['git checkout main', ['write main', 'write .']],
    ['git checkout -b x', []],
    ['git switch x', ['write .']],
    ['git restore a', ['write a']],
    ['git restore --staged a', []],
    ['git reset --hard', ['write .']],
    ['git reset --soft HEAD~', []],
    ['git clean -fd', ['delete .']],
    ['git clean -fd a', ['delete a']],
    ['git clean -n', []],
    ['git clean -h', []],
    ['git rm -h', []],
    ['git clean -fd -e -h', ['delete .']],
    ['git stash', ['write .']],
    ['git stash push -- a', ['write a']],
    ['git stash pop', ['write .']],
    ['git stash list', []],
    ['git merge x', ['write .']],
    ['git rebase main', ['write .']],
    ['git pull', ['write .']],
    ['git cherry-pick x', ['write .']],
    ['git revert x', ['write .']],
    ['git mv a b.ts', ['delete a', 'write b.ts']],
    ['git rm a', ['delete a']],
    ['git rm --cached a', []],
    ['git clone https://x.y/a/b.git', ['write b']],
    ['git clone u d', ['write d']],
    ['git worktree add ../w', ['write ../w']],
    ['git archive -o a.zip HEAD', ['write a.zip']],
    ['git format-patch -1', ['write .']],
  ])('%j', (line, expected) => {
    expect(touched(line)).toEqual(expected)
  })
})

describe('a setting of git that names a command', () => {
  it.each([
    "git config core.editor 'git push'",
    "git config core.pager 'git push;cat'",
    "git config --global core.fsmonitor 'git push'",
    "git config --add core.sshCommand 'git push'",
    "git config core.gitproxy 'git push'",
    "git config set diff.external 'git push'",
    "git config --replace-all sequence.editor 'git push'",
    "git config diff.x.command 'git push'",
    "git config diff.x.textconv 'git push'",
    "git config filter.x.clean 'git push'",
    "git config merge.x.driver 'git push'",
    "git config mergetool.x.cmd 'git push'",
    "git config gpg.program 'git push'",
    "git config pager.log 'git push'",
    "git config interactive.diffFilter 'git push'",
    "git config uploadpack.packObjectsHook 'git push'",
    "git config sendemail.smtpServer 'git push'",
    "git config imap.tunnel 'git push'",
    "git config instaweb.httpd 'git push'",
    "git config submodule.x.update '!git push'",
    "git config credential.helper '!git push'",
    "git config credential.https://x.helper '! git push'",
  ])('%s', line => {
    expect(runs(line)).toContain('git push')
  })
  it('is opaque where it cannot be told', () => {
    expect(touched('git config core.editor "$X"')).toContain('opaque')
  })
  it.each([
    'git config core.editor vim',
    'git config --get core.editor',
    'git config core.editor',
    'git config pager.log false',
    'git config submodule.x.update rebase',
    'git config sendemail.smtpserver smtp.example.com',
    'git config credential.helper store',
  ])('%s', line => {
    expect(touched(line)).not.toContain('opaque')
  })
})

describe('a setting of git that moves its files', () => {
  it.each([
    ['git config core.worktree ../d', 'write .git/../d'],
    ['git config --local core.workTree /d', 'write /d'],
    ['git config url.ext::x.insteadOf https://x', 'opaque'],
    ["git config remote.x.url 'ext::git push'", 'opaque'],
  ])('%s', (line, expected) => {
    expect(touched(line)).toContain(expected)
  })
})

describe('git runs a program that its words, its settings or an alias name', () => {
  it.each([
    'git merge-index ./x -a',
    "git remote-ext x 'git push'",
    'git instaweb --httpd=x',
    'git web--browse --tool=x http://y',
    'git submodule--helper foreach x',
    'git daemon --access-hook=./x',
    'git send-email --to-cmd=./x HEAD~1',
    // this git may not have these, and then an alias may have the name
    'git history',
    'git svn',
    'git gui',
    'git p4',
    'git refs',
    // the strategy `x` is the command `git merge-x`
    'git merge -s x b',
    'git merge --strat=x b',
    'git pull --strategy "$X"',
    'git rebase -sx main',
    'git cherry-pick --strategy=x b',
  ])('%s', line => {
    expect(touched(line)).toContain('opaque')
  })
  it.each([
    'git merge -s ours b',
    'git rebase --strategy=ort main',
    'git revert -s b',
    'git cherry-pick -s b',
    'git commit --no-verify a',
  ])('%s', line => {
    expect(touched(line)).not.toContain('opaque')
  })
  it.each([
    "git send-pack --receive-pack='git push;' .",
    "git send-pack --exec 'git push;' .",
    "git fetch-pack --upload-pack='git push;' . HEAD",
    "git send-email --to-cmd='git push' HEAD~1",
    "git send-email --sendmail-cmd 'git push' HEAD~1",
  ])('%s', line => {
    expect(runs(line)).toContain('git push')
  })
})
