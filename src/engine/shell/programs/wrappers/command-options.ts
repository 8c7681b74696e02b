import type { Arg } from '../../calls/argument.ts'
import { argSuffix } from '../../calls/argument.ts'
import { addOpaqueAction, NAMES_COMMAND, type ProgramCall } from '../../calls/program-call.ts'
import { isProgramName, runsElsewhere } from './unknown-wrapper.ts'

const COMMAND_WORD = `(?:${NAMES_COMMAND.source})`
/** A long option whose name says that its value is a command: `--to-cmd`, `--pre-invoke`, `--receive-pack`. */
const COMMAND_OPTION = new RegExp(`^--(?:[\\w-]*-)?${COMMAND_WORD}$`)
/** A setting whose name says so: `-o ProxyCommand=nc h 22`, `-o DPkg::Pre-Invoke::=date`. */
const COMMAND_SETTING = new RegExp(`^(?:-o)?[\\w:.-]*${COMMAND_WORD}s?:{0,2}[= ]+`, 'i')
/** `make CC='gcc -m32'`: rules run the value. */
const MAKE_VARIABLE = /^[\w.]+[:+?]*=/
const SETTING_OPTION = /^(-[oc]|--option|--config|--set)$/

const FIRST_COMMAND = /^[\s!({]*(?:\w+=\S*\s+)*([^\s;&|()<>]+)/

/** True for several words that begin like a command: `git commit -m x`, `!rm f`, `date;`. */
const isCommandLine = (text: string): boolean =>
  /[\s;&|]/.test(text.trim()) && isProgramName(FIRST_COMMAND.exec(text)?.[1] ?? '')

/** Adds the commands in the values of options whose names say that the program runs them. */
export function readCommandOptions(call: ProgramCall): void {
  const { args, line, program } = call
  if (call.onlyReads || call.inner.length > 0 || runsElsewhere(program)) return
  args.forEach((arg, at) => {
    if (at === 0 || arg.head.length < 3) return
    const variable = program === 'make' && arg.text !== null ? MAKE_VARIABLE.exec(arg.head)?.[0] : undefined
    const value = variable ? argSuffix(arg, variable.length) : commandValueOf(arg, args[at - 1], args[at + 1])
    if (value === undefined) return
    const name = arg.head.replace(/=.*$/s, '')
    if (line.options.some(option => option.name === name && option.kind !== undefined)) return
    if (value.text === null) addOpaqueAction(call)
    else if (isCommandLine(value.text)) call.inner.push({ run: { script: value.text.replace(/^!/, '') } })
  })
}

function commandValueOf(arg: Arg, before: Arg | undefined, next: Arg | undefined): Arg | undefined {
  const { head } = arg
  const equals = head.indexOf('=')
  if (head.startsWith('--'))
    return COMMAND_OPTION.test(equals === -1 ? head : head.slice(0, equals))
      ? equals === -1
        ? next
        : argSuffix(arg, equals + 1)
      : undefined
  const setting = COMMAND_SETTING.exec(head)?.[0]
  const isSetting = head.startsWith('-o') || SETTING_OPTION.test(before?.text ?? '')
  return setting !== undefined && isSetting ? argSuffix(arg, setting.length) : undefined
}
