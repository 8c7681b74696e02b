import { literalArg, scriptTextOf, UNKNOWN_ARG } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import { addFileActions, addOpaqueAction, hasOption, type ProgramCall } from '../../calls/program-call.ts'
import { evaluateIndexes, runUnknownCode } from '../builtins.ts'
import { wrapperDescription } from '../wrappers/wrapper-spec.ts'

/** Modules whose builtins and parameters change no file and run no code. Any other module may bring anything. */
const HARMLESS_MODULES = new Set(
  'zsh/main zsh/datetime zsh/mathfunc zsh/stat zsh/regex zsh/pcre zsh/terminfo zsh/termcap zsh/complete zsh/complist zsh/computil zsh/langinfo zsh/rlimits zsh/zle zsh/zleparameter zsh/parameter zsh/zutil zsh/zprof zsh/random zsh/nearcolor'.split(
    ' ',
  ),
)

function readZmodload(call: ProgramCall): void {
  const names = call.args.slice(1).filter(({ head, text }) => text === null || !/^[-+]/.test(head))
  // with an option a word may name a builtin, a pattern or another name for a module
  const isPlain = call.args.length === names.length + 1
  if (names.some(({ text }) => !HARMLESS_MODULES.has(text ?? '')) || (!isPlain && names.length > 0))
    runUnknownCode(call)
}

/** `zstyle -e context style code`: each lookup of the style runs the code. */
function readZstyle(call: ProgramCall): void {
  evaluateIndexes(call)
  const at = call.args.findIndex(({ head, text }, nth) => nth > 0 && (text === null || /^-\w*e/.test(head)))
  if (at === -1) return
  runUnknownCode(call)
  const code = call.args.slice(at + 3)
  if (code.length > 0) call.inner.push({ run: { script: scriptTextOf(...code) }, later: true })
}

/** `sysopen -w -o trunc -u 5 file` */
function readSysopen(call: ProgramCall): void {
  evaluateIndexes(call)
  const isReader = !hasOption(call, '-w -a -o') && !call.line.hidesOption
  addFileActions(call, isReader ? 'read' : 'write', call.line.operands)
  if (call.args.some(({ text }) => text === null)) addOpaqueAction(call)
}

/** An entry or a list, but no value of an entry, such as `${mapfile[f]}`. */
const MAPPED_FILES = /(?<![\w${])mapfile(?:\[([^\]]*)\]|\+?=\(([^)]*))/g

/** `mapfile[f]=x`: the table of zsh/mapfile has the files as entries. `text` is the command. To set one writes the file, to unset one removes it. */
export function addMappedFiles(call: ProgramCall, text: string): void {
  const { program, args } = call
  const at = program === 'set' ? args.findIndex(arg => arg.text === 'mapfile') : -1
  const listed = at === -1 ? [] : args.slice(at + 1)
  const found = [...text.matchAll(MAPPED_FILES)].flatMap(([, entry, list = '']) => [entry ?? list.split(/\s+/)].flat())
  const files = [...new Set(found.map(file => file.replace(/["']/g, '')))].filter(Boolean)
  const named = files.map(file => (/[$`\\]/.test(file) ? UNKNOWN_ARG : literalArg(file)))
  addFileActions(call, program === 'unset' ? 'delete' : 'write', [...named, ...listed])
}

/** `zf_rm` and its like are builtins that do the same as the programs. */
const FILE_BUILTINS = 'chgrp chmod chown ln mkdir mv rm rmdir sync'.split(' ')
const fileBuiltin = (name: string): ProgramDescription => ({
  inner: () => undefined,
  special: call => {
    call.own = 1
    call.inner.push({ run: [literalArg(name), ...call.args.slice(1)], keeps: true })
  },
})

/** Builtins that zsh modules bring. */
export const ZSH_MODULE_BUILTINS: Readonly<Record<string, ProgramDescription>> = {
  zmodload: { special: readZmodload },
  zstyle: { special: readZstyle },
  sysopen: { flags: '-r -w -a', values: '-o -u -m', special: readSysopen },
  zpty: wrapperDescription({ flags: '-b -e', skip: 1, joins: true }),
  sched: wrapperDescription({ flags: '-o', skip: 1, joins: true }),
  ...Object.fromEntries(FILE_BUILTINS.map(name => [`zf_${name}`, fileBuiltin(name)])),
}
