import { describe, expect, it } from 'vitest'
import { analyseShellLine } from '../../src/engine/shell/index.ts'
import { touched } from './action-text.ts'

/** True if the line may change any file below the current folder, also one that nothing in the line names. */
const mayChangeAny = (line: string): boolean =>
  analyseShellLine(line).acts.some(
    ({ action, place }) =>
      (action === 'delete' || action === 'write') && /^\.?$/.test(place?.lexical ?? 'x') && place?.named === undefined,
  )

describe('files of a list that become words of a command', () => {
  it.each([
    'ls -A | xargs rm',
    'git ls-files -o | xargs rm',
    'git ls-files --others | xargs -n1 truncate -s0',
    'git ls-files -co | xargs rm',
    'git ls-files -oi --exclude-standard | xargs rm',
    'rm $(git ls-files -o)',
    'for f in $(ls -A); do rm $f; done',
    'for f in $(ls -A); do : > "$f"; done',
    'while read f; do rm $f; done < <(ls -A)',
    'ls -A > l; xargs rm < l',
    'ls -A | sort > l; xargs rm < l',
    '{ ls -A; } > l; xargs rm < l',
    'ls -A | tee l; xargs rm < l',
    'x=$(ls -A); rm $x',
    'echo $(ls -A) | xargs rm',
    "find . -path '*' | xargs rm",
    "find . ! -name '*.o' | xargs rm",
    'find . -path ./a -prune -o -type f -print | xargs rm',
    'fd -H . | xargs rm',
    'fd -u | xargs rm',
    'rg --files --hidden | xargs rm',
    "ls -A | sed 's/^/.\\//' | xargs rm",
    "ls -A | sed 's/^/rm /' | sh",
    `ls -A | awk '{print "rm " $0}' | bash -s`,
  ])('%j', line => expect(mayChangeAny(line)).toBe(true))

  it.each([
    'git ls-files | xargs rm',
    'ls -A',
    'ls -A | wc -l; rm "$X"',
    'ls -A > list.txt; rm "$X"',
    'find . | grep pyc | xargs rm',
    "find . -path '*/a/*' | xargs rm",
    "fd '\\.pyc$' | xargs rm",
    'find . -type f | xargs sed -i s/a/b/',
    'for f in $(ls -A); do cp "$f" "/tmp/$f"; done',
    'ls -A | grep x | sed s/a/b/ | sh',
  ])('%j: not those', line => expect(mayChangeAny(line)).toBe(false))
})

describe('files that git adds, and then deletes', () => {
  it.each([
    'git add -f a; git reset -q --hard',
    'git add -f a; git stash -q',
    'git add a && git stash push',
    'git add -f a && git checkout -qf HEAD',
    'git add -f a && git restore -SW a',
    'git add -f a && git switch -f main',
    'git add -f a && git commit -qm x && git reset --hard HEAD~',
  ])('%j', line => expect(touched(line)).toContain('delete a'))

  it('the whole folder counts if adding is forced', () => {
    expect(touched('git add -Af . && git stash')).toContain('delete .')
    expect(touched('git add -A && git stash')).not.toContain('delete .')
  })

  it.each([
    'git stash; git add -f a',
    'git add -f a && git commit -m x && git checkout main',
    'git add -f a && git stash list',
    'git add -n a && git stash',
    'git add -f a && git reset a',
  ])('%j: not then', line => expect(touched(line)).not.toContain('delete a'))
})
