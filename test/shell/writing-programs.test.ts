import { describe, expect, it } from 'vitest'
import { marked, runs, touched } from './action-text.ts'

const blanks = ' '.repeat(40)

describe('programs that write or run are seen to', () => {
  it.each([
    "sed --line-length 5 's/a/rm f/e' a",
    "sed --line 5 'w f' a",
    "sed --l 5 'w f' a",
    "sed -l 'w f' p",
    "sed --unknown 5 'w f' a",
    "sed -n '/[/b]/wf' a",
    "sed -n '/[]/]/wf' a",
    "sed -n '/[^]/]/wf' a",
    "sed -n '\\,[,b],wf' a",
    "sed -n '1,/[/b]/wf' a",
    "sed 's/[[:alpha:]/]/b/wf' a",
    "sed 's/[[.].]/]/b/wf' a",
    "sed 's/[\\]/]/b/wf' a",
    "sed 's/a/b/ w f' a",
    "sed ':a;s/x/\nw f\n#/' a",
    "sed -I .b 's/a/b/' f",
    `awk 'BEGIN { x = 1${blanks}/ 2; system("rm f"); y = 1 / 2 }'`,
    'awk \'{ x = $/"/; system("rm f"); y = $/"/ }\' a',
    'awk \'/[]/]"/ || 1 { system("rm f") } #"\' a',
    'awk \'/[/]"/ || 1 { system("rm f") } #"\' a',
    'mawk \'{ y = length /"/; system("rm f"); x = length /"/ }\' a',
    'mawk \'{ y = rand /"/; system("rm f"); x = rand /"/ }\' a',
    'awk \'{ y = x++ /"/; system("rm f"); x = x++ /"/ }\' a',
    'awk \'{ if (1) /"/; system("rm f"); if (1) /"/ }\' a',
    'awk \'{ print > "f" }\' a',
    'awk \'{ print | "rm f" }\' a',
    'awk \'{ "rm f" | getline }\' a',
    'gawk \'@load "x"; { print }\' a',
    "gawk -i inplace '{ print }' a",
    "gawk -iinplace '{ print }' a",
    "gawk --incl=inplace '{ print }' a",
    "gawk -o '{ print }' a",
    "gawk -pf '{ print }' a",
    "gawk --prof=f '{ print }' a",
    "gawk --dump '{ print }' a",
    "awk --unknown x '{ print }' a",
    'xxd -ps a f',
    'xxd -r -ps a f',
    'xxd -bits a f',
    'xxd -plain a f',
    'xxd --ps a f',
    'xxd -s 5 a f',
    'xxd -skip 5 a f',
    'xxd -c8 a f',
    'xxd -cols 8 a f',
    'xxd -capitalize a f',
    'xxd -u a f',
    'xxd -co8 a f',
    'xxd -gr a f',
    'xxd -off a f',
    'xxd -nam a f',
    "fd -x sh -c 'cat {}'",
    "fd -X bash -c 'cat {/.}'",
    "fd -e ts -x awk '{print} # {//}'",
    "fd -x cat ';' -x touch",
    "fd -x cat {} ';' --exec touch {.}",
    'tar tMf a',
    'tar -tMf a',
    'tar tf a -M',
    'tar tf a --multi-vol',
    'tar tLf 10 a',
    'tar tf a --tape-l 10',
    'tree -Lo 2 f',
    'tree -Po x f',
    'tree -fo f',
    'base64 --output=f a',
    'base64 --outp f a',
    'base64 -o f a',
    "less -p $'x\\n!rm f\\n' a",
    "less --pattern=$'x\\n!rm f' a",
    "less '-Px$of' a",
    'less +!x a',
    'zless -of a',
    'sort --outp=f a',
    'sort --o f a',
    'sort -uof a',
    'sort --compress x a',
    'sort --temporary-directory -- -of a',
    'shuf --out f a',
    'iconv --out=f a',
    'file --comp a',
    'zstd --filelist=a',
    'xz --files=a',
    'zstdcat --rm a',
    'git log --outp=f',
    'git diff --ext-d',
    'git grep --open=x a',
    'git grep -nOx a',
    'man -Px a',
    'man --pag=x a',
    'date --se x',
  ])('%j', line => {
    expect(marked(line, 'onlyReads').length).toBeLessThan(runs(line).length)
  })
})

