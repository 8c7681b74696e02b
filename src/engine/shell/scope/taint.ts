import type { TestExpression, Word, WordPart } from 'unbash'
import { type ArithmeticExpression, forEachChild, type ParsedScript, type SyntaxNode } from 'unbash'
import type { ShellScope } from './shell-scope.ts'

/**
 * Numbers are evaluated: `x='a[$(rm f)]'; ((x))` removes the file. A variable whose text cannot be read, such as command output,
 * may therefore run anything where a number or a name is expected. Such variables are tainted; `scope.taints` holds their names.
 */
export function taintVariable(scope: ShellScope, name: string): void {
  const { taints } = scope
  scope.ever.taints.add(name)
  if (!taints.has(name) && !taints.has(ANY_NAME))
    scope.taints = taints.size < MAX_TAINTED ? new Set([...taints, name]) : new Set([ANY_NAME])
}

/** Stands for every name, once there are more than MAX_TAINTED. */
const ANY_NAME = '*'
const MAX_TAINTED = 64

export function untaintVariable(scope: ShellScope, name: string): void {
  if (!scope.taints.has(name)) return
  const rest = new Set(scope.taints)
  rest.delete(name)
  scope.taints = rest
}

/** Records that the variable's value may be the name of another variable. */
export function noteNameValue(scope: ShellScope, name: string): void {
  const { names } = scope
  scope.ever.names.add(name)
  if (!names.has(name) && !names.has(ANY_NAME))
    scope.names = names.size < MAX_TAINTED ? new Set([...names, name]) : new Set([ANY_NAME])
}

/** `5`, `-5`, `a`, `b.ts`, `/usr/lib-x`: text without arithmetic operators. */
const NO_SUM = /^(?:-?\d+|[\w./:,@%~\s]*(?:-[\w./:,@%~\s]+)*)$/

/** True if the value may contain an array index, or may assign a variable when it is evaluated, alone or inside other text. */
export const mayHoldIndex = (value: string | null): boolean =>
  value === null || !NO_SUM.test(value) || /--\s*[A-Za-z_]/.test(value)

const SETS = /(?<!\w)[A-Za-z_]\w*\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|--)|\+\+|--\s*[A-Za-z_]/

/** `$'\x3d'` may stand for any character. */
const ENCODED = /\$'[^']*\\/

