import { type Arg, isStdin, literalArg } from '../calls/argument.ts'
import type { ProgramDescription } from '../calls/program-call.ts'
import { addFileAction, addOpaqueAction, type ProgramCall } from '../calls/program-call.ts'
import { parsePatchActions } from '../patch.ts'
import { optionsOf } from './rare-programs/index.ts'

function readApplyPatch(call: ProgramCall): void {
  const [argument] = call.line.operands
  const patch = argument === undefined ? (call.stdin ?? null) : argument.text
  if (patch === null) {
    addOpaqueAction(call)
    return
  }
  if (!addPatchedFiles(call, patch)) addOpaqueAction(call)
}

/** Adds what a patch does to each file. False: the patch cannot be read, and nothing is added behind that point. */
export function addPatchedFiles(call: ProgramCall, patch: string): boolean {
  for (const { action, place, text } of parsePatchActions(patch)) {
    if (action !== 'write' && action !== 'delete') return false
    const from = call.acts.length
    addFileAction(call, action, literalArg(place?.lexical ?? ''))
    if (text !== undefined) call.acts.push(...call.acts.splice(from).map(act => ({ ...act, text })))
  }
  return true
}

/** True if the file may be outside the current folder. */
export const mayBeOutsideFolder = (file: Arg | undefined): boolean =>
  file === undefined || file.text === null || /^[/~]|(^|\/)\.\.(\/|$)/.test(file.text)

/** `make -f /tmp/x.mk`, `make SHELL=/tmp/x`: the makefile or the shell comes from outside the project. */
function readMake(call: ProgramCall): void {
  for (const { name, value } of call.line.options) {
    if (/^(-f|--file|--makefile)$/.test(name) && (isStdin(value?.text) || value?.pipe)) addOpaqueAction(call)
    if (/^(-f|-I|--file|--makefile|--include-dir)$/.test(name) && mayBeOutsideFolder(value)) call.altered = true
  }
  for (const { text, head } of call.line.operands) {
    const found = /^([^=]*?)[:+?!]*=/.exec(head)
    if (found === null) continue
    const value = text?.slice(found[0].length) ?? null
    const plain = value !== null && /^[\w.,+-]*$/.test(value)
    // `x:=$(shell rm f)`, `x!=rm f`, `SHELL=f`
    const isShell = /SHELL/.test(found[1] ?? '') && !/^(\/(usr\/)?bin\/)?(ba|da|z|k)?sh$/.test(value ?? '')
    if (found[0].endsWith('!=') || isShell || /[$`;|&<>]/.test(value ?? '')) addOpaqueAction(call)
    if (!plain || /SHELL|^(MAKE|GNUMAKE)/.test(found[1] ?? '')) call.altered = true
  }
}

function readCargo(call: ProgramCall): void {
  for (const { name, value } of call.line.options)
    if (name === '--config' || (name === '--manifest-path' && mayBeOutsideFolder(value))) call.altered = true
}

/** `go test -exec /tmp/x`: the source, the compiler or the runner may come from outside the project. */
function readGo(call: ProgramCall): void {
  const alters = /^-(exec|toolexec|vettool|overlay|modfile|pkgdir|ldflags|gcflags|asmflags|gccgoflags)$/
  if (call.line.options.some(({ name }) => alters.test(name.replace(/^-+/, '-')))) call.altered = true
}

const applyPatch: ProgramDescription = { special: readApplyPatch }

/** For most of these programs only the options are described, not the effects, so that the word after an option is read correctly. */
export const DEVELOPER_TOOLS: Readonly<Record<string, ProgramDescription>> = {
  cargo: {
    get flags() {
      return optionsOf('cargo flags')
    },
    get values() {
      return optionsOf('cargo values')
    },
    special: readCargo,
  },
  go: {
    oneDash: true,
    flags: '-v -race -short -cover -x -a -n -c -u -json -m -failfast -benchmem -trimpath',
    get values() {
      return optionsOf('go values')
    },
    special: readGo,
  },
  make: {
    flags: '-B -k -n -s -i -w --silent --dry-run --always-make',
    values: '-C -f -j -l -o -W -I --directory --file --makefile --include-dir',
    runs: '-E --eval',
    special: readMake,
  },
  pytest: {
    flags: '-x -v -vv -q -s -l --lf --ff --pdb -rA --collect-only',
    values: '-k -m -n -c -p -o --maxfail --tb --cov --rootdir --junitxml --durations -W',
  },
  gh: { values: '-R --repo' },
  kill: { values: '-s -n' },
  apply_patch: applyPatch,
  applypatch: applyPatch,
  'apply-patch': applyPatch,
  alias: {
    special: call => {
      if (call.line.operands.some(arg => arg.head.includes('=') || arg.text === null)) addOpaqueAction(call)
      else call.onlyReads = true
    },
  },
  enable: { special: addOpaqueAction },
  hash: {
    special: call => {
      if (call.line.operands.length > 0) addOpaqueAction(call)
    },
  },
}
