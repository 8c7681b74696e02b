import { type Arg, mayBeOneOf } from '../calls/argument.ts'
import type { ProgramDescription } from '../calls/program-call.ts'
import { addOpaqueAction, type ProgramCall } from '../calls/program-call.ts'
import { DECLARATION_BUILTINS, hasUnknownDeclareOption, isNumericDeclaration } from '../interpreter/builtin-effects.ts'
import { noteWildcardMatches } from '../scope/path-resolution.ts'
import { mayBeArray } from '../scope/scope.ts'
import type { ShellScope } from '../scope/shell-scope.ts'
import { isAssigningArithmetic, isTaintedArithmetic } from '../scope/taint.ts'
import { isDigits } from '../scope/variable-risk.ts'
import { isTextOnlyFormat } from './evaluating-builtins.ts'

/** `declare -a x='($(rm f))'`: the text is parsed as a list, and the list is evaluated. */
function isListEvaluated({ args, scope }: ProgramCall): boolean {
  const lists = args.some(arg => /^[-+]\w*[aA]/.test(arg.head))
  return args.some(arg => arg.list !== true && isListArg(arg, lists, scope))
}

function isListArg({ text, head }: Arg, lists: boolean, scope: ShellScope): boolean {
  const found = /^([A-Za-z_]\w*)(?:\[[^=]*\])?\+?=/.exec(head)
  if (found?.[1] === undefined) return false
  if (text !== null) return /^\s*\(.*[$`<>[]/s.test(text.slice(found[0].length))
  return lists || mayBeArray(scope, found[1])
}

/** True if the value of `declare -i x=value` is evaluated further: it is unknown or not a plain number. */
const isEvaluatedValue = ({ text, head }: Arg): boolean =>
  text === null || (/^\w+\+?=/.test(head) && !isDigits(text.replace(/^\w+\+?=/, '')))

/** `b[$(rm f)]`: where a name or a number is expected, an index is evaluated, and code in it runs. */
const hasIndexCode = (text: string, scope: ShellScope): boolean => {
  const open = text.indexOf('[')
  if (open === -1) return false
  const isSet = isAssigningArithmetic(text.slice(open, text.lastIndexOf(']')))
  return isSet || /[$`]/.test(text.slice(open)) || isTaintedArithmetic(text.slice(open), scope)
}

/** Adds an opaque action and taints the scope: unknown code runs in this shell. */
export function runUnknownCode(call: ProgramCall): void {
  addOpaqueAction(call)
  call.scope.tainted = true
}

/** For builtins where every word may be a name or a number. */
export function evaluateIndexes(call: ProgramCall): void {
  if (call.args.some(({ text }, at) => at > 0 && text !== null && hasIndexCode(text, call.scope))) runUnknownCode(call)
}

/** In zsh a number may be arithmetic with indexes: `exit`, `shift`, `printf %d`. */
function evaluateNumbers(call: ProgramCall): void {
  evaluateIndexes(call)
  if (call.args.some(({ tainted }) => tainted)) call.onlyReads = false
}

export const numericBuiltin: ProgramDescription = { onlyReads: true, special: evaluateNumbers }

/** Builtins that take variable names; nothing else about them is known. */
export const variableNamesBuiltin: ProgramDescription = { special: evaluateIndexes }

/** `print -P word`: zsh expands the word like a prompt. */
export const printBuiltin: ProgramDescription = {
  special: call => {
    evaluateIndexes(call)
    const isPrompt = call.args.some(({ head, text }, at) => at > 0 && (text === null || /^-\w*P/.test(head)))
    if (isPrompt && call.args.some(({ text }) => /[$`]/.test(text ?? ''))) runUnknownCode(call)
  },
}

/** `let 'b[$(rm f)]'` */
export const letBuiltin: ProgramDescription = {
  special: call => {
    if (
      call.args.some(
        ({ text, tainted }, at) =>
          at > 0 && (text === null ? tainted : /[$`]/.test(text) || isTaintedArithmetic(text, call.scope)),
      )
    )
      runUnknownCode(call)
  },
}

