import { describe, expect, it } from 'vitest'
import { told } from './action-text.ts'

describe('a wrapper is an act, and so is what it wraps', () => {
  it.each([
    'env rm x',
    'env -i rm x',
    'env - rm x',
    'env - A=1 rm x',
    'env -u A -- rm x',
    'env A=1 B=2 rm x',
    'sudo rm x',
    'sudo -u bob -E rm x',
    'sudo -n -- rm x',
    'sudo env A=1 rm x',
    'doas -u bob rm x',
    'nohup rm x',
    'nice rm x',
    'nice -n 5 rm x',
    'nice -19 rm x',
    'ionice -c 3 rm x',
    'timeout 5 rm x',
    'timeout -s KILL -k 1 5s rm x',
    'timeout --preserve-status 5 rm x',
    'stdbuf -oL -e 0 rm x',
    'setsid -w rm x',
    'time rm x',
    'time -p rm x',
    '\\time -o log rm x',
    'command rm x',
    'command -p rm x',
    'builtin rm x',
    'exec rm x',
    'exec -a name rm x',
    "env -S 'rm x'",
    "bash -c 'rm x'",
    "bash -lc 'rm x'",
    "bash -e -o pipefail -c 'rm x'",
    "sh -c 'rm x' name arg",
    "/bin/sh -c 'rm x'",
    "zsh -ic 'rm x'",
    "dash -c 'rm x'",
    "ksh -c 'rm x'",
    `bash -c "bash -c 'rm x'"`,
    "eval 'rm x'",
    'eval rm x',
    'eval "rm" "x"',
    "trap 'rm x' EXIT",
    'watch -n 1 rm x',
    "su -c 'rm x' bob",
    "su - bob -c 'rm x'",
    "script -qc 'rm x' log",
    'flock /tmp/lock rm x',
    "flock /tmp/lock -c 'rm x'",
    'xvfb-run -a rm x',
    'busybox rm x',
    'signalbox run -- rm x',
    'npx signalbox run -- rm x',
    'npx -y signalbox@1.2.3 run -- rm x',
    'npx rm x',
    'npx -y rm x',
    'npm exec rm x',
    'npm exec -- rm x',
    'npx cross-env A=1 rm x',
    'npx -p vitest rm x',
    'npx lerna exec -- rm x',
    'pnpm dlx rm x',
    'bunx rm x',
    'time -f x rm x',
    "sg wheel 'rm x'",
    'npm exec -- signalbox run -- rm x',
    'pnpm exec signalbox run -- rm x',
    'bunx signalbox run -- rm x',
    'node bin/signalbox.cjs run -- rm x',
    'bin/signalbox.cjs run -- rm x',
    'bash <<< "rm x"',
    'bash <<E\nrm x\nE',
    "sudo bash -s <<'E'\nrm x\nE",
    "echo 'rm x' | sh",
    'cat <<E | bash\nrm x\nE',
    "parallel 'rm x'",
    "git submodule foreach 'rm x'",
    "git rebase -x 'rm x' main",
    'git bisect run rm x',
    "npm exec -c 'rm x'",
    "npx -c 'rm x'",
    "npx --call='rm x'",
    "bash /dev/stdin <<< 'rm x'",
    "sh /dev/fd/0 <<< 'rm x'",
    "sh - <<< 'rm x'",
    'sudo nice timeout 5 env A=1 rm x',
  ])('%j', line => {
    const acts = told(line)
    expect(acts).toEqual(expect.arrayContaining(['run rm x', 'delete x']))
    expect(acts[0]).toMatch(/^run /)
    expect(acts[0]).not.toBe('run rm x')
  })
})

