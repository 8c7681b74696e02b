import { parse } from 'unbash'
import { describe, expect, it } from 'vitest'
import {
  createCrossCheck,
  crossCheckCommand,
  crossCheckSubstitution,
  isCrossCheckComplete,
} from '../../src/engine/shell/interpreter/effect-collector.ts'
import { scanScript } from '../../src/engine/shell/scan/command-list.ts'

/** The first command of the line's tree. */
function commandOf(line: string) {
  const command = parse(line).commands[0]?.command
  if (command?.type !== 'Command') throw new Error('no simple command')
  return command
}

const checkOf = (line: string) => createCrossCheck(line) ?? expect.unreachable('a doubt')

describe('what the text holds against what was walked', () => {
  it('is complete when every word and every substitution was walked', () => {
    const check = checkOf('echo a b')
    crossCheckCommand(check, commandOf('echo a b'))
    expect(isCrossCheckComplete(check)).toBe(true)
  })
  it('lacks a substitution that nobody walked', () => {
    const check = checkOf('echo "$(a)"')
    crossCheckCommand(check, commandOf('echo "$(a)"'))
    expect(isCrossCheckComplete(check)).toBe(false)
  })
  it('lacks a command that nobody walked', () => {
    const check = checkOf('echo a; rm b')
    crossCheckCommand(check, commandOf('echo a; rm b'))
    expect(isCrossCheckComplete(check)).toBe(false)
  })
  it('differs where a word ends elsewhere', () => {
    const check = checkOf('echo a;b')
    crossCheckCommand(check, commandOf(`echo 'a;b'`))
    expect(isCrossCheckComplete(check)).toBe(false)
  })
  it('differs where two commands were walked as one', () => {
    const check = checkOf('echo a;rm b')
    crossCheckCommand(check, commandOf('echo a rm b'))
    expect(isCrossCheckComplete(check)).toBe(false)
  })
  it('differs where a substitution was walked that is text', () => {
    const check = checkOf(`echo '$(a)'`)
    crossCheckCommand(check, commandOf(`echo '$(a)'`))
    crossCheckSubstitution(check, 6, undefined)
    expect(isCrossCheckComplete(check)).toBe(false)
  })
  it('differs where backticks hold another text than was walked', () => {
    const check = checkOf('echo `a \\`b\\``')
    crossCheckCommand(check, commandOf('echo `a \\`b\\``'))
    crossCheckSubstitution(check, 5, 'a b')
    expect(isCrossCheckComplete(check)).toBe(false)
  })
})

describe('the scan', () => {
  it.each([
    ['echo $(a "$(b)") `c` <(d)', [5, 10, 17, 21]],
    [`echo '$(a)' "\\$(b)" \\$\\(c\\) # $(d)`, []],
    [`cat <<'E'\n$(a)\nE\ncat <<E\n$(b)\nE`, [25]],
    ['case $(a) in (b|c) d $(e);; *) f;; esac', [5, 21]],
    [`if [[ $(a) =~ ^x(y|z)$ ]]; then echo \${x:-$(b)}; fi`, [6, 42]],
    ['x=(a $(b)) y[1]=$(c) d', [5, 16]],
    [`echo $((1 + $(a))) \${x[$(b)]}`, [12, 23]],
  ])('finds where code begins in %s', (line, openings) => {
    expect([...(scanScript(line)?.openings.keys() ?? [])].sort((a, b) => a - b)).toEqual(openings)
  })
})
