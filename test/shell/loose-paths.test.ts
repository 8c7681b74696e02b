import { describe, expect, it } from 'vitest'
import { isCleared } from '../../scripts/fuzz/verdict.mjs'
import { analyseShellLine } from '../../src/engine/shell/index.ts'
import { told, touched } from './action-text.ts'

describe('a folder that `cd` enters by a variable or an option', () => {
  it.each([
    ['HOME=.claude cd; rm a', 'delete .claude/a'],
    ['HOME=.claude command cd; rm a', 'delete .claude/a'],
    ["HOME=.claude bash -c 'cd; rm a'", 'delete .claude/a'],
    ['CDPATH=.claude; cd z; rm a', 'delete .claude/z/a'],
    ['CDPATH=.claude cd z; rm a', 'delete .claude/z/a'],
    ["CDPATH=.claude bash -c 'cd z; rm a'", 'delete .claude/z/a'],
    ['export CDPATH=.claude:/x; cd z; rm a', 'delete .claude/z/a'],
    ['d=.claude; shopt -s cdable_vars; cd d; rm a', 'delete .claude/a'],
    ['d=.claude; setopt cdablevars; cd d/x; rm a', 'delete .claude/x/a'],
    ['d=.claude; set -o CDABLE_VARS; cd d; rm a', 'delete .claude/a'],
  ])('%j', (line, act) => {
    expect(touched(line)).toContain(act)
    expect(touched(line)).toContain('delete ?')
  })

  it.each([
    'cdpath=(.claude); cd z; rm a',
    'CDPATH=$X; cd z; cd ..; rm a',
    'read CDPATH; cd z; rm a',
    'HOME=$X cd; rm a',
    'setopt -T; cd d; rm a',
    'shopt -s $X; cd d; rm a',
  ])('%j: an unknown one', line => expect(touched(line)).toContain('delete ?'))

  it.each([
    'CDPATH= cd z && rm a',
    'CDPATH=.claude; cd ./z && rm a',
    'unset CDPATH; cd z && rm a',
    'setopt nullglob; cd z && rm a',
    'shopt -s globstar; cd z && rm a',
  ])('%j: the one that it names', line => expect(touched(line)).not.toContain('delete ?'))
})

describe('what a wildcard matches with an option or a variable', () => {
  it.each([
    ['GLOBIGNORE=x; rm */a', 'delete .*/a (glob)'],
    ['shopt -s dotglob; rm */a', 'delete .*/a (glob)'],
    ['shopt -s dotglob; cd */; rm a', 'delete .*/a (glob)'],
    ['setopt GLOB_DOTS; rm */a', 'delete .*/a (glob)'],
    ['emulate zsh -o globdots; rm */a', 'delete .*/a (glob)'],
    ["bash -O dotglob -c 'rm */a'", 'delete .*/a (glob)'],
    ["zsh -o globdots -c 'rm */a'", 'delete .*/a (glob)'],
    ['setopt braceccl; rm .claud{d-f}/a', 'delete .claud*/a (glob)'],
    ['setopt extendedglob; rm .cla^x/a', 'delete .cla*/a (glob)'],
    ['setopt extendedglob; rm -rf ^src', 'delete .* (glob)'],
  ])('%j', (line, act) => expect(told(line)).toContain(act))

  it.each(['shopt -s nocaseglob; rm .CLAUDE*/A', 'setopt nocaseglob; rm .CLAUDE*/A', 'unsetopt case_glob; rm .C*/A'])(
    '%j ignores case',
    line => {
      const places = analyseShellLine(line).acts.flatMap(({ place }) => place ?? [])
      expect(places).toContainEqual(expect.objectContaining({ foldCase: true, glob: true }))
    },
  )

  it.each(['shopt -u dotglob; rm */a', 'shopt dotglob; rm */a', 'GLOBIGNORE=; rm */a', 'shopt -s nullglob; rm */a'])(
    '%j: no more than usual',
    line => expect(touched(line)).toEqual(['delete */a (glob)']),
  )
})

describe('modules of python that run code', () => {
  it.each([
    'python3 -m timeit "x"',
    'python3 -mtimeit x',
    'python3 -m code <<< x',
    'python3 -m cProfile -m timeit x',
    "python3 -m pdb -c '!x' a.py",
    'python3 -m runpy a',
    'python3 -m trace --count --module timeit x',
    'python3 -m $M x',
    'python3 -m pdb a.py <<< x',
  ])('%j is opaque', line => expect(touched(line)).toContain('opaque'))

  it.each(['python3 -m pytest -q', 'python3 -m cProfile -s cumtime a.py', 'python3 -m trace --count a.py'])(
    '%j is not',
    line => expect(touched(line)).not.toContain('opaque'),
  )
})

describe('files that an operand or an option names, and that are written', () => {
  it.each([
    'uniq +1 a S',
    'uniq --skip-f 1 a S',
    'uniq --skip-fields 1 a S',
    'uniq --skip-fields=1 a S',
    'gcc -MF S -MD -E -x c /dev/null',
    'gcc -MMD -MFS -c a.c',
    'clang -MD -MF S -c a.c',
    'x86_64-linux-gnu-gcc-13 -MD -MF S -c a.c',
    'cc -Wp,-MD,S -c a.c',
    'g++ -Wl,-Map=S a.c',
    'gcc -fdump-tree-all=S a.c',
    'gcc -o S a.c',
    'node --snapshot-blob S --build-snapshot a.js',
    'node --snapshot-blob=S --build-snapshot a.js',
    'node --diagnostic-dir=S a.js',
    'node --heap-prof --heap-prof-name S a.js',
    'node --redirect-warnings=S a.js',
    'node --report-filename S a.js',
    'node --trace-event-file-pattern S a.js',
    'node --localstorage-file S a.js',
    'node --test --test-reporter-destination S',
  ])('%j', line => {
    expect(touched(line)).toContain('write S')
    expect(isCleared(analyseShellLine(line))).toBe(false)
  })

  it.each(['gcc -save-temps a.c', 'gcc --coverage a.c', 'clang -fdump-record-layouts a.c'])(
    '%j writes files it does not name',
    line => expect(touched(line)).toContain('write ?'),
  )

  it.each(['gcc -MT S -c a.c', 'node --snapshot-blob S a.js', 'uniq -c S', 'uniq +1 S'])('%j does not', line =>
    expect(touched(line)).not.toContain('write S'),
  )
})
