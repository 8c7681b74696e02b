import type { Action } from '../../model/event.ts'
import { literalArg } from '../calls/argument.ts'
import { resolveArgumentPaths } from '../scope/path-resolution.ts'
import type { ShellScope } from '../scope/shell-scope.ts'
import { isDigits } from '../scope/variable-risk.ts'

/**
 * Dash knows neither `((` nor `[[`. It reads `((` as two subshells and `[[` as the name of a program. In both, text behind
 * `||` or a parenthesis is a command, and the word behind `>` is a file that dash writes.
 */

const QUOTED = /'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g

/** Masks operators in quotes, which are plain text, and joins continued lines. */
const maskQuotedOperators = (text: string): string =>
  text.replaceAll('\\\n', '').replace(QUOTED, quoted => quoted.replace(/[|&;()<>\n]/g, '_').replace(/'/g, '"'))

const WRITTEN_FILE = />+\|?[ \t]*([^\s<>&|;()'`\\]+)/g

/** Files named behind a `>` comparison, as possible writes. */
export function writesOfDashComparisons(text: string, scope: ShellScope, line: string): readonly Action[] {
  if (!text.includes('>')) return []
  const names = [...maskQuotedOperators(text).matchAll(WRITTEN_FILE)].flatMap(([, word = '']) =>
    fileNamesOf(word, scope, line),
  )
  return [...new Set(names)].flatMap(name =>
    resolveArgumentPaths({ ...literalArg(name), glob: name === ANY_NUMBER || name === ANY_NAME }, scope, 'write').map(
      (place): Action => ({ action: 'write', place, via: text }),
    ),
  )
}

const ANY_NUMBER = '[0-9]*'
const ANY_NAME = '*'

/** Possible file names: `5`, or the value of `$x`, which is a number in a comparison. A variable the line never sets is empty. */
function fileNamesOf(word: string, { vars, ever }: ShellScope, line: string): readonly string[] {
  const name = /\$\{?([A-Za-z_]\w*|[#?$!])/.exec(word)?.[1]
  if (name === undefined) return [word]
  const value = vars.get(name)
  if (value !== undefined) return value === '' ? [] : [value]
  if (ever.names.has(name) || ever.taints.has(name)) return [ANY_NAME]
  return /^\W/.test(name) || new RegExp(`\\b${name}\\b(?=.*\\b${name}\\b)`, 's').test(line) ? [ANY_NUMBER] : []
}

const COMMAND_WORDS = /(?<=^|[|&;(\n])[\s!(]*([^\s|&;()<>]+)/g

/** True if a variable in `((text))` may name a command that cannot be read. */
export const mayArithmeticRun = (text: string, scope: ShellScope, line: string): boolean =>
  text.includes('$') && mayRunVariable(maskQuotedOperators(text), scope, line)

/** The same check for `[[ text ]]`. `[[` fails in dash, so only text behind `||` runs, or behind `&&` if `!` or `||` comes before. */
export function mayTestRun(text: string, before: string, scope: ShellScope, line: string): boolean {
  if (!text.includes('$')) return false
  const plain = maskQuotedOperators(text)
  const mayBeSkipped = /!|\|\|/.test(before.slice(before.lastIndexOf(';') + 1))
  const from = plain.search(mayBeSkipped ? /[|&;\n]/ : /\|\||[;\n]|(?<![|&])[|&](?![|&])/)
  return from !== -1 && mayRunVariable(plain.slice(from + 1), scope, line)
}

const mayRunVariable = (text: string, scope: ShellScope, line: string): boolean =>
  [...text.matchAll(COMMAND_WORDS)].some(([, word = '']) => word.includes('$') && !isNumericWord(word, scope, line))

const VARIABLE = /\$(?:\{(#?\w+|[#?$!])([^}]*)|([A-Za-z_]\w*|\d|[@*#?$!-]))/g

/** True if the word has only digits and variables, and each variable is a number or is not set by the line. */
function isNumericWord(word: string, scope: ShellScope, line: string): boolean {
  if (/[^\s\d"}=<>+*%^!-]/.test(word.replace(VARIABLE, ''))) return false
  for (const [, braced, operation = '', name = braced ?? ''] of word.matchAll(VARIABLE)) {
    if (/^[#?$!]/.test(name) && operation === '') continue
    if (operation !== '' || /^[\d@*-]/.test(name) || mayNameProgram(name, scope, line)) return false
  }
  return true
}

/** Variables that hold the name of a program without being set by the line. */
const PROGRAM_VARIABLES = /^(SHELL|BASH|EDITOR|VISUAL|PAGER|BROWSER|MANPAGER|ZSH_\w+|SUDO_COMMAND|_)$/

function mayNameProgram(name: string, { vars, varied, taints, ever, loop }: ShellScope, line: string): boolean {
  const value = vars.get(name)
  if (value !== undefined && loop === undefined && !varied.has(name)) return !isDigits(value)
  return (
    PROGRAM_VARIABLES.test(name) ||
    taints.has(name) ||
    taints.has('*') ||
    ever.names.has(name) ||
    isSetToNonNumber(name, line)
  )
}

const COUNT_VALUE = '(?:\\d*(?:[\\s;&|)]|$)|"?\\$[#?!(])'
const COUNTED_LOOP = '(?:[\\d\\s]+|\\{\\d+\\.\\.\\d+\\}|\\$\\(seq [\\d ]+\\))\\s*[;\\n]'

/** True if the line sets the variable to something other than a number. Command output is tainted or a count, so it is skipped here. */
const isSetToNonNumber = (name: string, line: string): boolean =>
  new RegExp(`(?<![\\w$]|\\$\\{)${name}(?:\\[[^\\]]*\\])?\\+?=(?!${COUNT_VALUE})`).test(line) ||
  new RegExp(`\\b(?:for|select)\\s+${name}\\b(?!\\s+in\\s+${COUNTED_LOOP})`).test(line)
