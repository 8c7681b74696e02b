import { describe, expect, it } from 'vitest'
import { isCleared } from '../../scripts/fuzz/verdict.mjs'
import { analyseShellLine } from '../../src/engine/shell/index.ts'

describe('options of a shell and variables that change what a line means', () => {
  it.each([
    "set -o promptsubst; PROMPT4='$(touch P)'; set -x; ls",
    "set -o globsubst; x='b(e:touch P:)'; ls $x",
    'set -o history -o histexpand\necho \'";rm -rf src;"\'\necho "!!:1"',
    'set -H; ls',
    'set -k; ls',
    'shopt -s expand_aliases; ls',
    'shopt -u interactive_comments; ls',
    'shopt -so keyword; ls',
    "zsh -o globsubst -c 'ls $1' x 'b(e:touch P:)'",
    'zsh -o GLOB_SUBST -c ls',
    'zsh -oglobsubst -c ls',
    'zsh --globsubst -c ls',
    "bash +O interactive_comments -ic 'ls # ; touch P'",
    "PROMPT4='$(touch P)' zsh -xc ls",
    "PS4='$(touch P)' bash -xc ls",
    'set -ooo errtrace history histexpand\necho \'";rm -rf src;"\'\necho "!!:1"',
    'set -eoo pipefail history; set -eoo pipefail histexpand; ls',
    'builtin set -oo nounset histexpand; ls',
    'bash -oo nounset histexpand -c ls',
    "options[globsubst]=on; x='README.md(e:rm -rf src:)'; ls $x",
    "options+=(globsubst on)\nx='README.md(e:rm -rf src:)'; ls $x",
    "HISTCHARS='!^X'; eval 'ls # ; touch P'",
    "STTY='; touch P' ls",
    "MAILPATH='b?$(touch P)'; ls",
    "PROMPT_EOL_MARK='$(touch P)' ls",
    'chpwd_functions=(touch); cd src',
    'POSIXLY_CORRECT=1 uniq b -c',
    'uniq -- $(echo README.md out)',
    'uniq ./[ab]*',
    'xxd ./[ab]*',
    'set -- b a.txt; uniq -- "$@"',
    `x=(b a.txt); uniq -- "\${x[@]}"`,
    'sh -c \'uniq -- "$@"\' x b a.txt',
    'GCONV_PATH=. iconv -f PWN README.md',
    'AWKLIBPATH=. awk 1 README.md',
  ])('%j is not cleared', line => expect(isCleared(analyseShellLine(line))).toBe(false))

  it.each([
    'set -euo pipefail; ls',
    'set -eEuo pipefail; ls',
    'set -x; git status',
    'set -- a b; ls',
    'shopt -s globstar nullglob; ls **/*.ts',
    'shopt expand_aliases; ls',
    "bash -lc 'git status'",
    "bash --norc -euo pipefail -c 'ls'",
    "bash -O globstar -c 'ls **'",
    "zsh -o ERR_EXIT -c 'ls'",
    'sort a | uniq -c',
    'uniq -c -- "$f"',
    'xxd a | head',
  ])('%j is', line => expect(isCleared(analyseShellLine(line))).toBe(true))
})
