import { describe, expect, it } from 'vitest'
import { marked, runs, touched } from './action-text.ts'

describe('an unknown word in front of the command may hold the command', () => {
  it.each([
    'timeout $(echo 5 rm f) ls',
    'timeout $T ls',
    'timeout "$@" ls',
    `timeout "\${a[@]}" ls`,
    `timeout "\${!a@}" ls`,
    'timeout 5* ls',
    'timeout -s $S 5 ls',
    'timeout -k $K 5 ls',
    'nice -n $(echo 5 rm f) ls',
    'ionice -c $(echo 3 rm f) ls',
    'env -u $(echo A rm f) ls',
    'env A=$(echo 1 rm f) ls',
    'env A=$X B=2 ls',
    'stdbuf -o $(echo L rm f) ls',
    'exec -a $(echo A rm f) ls',
    'setsid -$x ls',
    'nohup $x ls',
    'sudo -u $x ls',
    'sudo A=$x ls',
    'doas -u $x ls',
    'chrt $x ls',
    'chrt "$x" ls rm f',
    'taskset -c $(echo 1 rm f) ls',
    'taskset "$x" ls rm f',
    'flock $(echo l rm f) ls',
    'flock "$x" ls rm f',
    'chroot $x ls',
    'chroot "$x" ls rm f',
    'setarch $x ls',
    'strace -e $x ls',
    'watch -n $x ls',
    'command $x ls',
    'builtin $x ls',
    'xargs -n $(echo 1 rm f) echo',
    'xargs -P $x echo',
    'xargs -d $x echo',
    'xargs -I $x echo',
    'unshare -R $x ls',
    'bash -o $(echo pipefail -c rm) f',
  ])('%s', line => {
    expect(touched(line)).toContain('opaque')
  })
})

describe('an option whose attached value may be empty may take the next word', () => {
  it.each([
    'env -u"$x" ls git commit',
    'sudo -u"$x" ls git commit',
    'sudo -g"$(id -g)" ls git commit',
    'strace -o"$x" ls git commit',
    'flock -E"$x" ls f git commit',
    'git -C"$x" log commit -m a',
    'git --work-tree"$x" status commit -m a',
    'git --git-dir"$x" log push',
  ])('%s', line => {
    expect(touched(line)).toContain('opaque')
  })

  it.each([
    'sort -o"$x" f b',
    'sort -ro"$x" f b',
    'sort --output"$x" f b',
    'cp -t"$x" f a b',
    'mv -t"$x" f a b',
    'tar -cf"$x" f a',
    'tar -xf a.tgz -C"$x" f b',
    'curl -o"$x" f https://a.example',
    'wget -O"$x" f https://a.example',
    'git log --output"$x" f',
    'iconv -o"$x" f b',
    'patch -o"$x" f b',
  ])('the next word is written: %s', line => {
    expect(touched(line)).toContain('write f')
  })

  it.each(['nice -n"$x" npm test', 'timeout -k"$x" 5 npm test', 'xargs -P"$x" -n"$x" cat', 'git -C"$x" status'])(
    'a number or nothing: %s',
    line => {
      expect(touched(line)).not.toContain('opaque')
    },
  )
})

describe('the unknown part of a word may be empty', () => {
  it.each([
    'dd o"$x"f=f < b',
    'dd if=b "of$x=f"',
    'tar -c"$x"f f b',
    'tar c"$x"f f b',
    'tar x"$x"f a.tgz -C f',
    'openssl rand -"$x"out f 5',
    'openssl rand -o"$x"ut f 5',
    'curl -"$x"o f https://a.example',
    'curl -s"$x"o f https://a.example',
    'curl --out"$x"put f https://a.example',
    'git bundle cr"$x"eate f HEAD',
    'git worktree a"$x"dd f',
    't"$x"ee f',
    'env t"$x"ee f',
    'timeout 5 t"$x"ouch f',
    'bash -c \'t"$x"ouch f\'',
  ])('%s writes', line => {
    expect(touched(line)).toContain('write f')
  })

  it.each(['git cle"$x"an -fdx f', 'git r"$x"m f', 'r"$x"m f', 'find f -del"$x"ete', 'xargs r"$x"m f'])(
    '%s deletes',
    line => {
      expect(touched(line)).toContain('delete f')
    },
  )

  it('runs the program', () => {
    expect(runs('g"$x"it commit -m a')).toContain('git commit -m a')
  })
})

