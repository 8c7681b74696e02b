import { describe, expect, it } from 'vitest'
import { marked, runs, touched } from './action-text.ts'

/** Each is run by bash, zsh or mksh when a builtin takes the word for a name or a number. */
const CODES = ['b[$(rm f)]', 'b[0*$(rm f)]', 'b[a$(rm f)]', 'b[`rm f`]', `b[\${x:-$(rm f)}]`, 'b[c[$(rm f)]]']

describe('code in an index that stands in quotes', () => {
  it.each(CODES)('%s', code => {
    const lines = [
      `test -v '${code}'`,
      `[ -v '${code}' ]`,
      `[ -R '${code}' ]`,
      `[ -t '${code}' ]`,
      `[ '${code}' -eq 0 ]`,
      `test 1 -lt '${code}'`,
      `[ -f x -a '${code}' -gt 1 ]`,
      `[[ -v '${code}' ]]`,
      `[[ -t '${code}' ]]`,
      `[[ '${code}' -eq 0 ]]`,
      `[[ a == b || 0 -lt '${code}' ]]`,
      `[[ ! ( -v '${code}' ) ]]`,
      `unset '${code}'`,
      `unset -v '${code}'`,
      `read '${code}' <<< x`,
      `read -t '${code}' x <<< x`,
      `declare '${code}=x'`,
      `declare -a '${code}'`,
      `typeset '${code}=x'`,
      `local '${code}=x'`,
      `export '${code}=x'`,
      `readonly '${code}=x'`,
      `integer '${code}=x'`,
      `declare -i x='${code}'`,
      `printf -v '${code}' x`,
      `printf '-v${code}' x`,
      `printf %d '${code}'`,
      `printf '%s %x' a '${code}'`,
      `printf '%*s' '${code}' a`,
      `wait -p '${code}'`,
      `wait -n -p '${code}'`,
      `wait '-np${code}'`,
      `mapfile '${code}' < a`,
      `readarray -t '${code}' < a`,
      `getopts a '${code}'`,
      `let '${code}'`,
      `let x=1 '${code}++'`,
      `exit '${code}'`,
      `return '${code}'`,
      `shift '${code}'`,
      `while a; do break '${code}'; done`,
      `set -A '${code}' x`,
      `print -v '${code}' x`,
      `command test -v '${code}'`,
      `builtin unset '${code}'`,
      `x='${code}'; test -v "$x"`,
      `x='${code}'; exit $x`,
      `ls {b['${code}']}> /dev/null`,
    ]
    expect(lines.filter(line => !touched(line).includes('opaque'))).toEqual([])
  })

  it.each([
    "let '$(rm f)'",
    'x=$(cat f); let x',
    'x=$(cat f); test -v "b[x]"',
    "(('b[$(rm f)]'))",
    "echo $(('b[$(rm f)]'))",
  ])('%s', line => {
    const all = runs(line)
    expect(touched(line).includes('opaque') || marked(line, 'onlyReads').length < all.length).toBe(true)
  })

  it.each([
    'x=$(cat f); exit $x',
    'x=$(cat f); printf %d "$x"',
    'printf %d "$(cat f)"',
    'shift $1',
    'read x < f; exit $x',
  ])('%s, whose number nobody can read', line => {
    expect(marked(line, 'onlyReads').length).toBeLessThan(runs(line).length)
  })
})

describe('everyday names and numbers', () => {
  it.each([
    'test -v x',
    '[[ -v a[0] ]]',
    "[[ -v 'a[1]' ]]",
    '[[ $x -eq 1 ]]',
    '[ "$x" -eq 1 ]',
    '[ -t 1 ]',
    '[[ -t 0 ]]',
    '[[ "$x" == *"[$y]"* ]]',
    "unset 'a[1]'",
    'unset x y',
    'declare -A m=([a]=1)',
    "declare 'a[0]=x'",
    "export X='[$b]'",
    'read -r a b < f',
    'mapfile -t a < f',
    'exit $?',
    'exit 1',
    'rc=$?; exit $rc',
    'exit "$rc"',
    'shift 2',
    'shift $((OPTIND - 1))',
    "printf '%s\\n' '[ $x ]'",
    "printf '%d\\n' 3",
    "printf '[%s] 100%%\\n' x",
    "set -- 'a[$b]'",
    'wait',
    'wait -n',
  ])('%s', line => {
    expect(touched(line)).not.toContain('opaque')
    expect(marked(line, 'onlyReads')).toEqual(runs(line))
  })
})
