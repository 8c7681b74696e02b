import { describe, expect, it } from 'vitest'
import { analyseShellLine } from '../../src/engine/shell/index.ts'
import { marked, runs, touched } from './action-text.ts'

const writes = (line: string): string[] => touched(line).filter(act => !act.startsWith('read'))

describe('a write to the path of a descriptor', () => {
  it.each([
    ['echo x < f > /dev/stdin', ['write f']],
    ['echo x > /dev/stdin < f', ['write ?']],
    ['echo x 3< f > /dev/fd/3', ['write f']],
    ['echo x 3< f >> /proc/self/fd/3', ['write f']],
    ['echo x 3< f > /proc/thread-self/fd/3', ['write f']],
    ['echo x 3< f > /proc/self/task/12/fd/3', ['write f']],
    ['echo x 3< f > /proc/12/fd/3', ['write f', 'write ?']],
    ['echo x 3< f > /proc/$$/fd/3', ['write ?', 'write f', 'write ?']],
    ['echo x 3< f > /dev/fd/$n', ['write ?', 'write f', 'write ?']],
    ['echo x 3< f > /dev//fd/3', ['write f']],
    ['echo x 3< f > /dev/./fd/3', ['write f']],
    ['echo x 3< f > /dev/../dev/fd/3', ['write /dev/../dev/fd/3', 'write f']],
    ['echo x < f > /dev/std?n', ['write /dev/std?n (glob)', 'write f', 'write ?']],
    ['cd /dev && echo x < /a/f > stdin', ['write /a/f']],
    ['cd /dev/fd && echo x 3< /a/f > 3', ['write /a/f']],
    ['echo x 3< dir > /dev/fd/3/f', ['write dir/f']],
    ['tee /dev/stdin < f', ['write f']],
    ['tee -a /dev/fd/5 5< f <<< x', ['write f']],
    ['sort -o /dev/stdin a < f', ['write f']],
    ['git log --output=/dev/stdin < f', ['write f']],
    ['find . -fprint /dev/stdin < f', ['write f']],
    ['dd of=/dev/stdin < f', ['write f']],
    ['truncate -s0 /dev/stdin < f', ['write f']],
    ['sudo tee /dev/stdin < f', ['write f']],
    ["bash -c 'echo x > /dev/stdin' < f", ['write f']],
    ['find . -exec tee /dev/stdin \\; < f', ['write f']],
    ['{ echo x > /dev/stdin; } < f', ['write f']],
    ['(echo x > /dev/fd/3) 3< f', ['write f']],
    ['while read x; do echo x > /dev/stdin; done < f', ['write f']],
    ['exec 3< f; echo x > /dev/fd/3', ['write f']],
    ['command exec 3< f; echo x > /dev/fd/3', ['write f', 'write ?']],
    ["eval 'exec 3< f'; echo x > /dev/fd/3", ['write f']],
    ['if a; then exec 3< f; fi; echo x > /dev/fd/3', ['write f', 'write ?']],
    ['exec {fd}< f; echo x > /dev/fd/10', ['write f', 'write ?']],
    ['exec {fd}< f; echo x > /dev/fd/$fd', ['write ?', 'write f', 'write ?']],
    ['echo x 3< f 4<&3 > /dev/fd/4', ['write f']],
    ['echo x 3< f 4<&3- > /dev/fd/4', ['write f']],
    ['echo x < f 4< /dev/stdin > /dev/fd/4', ['write f']],
    ['tee /dev/stdout 1< f', ['write f', 'write f']],
    ['tee /dev/stderr 3< f 2>&3', ['write f', 'write f']],
    ['g() { echo x > /dev/stdout; }; g 1< f', ['write f']],
    ['ln -s /dev/stdin l; tee l < f', ['write l', 'write f']],
    ['tee /dev/fd/7', ['write ?']],
    ['tee /dev/stdin', ['write ?']],
    ['a > /dev/stdin', ['write ?']],
    ['tee /dev/fd/3 3< "$x"', ['write ?']],
  ])('%s', (line, expected) => {
    const acts = writes(line)
    for (const act of expected) expect(acts).toContain(act)
  })
})

describe('a copy of a descriptor has a number', () => {
  it.each([
    ['a 1>&f', ['write f']],
    ['a 01>&f', ['write f']],
    ['a 2>&f', ['write f']],
    ['a 3>&f', ['write f']],
    ['a {fd}>&f', ['write f']],
    ['a 1>&$(echo f)', ['opaque', 'write ?']],
    ['a 2>&"$x"', ['opaque', 'write ?']],
    ['a 1>&f-', ['write f-']],
    ['a >()2>&f', ['opaque', 'write f']],
    ['a 2>&1 3>&- <&0 <&-', []],
    ['a 4>&3-', ['write 3-']],
    ['a 4<&f', ['write f']],
    ['a <&f', ['write f']],
    ['tee 01<<< x', ['write 01']],
    ['tee {x}< a', ['write {x}']],
    ['a >!f', ['opaque', 'write !f', 'write f']],
    ['a >>!f', ['opaque', 'write !f', 'write f']],
  ])('%s', (line, expected) => {
    expect(writes(line)).toEqual(expected)
  })
  it.each(["a 1>&'$(rm f)'", "a >&'`rm f`'", 'a 2>&\\$x'])('%s is expanded twice', line => {
    expect(touched(line)).toContain('opaque')
  })
  it.each(['a >! f', 'a >>! f'])('%s names another file to zsh', line => {
    expect(analyseShellLine(line).readable).toBe(false)
  })
})

describe('everyday lines write nothing', () => {
  it.each([
    'sort -u f > /dev/null 2>&1',
    'echo x > /dev/stderr',
    'echo x >&2',
    'cat a | tee /dev/stderr',
    'cat a | tee /dev/tty | wc -l',
    'ls 2> /dev/null',
    'cat /dev/stdin < a',
    'cat < a',
    'diff /dev/stdin b < a',
    'cat <<E | sort\nx\nE',
    '{ ls; echo x > /dev/stderr; } 2>&1 | head',
    'while read -r x; do echo "$x" >&2; done < a',
    'tee /dev/stdin <<< x',
    '{ cat a | tee /dev/fd/3; } 3>&1',
  ])('%s', line => {
    expect(touched(line).filter(act => !act.startsWith('read'))).toEqual([])
    expect(marked(line, 'onlyReads')).toEqual(runs(line))
  })
})

describe('the word that ends a heredoc', () => {
  it.each(['cat <<- `;rm f', 'cat <<$(x)\na\n$(x)', 'cat <<E"O"F\na\nEOF', "cat <<$'E'\na\nE", 'cat <<E\\F\na\nEF'])(
    '%s is not the same to every shell',
    line => {
      expect(analyseShellLine(line).readable).toBe(false)
    },
  )
  it.each(['cat <<E\na\nE', "cat <<'E'\na\nE", 'cat <<"E F"\na\nE F', 'cat <<\\E\na\nE', 'cat <<-END_1.2\na\nEND_1.2'])(
    '%s',
    line => {
      expect(analyseShellLine(line).readable).toBe(true)
      expect(marked(line, 'onlyReads')).toEqual(['cat'])
    },
  )
})