describe('xargs adds what comes in, where a count takes the placeholder back', () => {
  it.each([
    'xargs -IZZZ -n3 env',
    'xargs -IZZZ -L1 env',
    'xargs -n3 -IZZZ env',
    'xargs -iZZZ -l env',
    'xargs --replace=ZZZ --max-args=3 env',
    'xargs --replace=ZZZ --max-lines env',
    'xargs -I"$x" -n3 env',
  ])('%s', line => {
    expect(touched(line)).toContain('opaque')
  })
  it('xargs -IZZZ -L1 git log', () => {
    expect(marked('xargs -IZZZ -L1 git log', 'onlyReads')).not.toContain('git log ?')
  })
})

describe('an unknown word may be any option', () => {
  it.each([
    'find . -name a -delete$x',
    'find . -del"$x"ete',
    'find -- . "-$x"',
    'find . -fprint$x f',
    'find . -exec$x rm {} +',
    'find . -name a $x',
    'git log -"$x"-output=f',
    'git log "-$x"',
    'git log --"$x"',
    'git log --out"$x"',
    'git log --since=$x',
    'git log --since=$(echo 1 --output=f)',
    'git log -n$x',
    'git grep -"$x"O\'rm f\' a',
    'git ls-remote -"$x"-upload-pack=\'rm f;\' .',
    'git -"$x" log',
    'sort a -"$x"of',
    'sort -k$x a',
    'sort -* a',
    'sort -t "$y" -"$x" a',
    'sort --unknown -- "$x"',
    'sed -e s/a/b/ -"$(echo i)" f',
    'sed -n"$(echo i)" p f',
    'shuf -"$x"o f',
    'iconv -"$x"o f a',
    'tree -"$x"o f',
    'jobs -"$x"x rm f',
    'mapfile -"$x"C \'rm f;:\' -c1 a',
    'compgen -"$x"C \'rm f\'',
    `rg "-\${x}-pre=p" a f`,
    `rg -"\${x[0]}" a`,
    'less -"$x" f',
    'diff --"$x" a b',
    'awk -F$x 1 f',
    'awk -v a=$x 1 f',
    'sh -c \'git log "-$0"\' -output=f',
    `a=(--output=f); git log "\${a[@]}"`,
    'set -- --output=f; git log "$@"',
    'git log *',
  ])('%s', line => {
    const all = runs(line)
    expect(marked(line, 'onlyReads').length).toBeLessThan(all.length)
  })

  it.each([
    ['find . -del"$x"ete', 'delete .'],
    ['find . -exec$x rm f \\;', 'delete f'],
    ['git log -"$x"-output=f', 'write f'],
    ['sort -"$x"o f a', 'write f'],
    ['sort --unknown -- -of', 'write f'],
    ['git log --unknown -- --output=f', 'write f'],
  ])('%s, as if it were empty', (line, act) => {
    expect(touched(line)).toContain(act)
  })
})

describe('everyday words that cannot be told', () => {
  it.each([
    'timeout 5 ls',
    'timeout "$T" ls',
    'timeout $((5 * 60)) ls',
    'timeout -k "$K" "$T" ls',
    'timeout --signal="$S" 5 ls',
    'nice -n"$N" ls',
    'env A="$X" ls',
    'env A="$(date)" ls',
    'env A=$HOME/x ls',
    'xargs -P $(nproc) -n1 grep x',
    'xargs -P$(nproc) grep x',
    'xargs -I{} echo {}',
    'xargs -n1 -I{} cat {}',
    'git ls-files | xargs -I{} git log -1 -- {}',
    'git log --oneline | head',
    'git log --since="$D"',
    'git log -n"$N"',
    'git -C"$D" status',
    'git log --topo-order -- "$f"',
    'git log -- $f',
    'git show "HEAD:$f"',
    'git diff main..."$b"',
    'sort -k"$n" a',
    'sort -u a > /dev/null 2>&1',
    'rg -g*.ts x',
    'rg --glob=*.ts x',
    "awk -F/ '{print $2}'",
    'awk -F"$x" \'{print $2}\' a',
    'awk -v a="$x" \'{print a}\' f',
    'head -"$n" a',
    'ls *',
    'cat *.md',
    'ls -"$x"',
    'grep -rn "$x" src',
    'echo -"$x"',
    'date +"$f"',
  ])('%s', line => {
    expect(touched(line)).not.toContain('opaque')
    expect(marked(line, 'onlyReads')).toEqual(runs(line))
  })
})