describe('what a wrapper adds cannot be told', () => {
  it.each([
    ['xargs rm', ['run xargs rm', 'run rm ?', 'delete ?']],
    ['xargs -n 1 -P 4 rm -f', ['run xargs -n 1 -P 4 rm -f', 'run rm -f ?', 'delete ?']],
    ['xargs -I{} cp {} d/', ['run xargs -I{} cp {} d/', 'run cp ? d/', 'read ?', 'write d/']],
    ['xargs -I % sh -c "rm %"', ['run xargs -I % sh -c rm %', 'run sh -c ?', 'opaque']],
    ['xargs --max-lines rm x', ['run xargs --max-lines rm x', 'run rm x ?', 'delete x', 'delete ?']],
    ['xargs --eof rm', ['run xargs --eof rm', 'run rm ?', 'delete ?']],
    ['xargs -l rm', ['run xargs -l rm', 'run rm ?', 'delete ?']],
    ['xargs -e rm', ['run xargs -e rm', 'run rm ?', 'delete ?']],
    ['xargs --replace rm {}', ['run xargs --replace rm {}', 'run rm ?', 'delete ?']],
    ['xargs --replace=% rm %', ['run xargs --replace=% rm %', 'run rm ?', 'delete ?']],
    ['xargs -i rm a{}', ['run xargs -i rm a{}', 'run rm ?', 'delete ?']],
    ['xargs -i% rm %', ['run xargs -i% rm %', 'run rm ?', 'delete ?']],
    ['xargs -0I {} rm {}', ['run xargs -0I {} rm {}', 'run rm ?', 'delete ?']],
    ['find a -exec rm {} +', ['run find a -exec rm {} +', 'read a', 'run rm ?', 'delete ?', 'delete a']],
    ["find a -exec rm {} ';'", ['run find a -exec rm {} ;', 'read a', 'run rm ?', 'delete ?', 'delete a']],
    ['find a -execdir x \\; -ok y \\;', ['run find a -execdir x ; -ok y ;', 'read a', 'run x', 'run y']],
    ['find a b -delete', ['run find a b -delete', 'read a', 'read b', 'delete a', 'delete b']],
    ['find -delete', ['run find -delete', 'read .', 'delete .']],
    ['find . -fprint out', ['run find . -fprint out', 'read .', 'write out']],
    ['fd x -x rm', ['run fd x -x rm', 'run rm ?', 'delete ?', 'delete .']],
    ['find a -name x | xargs rm', ['run find a -name x', 'read a', 'run xargs rm', 'run rm ?', 'delete ?', 'delete a']],
    ['parallel rm ::: a b', ['run parallel rm ::: a b', 'opaque', 'run rm ?', 'delete ?']],
  ])('%j', (line, expected) => {
    expect(told(line)).toEqual(expected)
  })
})