describe('everyday lines of the same programs', () => {
  it.each([
    "sed -n '1,20p' a",
    'fd -e ts -x cat {}',
    'fd -e ts -X wc -l',
    'fd -x bash -c \'echo "$1"\' _ {}',
    "sed -n '/start/,/end/p' a",
    "sed -n '/[a-z]/{s/x/y/;p}' a",
    "sed 's/[^/]*$//' a",
    "sed 's/[[:space:]]*$//' a",
    "sed 's|a[^|]*|b|; s/[]]//' a",
    "sed -E 's/(a|b)[0-9]+/\\1/g' a",
    "sed ':a;N;$!ba;s/\\n/ /g' a",
    "sed -n '\\,x,p' a",
    "sed --quiet --expression='$p' a",
    "sed --silen '$p' a",
    'sed -l 70 -n l a',
    'sed 10q a',
    "awk -F/ '{print $2}'",
    "awk '{print $1/$2}' a",
    "awk '/foo/ {print $2}' a",
    "awk '/^[a-z]+$/ && !/x/ {n++} END {print n/NR}' a",
    'awk \'{gsub(/"/, ""); print}\' a',
    "awk '{if ($1 > 3) print $2}' a",
    'awk \'{printf "%.2f\\n", $1/1024/1024}\' a',
    "awk 'length > 80' a",
    "awk '!seen[$0]++' a",
    "awk '{print $1}\n/x/ {print}' a",
    "awk 'NR==1\n/x/' a",
    'awk \'$1 ~ "a|b" {print}\' a',
    "awk '{print i++ / 2}' a",
    "awk '{print} # \"a' b",
    'xxd a | head',
    'xxd -l 16 -s 4 a',
    'xxd -p a',
    'xxd -ps a',
    'xxd -c 8 -g1 a',
    'tree -L 2',
    "tree -I 'node_modules|.git' -L 3",
    'less -R a',
    'base64 -w 0 a',
    'base64 -d a',
    'sort -t, -k2,2n a',
    'zstd -l a.zst',
    'xz -l a.xz',
  ])('%s', line => {
    expect(touched(line)).not.toContain('opaque')
    expect(marked(line, 'onlyReads')).toEqual(runs(line))
  })
})

describe('files that programs write by rarer words', () => {
  it.each([
    'git interpret-trailers --in-place f --trailer a=b',
    'git interpret-trailers --in-pl f --trailer a=b',
    'git init --separate-git-dir=f x',
    'git clone --separate-git-dir f a b',
    'curl -T b file:///f',
    'curl --upload-file b file://localhost/f',
    'python3 -m uu b f',
    'python3 -m uu -d b f',
    'cpp b f',
    'as -o f b',
    'objcopy -I binary b f',
    'ar rcs f b',
    'ar -r f b',
    'ln --target-directory=f b',
    'ln --target=f b',
    'tar Af f a.tar',
    'TAPE=f tar c b',
    'NODE_REDIRECT_WARNINGS=f node b.js',
    'ld -Map=f b',
    'as -al=f b',
    'as -adhln=f b',
    'python3 -m zipfile -c f b',
    'python3 -m tarfile --create f b',
  ])('%s', line => {
    expect(touched(line).map(act => act.replace(' /f', ' f').replace(' f/b', ' f'))).toContain('write f')
  })

  it('a file URL of which only the beginning is known', () => {
    expect(touched('curl -T b "file://$X/f"')).toContain('write ?')
  })
})

describe('code in options, and in values that begin like something else', () => {
  it.each([
    "zip -T -TT'rm f #' x.zip b",
    "zip -qTTT 'rm f #' x.zip b",
    "zip x.zip b -T --unz='rm f #'",
    "perl '-Mstrict;system(1)' b",
    "perl -w '-mre qx{rm f}' b",
    "perl '-d:Trace;unlink(1)' b",
    "gdb -batch -eval 'shell rm f'",
    "gdb -batch --ev='shell rm f'",
    "gdb -batch -ie 'shell rm f'",
    'gdb -batch -x f',
    'sftp -b f host',
    'install -s --strip-program=./x b c',
    'install --strip-p ./x -s b c',
    'cpio -o -F host:f --rsh-command=./x',
    "make 'x:=$(shell rm f)'",
    "make 'x!=rm f'",
    "make x.o CC='echo; rm f'",
    'make SHELL=./x',
    'make .SHELLFLAGS=-x',
    "make -f <(echo 'a:;rm f')",
  ])('%s', line => {
    expect(touched(line)).toContain('opaque')
  })
  it.each([
    'perl -MList::Util=first,sum -w b.pl',
    'perl -Mlib=. -d:NYTProf b.pl',
    'gdb -batch b core',
    'gdb --args b -c',
    'make SHELL=/bin/bash test',
    "make CFLAGS='-O2 -g' all",
    'make V=1 -j8',
  ])('%s', line => {
    expect(touched(line)).not.toContain('opaque')
  })
  it('a variable of make that begins like a command', () => {
    expect(runs("make x.o CC='git push'")).toContain('git push')
  })

  it.each([
    ['ssh-keygen -t ed25519 -f k', 'write k'],
    ['ssh-keygen -lf k', 'read k'],
    ['ssh-keygen -F host -f k', 'read k'],
    ['ssh-keygen -l -f k -R host', 'write k'],
    ['ssh-keygen -y -f k', 'write k'],
  ])('%s: %s', (line, act) => {
    expect(touched(line)).toContain(act)
  })
})