/** `PATH=0`, `PATH\=0`, `n++`: evaluated as a number, the text assigns the variable. Quotes are removed before that. */
export const isAssigningArithmetic = (sum: string): boolean =>
  SETS.test(sum) || SETS.test(sum.replace(/["'\\]/g, '')) || ENCODED.test(sum)

const VARIABLE_NAME = /[A-Za-z_]\w*/g

/** Checks text between `((` and `))`, or an index. Positional parameters count as tainted, because `set --` is not tracked. */
export function isTaintedArithmetic(text: string, { taints, names }: ShellScope): boolean {
  if (/\$\{?[\d@*]|\$\{!/.test(text) || mayBeName(text, taints)) return true
  const known = [SHELL_SET_VARIABLES, ...(taints.size > 0 ? [taints, names] : [])]
  const isKnown = (name: string): boolean => known.some(set => set.has(name) || set.has(ANY_NAME))
  return (
    (text.match(VARIABLE_NAME) ?? []).some(isKnown) ||
    (text.replace(/["'\\]/g, '').match(VARIABLE_NAME) ?? []).some(isKnown)
  )
}

/** `$'\x78'`, `$-`, `{w..y}`, `{x,z}1`: may produce a variable name that the text does not show. */
const OTHER_NAME = /\$'[^']*\\|\$\{?-|\{[^{},]*(?:,|\.\.)/
/** `x$n`, `x"${n}y"`: the text is the beginning of a variable name, and the variable's value is the rest. */
const BEGINNING = /(?<![\w$]|\$\{)([A-Za-z_]\w*)["'\\]*[$`]/g

/** True if the text may assemble the name of a tainted variable, or of a variable set by the shell. */
function mayBeName(text: string, taints: ReadonlySet<string>): boolean {
  if (!/[$`{]/.test(text)) return false
  if (taints.size > 0 && OTHER_NAME.test(text)) return true
  return [...text.matchAll(BEGINNING)].some(
    ([, start = '']) => taints.size > 0 || [...SHELL_SET_VARIABLES].some(name => name.startsWith(start)),
  )
}

/** Variables that the shell itself sets to outside text: a line that was read, a match, the last word, a folder. */
const SHELL_SET_VARIABLES: ReadonlySet<string> = new Set(
  '_ REPLY reply MAPFILE OPTARG BASH_REMATCH MATCH match PWD OLDPWD DIRSTACK dirstack argv BASH_COMMAND BASH_ARGV BASH_ARGV0 BASH_SOURCE FUNCNAME COPROC HOSTNAME READLINE_LINE ZSH_ARGZERO BASH_EXECUTION_STRING ZSH_EXECUTION_STRING'.split(
    ' ',
  ),
)

/** True if the value contains the name of such a variable: evaluated, it yields that variable's text. */
export const hasShellSetVariable = (value: string | null): boolean =>
  (value?.match(VARIABLE_NAME) ?? []).some(name => SHELL_SET_VARIABLES.has(name))

/** True if the word may run code when a command reads it as a number. */
export const isTaintedNumber = (word: Word, scope: ShellScope): boolean =>
  isTaintedArithmetic(word.text, scope) ||
  isAssigningArithmetic(word.text) ||
  word.parts?.some(hasCommandOutput) === true

/** The same check for the word's own text, without variables that hold names. */
export const isTaintedText = (word: Word, scope: ShellScope): boolean =>
  isTaintedNumber(word, { ...scope, names: NO_NAMES })

const NO_NAMES: ReadonlySet<string> = new Set()

/** `'b[$(rm f)]'`: quotes protect the code only until the word is evaluated. */
const hasQuotedCode = (word: Word): boolean => {
  const rest: SyntaxNode[] = [word]
  for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
    if (one.type === 'Word' && one.parts === undefined && /[$`]/.test(one.value)) return true
    if (/^(Literal|SingleQuoted|AnsiCQuoted)$/.test(one.type) && 'value' in one && /[$`]/.test(String(one.value)))
      return true
    if (one.type === 'Word' || one.type === 'DoubleQuoted' || one.type === 'LocaleString')
      forEachChild(one, child => void rest.push(child))
  }
  return false
}

/** True if the word may run code where a number or a name is expected. */
export const isTaintedWord = (word: Word | undefined, scope: ShellScope): boolean =>
  word !== undefined &&
  (isTaintedArithmetic(word.text, scope) ||
    isAssigningArithmetic(word.text) ||
    hasQuotedCode(word) ||
    word.parts?.some(part => (isCommandPart(part) && !isNumericPart(part)) || hasCommandOutput(part)) === true)

export function isTaintedArithmeticTree(sum: ArithmeticExpression | undefined, scope: ShellScope): boolean {
  const rest = sum === undefined ? [] : [sum]
  for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
    if (
      one.type === 'ArithmeticWord' &&
      (isTaintedArithmetic(one.value, scope) ||
        one.parts?.some(hasCommandOutput) ||
        /['"\\][\s\S]*[$`]/.test(one.value))
    )
      return true
    if (one.type === 'ArithmeticCommandExpansion' && !isCountingScript(one.script)) return true
    if (one.type === 'ArithmeticBinary') rest.push(one.left, one.right)
    else if (one.type === 'ArithmeticUnary') rest.push(one.operand)
    else if (one.type === 'ArithmeticTernary') rest.push(one.test, one.consequent, one.alternate)
    else if (one.type === 'ArithmeticGroup') rest.push(one.expression)
  }
  return false
}

const NUMERIC_OPERATORS = new Set('-eq -ne -lt -le -gt -ge'.split(' '))

export function isTaintedTest(test: TestExpression, scope: ShellScope): boolean {
  const rest = [test]
  for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
    if (one.type === 'TestUnary' && /^-[vRt]$/.test(one.operator) && isTaintedWord(one.operand, scope)) return true
    if (one.type === 'TestBinary' && NUMERIC_OPERATORS.has(one.operator))
      if (isTaintedWord(one.left, scope) || isTaintedWord(one.right, scope)) return true
    if (one.type === 'TestLogical') rest.push(...one.operands)
    else if (one.type === 'TestNot') rest.push(one.operand)
    else if (one.type === 'TestGroup') rest.push(one.expression)
  }
  return false
}

type ExpansionPart = Extract<WordPart, { type: 'ParameterExpansion' }>

/** `${x:offset:length}`, `${x[index]}`, and `${!x}`, where the value of `x` is a name. */
export const isTaintedExpansion = (
  { parameter, prefix, index, operation }: ExpansionPart,
  scope: ShellScope,
): boolean =>
  (prefix === '!' &&
    (/^[\d@*]/.test(parameter) || isTaintedArithmetic(parameter, scope)) &&
    !/^[@*]$/.test(index?.text ?? '')) ||
  (index !== undefined && !/^[@*]$/.test(index.text) && isTaintedWord(index, scope)) ||
  (operation?.type === 'Slice' && (isTaintedWord(operation.offset, scope) || isTaintedWord(operation.length, scope)))

/** `([index]=value …)` */
export const isTaintedList = (elements: readonly Word[], scope: ShellScope): boolean =>
  elements.some(({ text }) => {
    const index = /^\[([\s\S]*?)\]\+?=/.exec(text)?.[1]
    return index !== undefined && (isTaintedArithmetic(index, scope) || /\$\((?!\()|`/.test(index))
  })

/** True if the word contains command output that is not a count, at any depth: `${x:-$(cat f)}`. */
function hasCommandOutput(part: SyntaxNode): boolean {
  const rest = [part]
  for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
    if (one.type === 'CommandExpansion' || one.type === 'ArithmeticCommandExpansion') {
      if (!isCountingScript(one.script)) return true
    } else if (one.type !== 'Script') forEachChild(one, child => void rest.push(child))
  }
  return false
}

const isCommandPart = (part: WordPart): boolean => part.type === 'CommandExpansion' || part.type === 'DoubleQuoted'

/** True if the word can only be a number. */
export const isNumericWord = ({ parts, value }: Word): boolean =>
  parts === undefined ? /^[\s\d]*$/.test(value) : parts.every(isNumericPart)

function isNumericPart(part: WordPart): boolean {
  if (part.type === 'Literal') return /^[\s\d]*$/.test(part.value)
  if (part.type === 'DoubleQuoted') return part.parts.every(isNumericPart)
  if (part.type === 'SimpleExpansion') return /^\$[#?$!]$/.test(part.text)
  if (part.type === 'ParameterExpansion') return part.prefix === '#'
  return part.type === 'ArithmeticExpansion' || (part.type === 'CommandExpansion' && isCountingScript(part.script))
}

/** Commands that print numbers, as the last command of a pipeline. */
const COUNTING_COMMANDS = /^(wc( -\w+)*|seq( -?\d+)+|nproc|date \+%s|id -u|git rev-list --count( [^-\s]\S*)+)$/

function isCountingScript(script: ParsedScript | undefined): boolean {
  const [statement, more] = script?.commands ?? []
  if (statement === undefined || more !== undefined) return false
  const { command } = statement
  const last = command.type === 'Pipeline' ? command.commands.at(-1) : command
  if (last?.type !== 'Command' || last.name === undefined) return false
  const words = [last.name, ...last.suffix].flatMap(item => ('text' in item ? [item.text] : []))
  return COUNTING_COMMANDS.test(words.join(' '))
}
