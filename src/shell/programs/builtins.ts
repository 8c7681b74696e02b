import type { Arg } from '../arg.ts'
import { DECLARES, declaresOtherwise, isNumeric } from '../builtin.ts'
import { type Call, obscure } from '../call.ts'
import type { Description } from '../description.ts'
import { isFoggy, setsVariable } from '../fog.ts'
import { noteListed } from '../place.ts'
import { mayBeArray, type Scope } from '../scope.ts'
import { isDigits } from '../variable.ts'
import { isOfTexts } from './foggy-words.ts'

/** `declare -a x='($(rm f))'`: the text is read as a list, and the list is evaluated. */
function evaluates({ args, scope }: Call): boolean {
  const lists = args.some(arg => /^[-+]\w*[aA]/.test(arg.head))
  return args.some(arg => arg.list !== true && isList(arg, lists, scope))
}

function isList({ text, head }: Arg, lists: boolean, scope: Scope): boolean {
  const found = /^([A-Za-z_]\w*)(?:\[[^=]*\])?\+?=/.exec(head)
  if (found?.[1] === undefined) return false
  if (text !== null) return /^\s*\(.*[$`<>[]/s.test(text.slice(found[0].length))
  return lists || mayBeArray(scope, found[1])
}

/** The value of `declare -i x=value`: a name in it is evaluated in turn. */
const isEvaluated = ({ text, head }: Arg): boolean =>
  text === null || (/^\w+\+?=/.test(head) && !isDigits(text.replace(/^\w+\+?=/, '')))

/** `b[$(rm f)]`: where a name or a number is wanted, an index is evaluated, and code in it runs. */
const holdsCode = (text: string, scope: Scope): boolean => {
  const open = text.indexOf('[')
  if (open === -1) return false
  const isSet = setsVariable(text.slice(open, text.lastIndexOf(']')))
  return isSet || /[$`]/.test(text.slice(open)) || isFoggy(text.slice(open), scope)
}

/** Code that nobody reads runs in this shell. */
export function evaluate(call: Call): void {
  obscure(call)
  call.scope.tainted = true
}

/** Every word may be a name or a number. */
export function heedIndexes(call: Call): void {
  if (call.args.some(({ text }, at) => at > 0 && text !== null && holdsCode(text, call.scope))) evaluate(call)
}

/** To zsh a number may be a sum with indexes: `exit`, `shift`, `printf %d`. */
function heedNumbers(call: Call): void {
  heedIndexes(call)
  if (call.args.some(({ foggy }) => foggy)) call.onlyReads = false
}

export const numbers: Description = { onlyReads: true, special: heedNumbers }

/** Builtins of which no more is known than that they are given names. */
export const indexes: Description = { special: heedIndexes }

/** `print -P word`, to zsh: what is in the word is expanded as in a prompt. */
export const prompts: Description = {
  special: call => {
    heedIndexes(call)
    const isPrompt = call.args.some(({ head, text }, at) => at > 0 && (text === null || /^-\w*P/.test(head)))
    if (isPrompt && call.args.some(({ text }) => /[$`]/.test(text ?? ''))) evaluate(call)
  },
}

/** `let 'b[$(rm f)]'` */
export const sums: Description = {
  special: call => {
    if (
      call.args.some(
        ({ text, foggy }, at) => at > 0 && (text === null ? foggy : /[$`]/.test(text) || isFoggy(text, call.scope)),
      )
    )
      evaluate(call)
  },
}

const COUNTED = /%[-+ #0'\d.*$hlLjzt]*n/

/** `printf -v name`, and to zsh `printf %d sum`. */
export const prints: Description = {
  onlyReads: true,
  special: call => {
    noteListed(call.args, call.scope)
    const format = call.args[call.args[1]?.text === '--' ? 2 : 1]
    if (isOfTexts(format)) return
    heedNumbers(call)
    // bash puts a number into the variable that the word names
    if (COUNTED.test(format?.text ?? '')) evaluate(call)
    if (format === undefined || format.text === null || format.text.startsWith('-')) call.onlyReads = false
  },
}

/** `set -A name`, to zsh */
export const sets: Description = {
  onlyReads: true,
  special: call => {
    if (call.args.some(({ head, text }) => /^[-+]\w*A/.test(head) || (text === null && head === ''))) heedIndexes(call)
  },
}

/** A name that cannot be told may hold an index, which is evaluated. */
export const names: Description = {
  onlyReads: true,
  special: call => {
    // what follows `=` is no name
    if (DECLARES.has(call.program)) {
      if (call.args.some(({ text }) => text !== null && /^[A-Za-z_]\w*\[/.test(text) && holdsCode(text, call.scope)))
        evaluate(call)
    } else heedIndexes(call)
    const untold = call.args.filter(({ text, head }, at) => at > 0 && text === null && !/^[A-Za-z_]\w*\+?=/.test(head))
    if (DECLARES.has(call.program) && declaresOtherwise(call.args)) evaluate(call)
    const integer =
      DECLARES.has(call.program) && isNumeric(call.program, call.args) && call.args.some(arg => isEvaluated(arg))
    if (untold.length > 0 || integer) call.onlyReads = false
    if (integer && call.args.some(({ text }) => /[$`]/.test(text ?? ''))) evaluate(call)
    // what the variable holds already is evaluated too
    if (isNumeric(call.program, call.args) && call.args.some(({ text }) => isFoggy(text ?? '', call.scope)))
      evaluate(call)
    if (DECLARES.has(call.program) && evaluates(call)) obscure(call)
  },
}

/** `test -v name`, where what cannot be told may also be the `-v`. */
export const tests: Description = {
  onlyReads: true,
  special: call => {
    const { args } = call
    const isName = (at: number): boolean =>
      at > 1 && args[at]?.text === null && /^-[vRt]$/.test(args[at - 1]?.text ?? '-v')
    heedIndexes(call)
    if (args.some((_, at) => isName(at))) call.onlyReads = false
    // a sum to zsh: a name in it stands for what the variable holds
    const isSum = (text: string): boolean => isFoggy(text, call.scope) || setsVariable(text)
    if (args.some(({ text }, at) => args[at - 1]?.text === '-t' && isSum(text ?? ''))) evaluate(call)
  },
}

/** `wait -p name` */
export const waits: Description = {
  onlyReads: true,
  special: call => {
    heedIndexes(call)
    const at = call.args.findIndex(arg => /^-\w*p/.test(arg.head))
    if (at !== -1 && call.args.slice(at).some(arg => arg.text === null)) call.onlyReads = false
  },
}

/** `jobs -x rm f` runs the command. */
export const jobs: Description = {
  onlyReads: true,
  harmful: true,
  special: call => {
    const at = call.args.findIndex(arg => /^-\w*x/.test(arg.head))
    if (at !== -1) call.inner.push({ run: call.args.slice(at + 1) })
  },
}