const COUNTED = /%[-+ #0'\d.*$hlLjzt]*n/

/** `printf -v name`, and in zsh `printf %d` with an arithmetic expression. */
export const printfBuiltin: ProgramDescription = {
  onlyReads: true,
  special: call => {
    noteWildcardMatches(call.args, call.scope)
    const format = call.args[call.args[1]?.text === '--' ? 2 : 1]
    if (isTextOnlyFormat(format)) return
    evaluateNumbers(call)
    // `%n`: bash stores a number in the variable that the word names
    if (COUNTED.test(format?.text ?? '')) runUnknownCode(call)
    if (format === undefined || format.text === null || format.text.startsWith('-')) call.onlyReads = false
  },
}

/** `set -A name` in zsh. */
export const setBuiltin: ProgramDescription = {
  onlyReads: true,
  special: call => {
    if (call.args.some(({ head, text }) => /^[-+]\w*A/.test(head) || (text === null && head === '')))
      evaluateIndexes(call)
  },
}

/** An unknown name may contain an index, which is evaluated. */
export const declarationBuiltin: ProgramDescription = {
  onlyReads: true,
  special: call => {
    // text behind `=` is not a name
    if (DECLARATION_BUILTINS.has(call.program)) {
      if (call.args.some(({ text }) => text !== null && /^[A-Za-z_]\w*\[/.test(text) && hasIndexCode(text, call.scope)))
        runUnknownCode(call)
    } else evaluateIndexes(call)
    const unknown = call.args.filter(({ text, head }, at) => at > 0 && text === null && !/^[A-Za-z_]\w*\+?=/.test(head))
    if (DECLARATION_BUILTINS.has(call.program) && hasUnknownDeclareOption(call.args)) runUnknownCode(call)
    const integer =
      DECLARATION_BUILTINS.has(call.program) &&
      isNumericDeclaration(call.program, call.args) &&
      call.args.some(arg => isEvaluatedValue(arg))
    if (unknown.length > 0 || integer) call.onlyReads = false
    if (integer && call.args.some(({ text }) => /[$`]/.test(text ?? ''))) runUnknownCode(call)
    // the variable's current value is evaluated too
    if (
      isNumericDeclaration(call.program, call.args) &&
      call.args.some(({ text }) => isTaintedArithmetic(text ?? '', call.scope))
    )
      runUnknownCode(call)
    if (DECLARATION_BUILTINS.has(call.program) && isListEvaluated(call)) addOpaqueAction(call)
  },
}

/** `test -v name`. An unknown word may also be the `-v`. */
export const testBuiltin: ProgramDescription = {
  onlyReads: true,
  special: call => {
    const { args } = call
    const isName = (at: number): boolean =>
      at > 1 && args[at]?.text === null && /^-[vRt]$/.test(args[at - 1]?.text ?? '-v')
    evaluateIndexes(call)
    if (args.some((_, at) => isName(at))) call.onlyReads = false
    // zsh evaluates the operand of `-t` as arithmetic: a name in it yields the variable's value
    const isSum = (text: string): boolean => isTaintedArithmetic(text, call.scope) || isAssigningArithmetic(text)
    if (args.some(({ text }, at) => mayBeOneOf(args[at - 1], ['-t']) && isSum(text ?? ''))) runUnknownCode(call)
  },
}

/** `wait -p name` */
export const waitBuiltin: ProgramDescription = {
  onlyReads: true,
  special: call => {
    evaluateIndexes(call)
    const at = call.args.findIndex(arg => /^-\w*p/.test(arg.head))
    if (at !== -1 && call.args.slice(at).some(arg => arg.text === null)) call.onlyReads = false
  },
}

/** `jobs -x rm f` runs the command. */
export const jobsBuiltin: ProgramDescription = {
  onlyReads: true,
  harmful: true,
  special: call => {
    const at = call.args.findIndex(arg => /^-\w*x/.test(arg.head))
    if (at !== -1) call.inner.push({ run: call.args.slice(at + 1) })
  },
}