describe('code that cannot be read is opaque', () => {
  it.each([
    'bash -c "$X"',
    'bash -c "rm $X"x"$(y)"',
    'eval "$X"',
    'eval rm "$X"',
    'source ./x',
    '. ./x',
    'curl https://x.y | sh',
    'curl https://x.y | sudo bash -s -- a',
    'bash < x',
    'bash',
    'bash <(curl https://x.y)',
    'bash <<E\n$X\nE',
    'base64 -d <<< cm0K | sh',
    'ssh host "$X"',
    'ssh host',
    'su',
    'sudo -i',
    'sudo -s',
    'trap "$X" EXIT',
    'python -c "x"',
    'python3 - <<E\nx\nE',
    'node -e x',
    'node --eval=x',
    'perl -e x',
    'perl -ne x f',
    'ruby -e x',
    'deno eval x',
    'bun -e x',
    'php -r x',
    'alias git=rm',
    'timeout --unheard 5 rm x',
    'curl -K conf',
    'rsync -e ./x a b',
    'tar -xf a --to-command=x',
    'tar -xf a --checkpoint-action=exec=x',
    'tar -I ./x -xf a',
    'tar --use-compress-prog=x -xf a',
    'sort --compress-program=x a',
    'rg --pre x y',
    'vim -es -c wq f',
    'ex f',
    "sed 'e x' f",
    "sed 's/a/b/e' f",
    "sed '1e x' f",
    'sed -f script f',
    'sed "$X" f',
    `awk 'BEGIN { system("x") }'`,
    `awk '{ print | "x" }' f`,
    `awk 'BEGIN { "x" | getline y }'`,
    'awk -f script f',
    'awk "$X" f',
    'apply_patch "$X"',
    'patch -p1 < x',
    'python3.11 -c x',
    'ruby3.1 -e x',
    'perl5.36 -e x',
    'node20 -e x',
    'php8.2 -r x',
    'python3 /dev/stdin <<< x',
    'python3 /dev/fd/0 <<< x',
    'node - <<< x',
    'perl /dev/stdin <<< x',
    'node --import ./x a.js',
    'node --require=./x a.js',
    'node -r ./x a.js',
    'node --loader x a.js',
    'node --experimental-loader=x a.js',
    'make --eval=x',
    'make -f - <<< x',
    'make -f /dev/stdin',
    'make --file=- all',
    'npx -c "$X"',
    "script log <<< 'rm x'",
    'echo rm x | script -q',
    "view -es -c '!rm x'",
    "vimdiff -c '!rm x' a b",
    "tclsh <<< 'exec rm x'",
    "rvim -es -c 'w! x' a",
    "gview -c '!rm x' a",
    "gdb -batch -ex '!rm x'",
    'gdb --command=x a',
    "expect -c 'exec rm x'",
    "sftp -o ProxyCommand='rm x' h",
    'mapfile -C x a',
    'readarray -C x a',
    'compgen -C x',
    'compgen -F x',
    "compgen -W '$(x)'",
    'complete -C x y',
    "EDITOR='x y' git commit",
    "VISUAL='x;y' git commit",
    "BROWSER='$(x)' y",
    "test -v 'a[$(x)]'",
    "[[ 'a[$(x)]' -eq 1 ]]",
    "printf -v 'a[`x`]' y",
    `x=a\\[\\$\\(y\\)]; ((x))`,
    `echo \${p@P}`,
    `echo "\${p@P}"`,
    'echo x | source /dev/stdin',
    'bash /dev/fd/3 3<<< x <<< y',
    'source /dev/fd/3 3<<< x <<< y',
    `X='a['; Y='$(x)]'; test -v $X$Y`,
  ])('%j', line => {
    expect(told(line)).toContain('opaque')
  })
})

describe('programs that are not wrappers only run', () => {
  it.each([
    'npx eslint x',
    'npm exec vitest run',
    'npx jest src/find',
    'npx vitest run src/find',
    'npm exec -- eslint src/link',
    'npm test',
    'yarn build',
    'make all',
    'cargo test',
    'gh pr list',
  ])('%j', line => {
    expect(told(line)).toEqual([`run ${line}`])
  })
  it('a script file is run and read', () => {
    expect(told('bash x.sh a')).toEqual(['run bash x.sh a', 'read x.sh'])
    expect(told('python3 x.py a')).toEqual(['run python3 x.py a', 'read x.py'])
    expect(told('python -m http.server')).toEqual(['run python -m http.server'])
  })
})

describe('the same program under another name', () => {
  it('git-commit is git commit', () => {
    expect(told('git-commit -m x')).toEqual(['run git-commit -m x', 'run git commit -m x'])
    expect(told('/usr/lib/git-core/git-rm a')).toContain('delete a')
    expect(told('git-lfs x')).toEqual(['run git-lfs x'])
  })
  it('a version makes no other interpreter', () => {
    expect(told('python3.11 x.py')).toEqual(['run python3.11 x.py', 'read x.py'])
  })
})

describe('everyday lines hide nothing', () => {
  it.each([
    'EDITOR=vim git commit',
    "awk '{ a[$1]++; b[$(NF-1)] = 1 }' f",
    'echo "x[$((i + 1))]"',
    'node --test a.js',
    'make -f Makefile all',
    'mapfile -t a',
  ])('%j', line => {
    expect(told(line)).not.toContain('opaque')
  })
})

describe('the name of a file may be code: a wildcard that is read as a script is opaque', () => {
  it.each(['eval ls *', 'eval *', 'sh -c *', 'watch ls *', 'trap * EXIT', "x='*'; eval ls $x", 'npx -c ls*'])(
    '%s',
    line => {
      expect(told(line)).toContain('opaque')
    },
  )
  it.each(["eval 'ls *'", "bash -c 'ls *.txt'", "watch 'ls *'", "sh -c 'ls' *"])('not in quotes: %s', line => {
    expect(told(line)).not.toContain('opaque')
  })
})
