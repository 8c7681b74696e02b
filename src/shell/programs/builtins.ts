import type { Arg } from '../arg.ts'
import { DECLARES, isNumeric } from '../builtin.ts'
import { type Call, obscure } from '../call.ts'
import type { Description } from '../description.ts'
import { mayBeArray, type Scope } from '../scope.ts'
import { isDigits } from '../variable.ts'

/** `declare -a x='($(rm f))'`: the text is read as a list, and the list is evaluated. */
function evaluates({ args, scope }: Call): boolean {
  const lists = args.some(arg => /^[-+]\w*[aA]/.test(arg.head))
  return args.some(arg => arg.list !== true && isList(arg, lists, scope))
}

function isList({ text, head }: Arg, lists: boolean, scope: Scope): boolean {
  const found = /^([A-Za-z_]\w*)(?:\[[^=]*\])?\+?=/.exec(head)
  if (found?.[1] === undefined) return false
  if (text !== null) return /^\s*\(.*[$`<>]/s.test(text.slice(found[0].length))
  return lists || mayBeArray(scope, found[1])
}

/** The value of `declare -i x=value`: a name in it is evaluated in turn. */
const isEvaluated = ({ text, head }: Arg): boolean =>
  text === null || (/^\w+\+?=/.test(head) && !isDigits(text.replace(/^\w+\+?=/, '')))

/** A name that cannot be told may hold an index, which is evaluated. */
export const names: Description = {
  onlyReads: true,
  special: call => {
    const untold = call.args.filter(({ text, head }, at) => at > 0 && text === null && !/^[A-Za-z_]\w*\+?=/.test(head))
    const integer =
      DECLARES.has(call.program) && isNumeric(call.program, call.args) && call.args.some(arg => isEvaluated(arg))
    if (untold.length > 0 || integer) call.onlyReads = false
    if (DECLARES.has(call.program) && evaluates(call)) obscure(call)
  },
}

/** `test -v name`, where what cannot be told may also be the `-v`. */
export const tests: Description = {
  onlyReads: true,
  special: call => {
    const { args } = call
    const isName = (at: number): boolean =>
      at > 1 && args[at]?.text === null && /^-[vR]$/.test(args[at - 1]?.text ?? '-v')
    if (args.some((_, at) => isName(at))) call.onlyReads = false
  },
}

/** `wait -p name` */
export const waits: Description = {
  onlyReads: true,
  special: call => {
    const at = call.args.findIndex(arg => arg.head.startsWith('-p'))
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
