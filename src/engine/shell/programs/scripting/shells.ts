import { type Arg, isStdin, scriptTextOf } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import { addFileAction, addOpaqueAction, codeIn, forNames, type ProgramCall } from '../../calls/program-call.ts'
import { parseDescriptorPath } from '../../scope/file-descriptors.ts'
import {
  hasKnownStartupLetters,
  isKnownLongOption,
  isKnownSetOption,
  isKnownShopt,
  normalizeOptionName,
} from '../../scope/shell-options.ts'

interface ShellInvocation {
  code: boolean
  stdin: boolean
  errexit: boolean
  pipefail: boolean
  /** the names behind `-o` and `-O`; null if unknown */
  options: (string | null)[]
  rest: readonly Arg[]
  /** the code is read but not run, or not to its end: `-n`, `-t` */
  noexec: boolean
  /** no code is read: `--version` */
  idle: boolean
  unsure: boolean
}

function parseShellInvocation(args: readonly Arg[]): ShellInvocation {
  const found: ShellInvocation = {
    code: false,
    stdin: false,
    errexit: false,
    pipefail: false,
    options: [],
    rest: [],
    noexec: false,
    idle: false,
    unsure: false,
  }
  let at = 1
  for (; at < args.length; at += 1) {
    const arg = args[at]
    const text = arg?.text
    if (text === undefined || arg === undefined) break
    if (text === null && !/^[-+]/.test(arg.head)) break
    if (text === null) found.unsure = true
    else if (text === '--' || text === '-') {
      at += 1
      break
    } else if (text.startsWith('--')) {
      if (text === '--version' || text === '--help') found.idle = true
      if (/^--(dump|pretty)/.test(text)) found.noexec = true
      if (text === '--rcfile' || text === '--init-file') at += 1
      if (!isKnownLongOption(text)) {
        found.unsure = true
        found.options.push(text.slice(2))
      }
    } else if (/^[-+]\w/.test(text)) {
      const on = text.startsWith('-')
      if (on && text.includes('c')) found.code = true
      if (on && text.includes('s')) found.stdin = true
      if (on && /[nDt]/.test(text)) found.noexec = true
      if (text.includes('e')) found.errexit = on
      // each `o` in a group of letters takes one word
      if (!hasKnownStartupLetters(text) || /[oO]./.test(text)) {
        found.unsure = true
        found.options.push(null)
      }
      if (/[oO]$/.test(text)) {
        at += 1
        found.options.push(args[at]?.text ?? null)
        if (/^(noexec|onecmd)$/.test(normalizeOptionName(args[at]?.text ?? 'noexec'))) found.noexec = true
        const isKnown = text.endsWith('O') ? isKnownShopt : isKnownSetOption
        if (!isKnown(args[at]?.text)) found.unsure = true
        if (args[at]?.text === 'pipefail') found.pipefail = on
        if (args[at]?.text === 'errexit') found.errexit = on
      }
    } else break
  }
  found.rest = args.slice(at)
  return found
}

function readShellProgram(call: ProgramCall): void {
  const { code, stdin, errexit, pipefail, options, rest, idle, noexec, unsure } = parseShellInvocation(call.args)
  const [first] = rest
  // an option that is not known may be `--no-exec`
  if (noexec || unsure) call.idle = true
  call.onlyReads = false
  if (unsure) addOpaqueAction(call)
  if (idle) return
  if (code) {
    if (first === undefined) return
    const script = scriptTextOf(first)
    if (script === null) call.code = 'words'
    call.onlyReads = script !== null
    call.own = call.args.length - rest.length + 1
    call.inner.push({ run: { script, errexit, pipefail, options }, keeps: true })
    return
  }
  const fromStdin = stdin || first === undefined || isStdin(first.text)
  call.code = fromStdin ? 'input' : codeIn(first)
  if (!fromStdin) {
    if (first.text === null) addOpaqueAction(call)
    addFileAction(call, 'read', first)
    return
  }
  if (typeof call.stdin === 'string')
    call.inner.push({ run: { script: call.stdin, errexit, pipefail, options }, keeps: true })
  if (typeof call.stdin !== 'string' || call.piped || isOtherDescriptor(first)) addOpaqueAction(call)
}

/** True for a descriptor path other than standard input. */
const isOtherDescriptor = (file: Arg | undefined): boolean => {
  const path = parseDescriptorPath(file?.text ?? '')
  return path !== undefined && path.number !== 0
}

/** `source f`: the file's code runs in this shell, and its effects are unknown. */
function readSource(call: ProgramCall): void {
  const file = call.line.operands[0]
  call.code = isStdin(file?.text) ? 'input' : codeIn(file)
  addFileAction(call, 'read', file)
  const read = isStdin(file?.text) && typeof call.stdin === 'string' ? call.stdin : null
  if (read !== null) call.inner.push({ run: { script: read }, shares: true })
  if (read === null || call.piped || isOtherDescriptor(file)) addOpaqueAction(call)
}

function readEval(call: ProgramCall): void {
  const words = call.args.slice(call.args[1]?.text === '--' ? 2 : 1)
  if (words.length === 0) return
  const script = scriptTextOf(...words)
  if (script === null) call.code = 'words'
  call.onlyReads = script !== null
  call.own = 1
  call.inner.push({ run: { script }, keeps: true, shares: true })
}

function readTrap(call: ProgramCall): void {
  const words = call.args.slice(1).filter(arg => arg.text !== '--')
  const [handler] = words
  if (handler === undefined || words.length < 2 || handler.text === '' || handler.text?.startsWith('-')) return
  call.inner.push({ run: { script: scriptTextOf(handler) }, later: true })
}

const shell: ProgramDescription = {
  special: readShellProgram,
  values: '-o -O --rcfile --init-file',
  flags: '-e -u -x -l -i -c -s -n',
}

export const SHELL_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  ...forNames('bash sh zsh dash ksh ash mksh rbash fish yash', shell),
  source: { special: readSource },
  '.': { special: readSource },
  eval: { special: readEval },
  trap: { special: readTrap },
}
