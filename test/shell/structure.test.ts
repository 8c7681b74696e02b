import { describe, expect, it } from 'vitest'
import { analyseShellLine } from '../../src/engine/shell/index.ts'
import { runs, told } from './action-text.ts'

describe('every simple command of a line becomes a run act', () => {
  const cases: [string, string[]][] = [
    ['a', ['a']],
    ['a x && b y', ['a x', 'b y']],
    ['a || b', ['a', 'b']],
    ['a; b', ['a', 'b']],
    ['a\nb', ['a', 'b']],
    ['a & b &', ['a', 'b']],
    ['a | b | c', ['a', 'b', 'c']],
    ['a |& b', ['a', 'b']],
    ['(a; b)', ['a', 'b']],
    ['{ a; b; }', ['a', 'b']],
    ['! a', ['a']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['for i in 1 2; do a; done', ['a']],
    ['for ((i=$(a); i<3; i++)); do b; done', ['a', 'b']],
    ['while a; do b; done', ['a', 'b']],
    ['until a; do b; done', ['a', 'b']],
    ['select x in 1 2; do a; done', ['a']],
    ['case $(a) in x) b;; y|z) c;; esac', ['a', 'b', 'c']],
    ['f() { a; }', ['a']],
    ['function f { a; }; f', ['a', 'f']],
    ['f() ( a )', ['a']],
    ['((git push))', ['git push']],
    ['((x + 1))', []],
    ['((x++))', []],
    ['coproc a', ['a']],
    ['coproc N { a; }', ['a']],
    ['a $(b)', ['a ?', 'b']],
    ['a `b`', ['a ?', 'b']],
    ['a "$(b "$(c)")"', ['a ?', 'b ?', 'c']],
    ['a "`b \\"x\\"`"', ['a ?', 'b x']],
    ['a <(b) >(c)', ['a ? ?', 'b', 'c']],
    ['a $((1 + $(b)))', ['a ?', 'b']],
    ['(( x = $(a) ))', ['a']],
    [`a \${x:-$(b)}`, ['a ?', 'b']],
    [`a "\${x:=\`b\`}"`, ['a ?', 'b']],
    [`a \${x/$(b)/$(c)}`, ['a ?', 'b', 'c']],
    ['x=$(a)', ['', 'a']],
    ['x=(1 $(a))', ['', 'a']],
    ['x[$(a)]=1', ['', 'a']],
    ['x=$(a) b', ['b', 'a']],
    ['a > $(b)', ['a', 'b']],
    ['a <<< "$(b)"', ['a', 'b']],
    ['a <<E\n$(b)\nE', ['a', 'b']],
    ['a <<-E\n\t`b`\n\tE', ['a', 'b']],
    ['[[ -f $(a) && $(b) == x ]]', ['a', 'b']],
    ['a {x,$(b)}', ['a ?', 'b']],
    ['{ a; } > $(b)', ['a', 'b']],
    ['time a', ['time a', 'a']],
    ['a $(( b ))', ['a ?']],
  ]
  it.each(cases)('%j', (line, expected) => {
    expect(runs(line)).toEqual(expected.map(command => command))
  })
})

describe('text that is not run is data', () => {
  it.each([
    ["echo 'rm x; $(rm y)'", ['run echo rm x; $(rm y)']],
    ['echo "rm x"', ['run echo rm x']],
    ['echo a # ; rm x', ['run echo a']],
    ['# rm x', []],
    ["cat <<'E'\n$(rm x)\nE", ['run cat']],
    ['cat <<"E"\n`rm x`\nE', ['run cat']],
    ['cat <<\\E\n$(rm x)\nE', ['run cat']],
    ['echo \\$\\(rm x\\)', ['run echo $(rm x)']],
    ['git commit -m "rm -rf / && x"', ['run git commit -m rm -rf / && x']],
    ['', []],
    ['   \n ', []],
  ])('%j', (line, expected) => {
    expect(told(line)).toEqual(expected)
  })
})

describe('where an act was read from', () => {
  it('is the slice of its own simple command', () => {
    const acts = analyseShellLine('cd app && bash -c "npm test; rm x"').acts
    expect(acts.map(act => act.via)).toEqual(['cd app', 'bash -c "npm test; rm x"', 'npm test', 'rm x', 'rm x'])
  })
  it('holds inside escaped backticks', () => {
    expect(analyseShellLine('a `b \\`c d\\``').acts.map(act => act.via)).toEqual(['a `b \\`c d\\``', 'b `c d`', 'c d'])
  })
  it('is whole: whoever tells or keeps it cuts it, after its secrets are hidden', () => {
    const line = `echo ${'x'.repeat(500)}`
    expect(analyseShellLine(line).acts[0]?.via).toBe(line)
  })
})
