import { describe, expect, it } from 'vitest'
import { marked } from './action-text.ts'

describe('implied: the line succeeds only if the command did', () => {
  it.each([
    ['a', ['a']],
    ['a && b', ['a', 'b']],
    ['a; b', ['b']],
    ['a\nb && c', ['b', 'c']],
    ['a || b', []],
    ['a && b || c', []],
    ['a || b && c', []],
    ['a || true', []],
    ['a | b', ['b']],
    ['a |& tail', ['tail']],
    ['set -o pipefail; a | b', ['a', 'b']],
    ['set -euo pipefail; a | b; c', ['a', 'b', 'c']],
    ['set -e; a; b', ['a', 'b']],
    ['set -e\na && b\nc', ['c']],
    ['set -e; a || true; b', ['b']],
    ['set -e; set +e; a; b', ['set +e', 'b']],
    ['(set -e; a; b) && c', ['b', 'c']],
    ['! a', []],
    // to dash it is another script, which may make a function of that name
    ["eval $'x' && b", ['eval x']],
    ['a &', []],
    ['a & b', ['b']],
    ['(a)', ['a']],
    ['(a; b)', ['b']],
    ['{ a && b; }', ['a', 'b']],
    ['{ a; } || b', []],
    // what comes out of it may be `--help`
    ['b $(a)', []],
    ['b -- $(a)', ['b -- ?']],
    ['if a; then b; fi', []],
    ['while a; do b; done', []],
    ['for i in 1; do a; done', []],
    ['case x in x) a;; esac', []],
    ['f() { a; }', []],
    ['env A=1 a', ['env A=1 a', 'a']],
    ["bash -c 'a; b'", ['bash -c a; b', 'b']],
    ["bash -ec 'a; b'", ['bash -ec a; b', 'a', 'b']],
    ["bash -c 'a | b'", ['bash -c a | b', 'b']],
    ["bash -o pipefail -c 'a | b'", ['bash -o pipefail -c a | b', 'a', 'b']],
    ["eval 'a && b'", ['eval a && b', 'a', 'b']],
    ['signalbox run -- a x', ['signalbox run -- a x', 'a x']],
    ['xargs a', ['xargs a']],
    ['watch a', ['watch a']],
    ['setsid a', ['setsid a']],
    ['timeout 5 a && b', ['timeout 5 a', 'a', 'b']],
    ['a > f', ['a']],
    ['a < f | b', ['b']],
  ])('%j', (line, expected) => {
    expect(marked(line, 'implied')).toEqual(expected)
  })
  it.each([
    'exit 0; a',
    'exit && a',
    'exec true && a',
    'true || exit 0; a',
    'trap "exit 0" EXIT; a',
    '. ./x && a',
    '$X && a',
  ])('not after the shell may have ended: %j', line => {
    expect(marked(line, 'implied')).not.toContain('a')
  })
  it.each([
    'a() { :; }; a',
    'alias a=true; a',
    'set -n; a',
    "eval 'exit 0'; a",
    '[ -f x ] && exit 0; a',
    'shopt -s x; a',
  ])('not where the name may mean something else: %j', line => {
    expect(marked(line, 'implied')).not.toContain('a')
  })
  it('still after an exit that is a failure', () => {
    expect(marked('cd x || exit 1; a', 'implied')).toEqual(['a'])
    expect(marked('(exit 0) && a', 'implied')).toEqual(['exit 0', 'a'])
    expect(marked('x || exit 256; a', 'implied')).toEqual([])
  })
  it('never when the line runs in the background', () => {
    expect(marked('a && b', 'implied', true)).toEqual([])
    expect(marked('a', 'decides', true)).toEqual([])
  })
})

describe('decides: the line is this one command', () => {
  it.each([
    ['a', ['a']],
    ['sudo a', ['sudo a', 'a']],
    ["bash -c 'a'", ['bash -c a', 'a']],
    ['signalbox run -- a', ['signalbox run -- a', 'a']],
    ['(a)', ['a']],
    ['a > f', ['a']],
    ['a && b', []],
    ['a; b', []],
    ['a | b', []],
    ['! a', []],
    ['a &', []],
    ['a || b', []],
    ["bash -c 'a; b'", ['bash -c a; b']],
    ['xargs a', ['xargs a']],
  ])('%j', (line, expected) => {
    expect(marked(line, 'decides')).toEqual(expected)
  })
})
