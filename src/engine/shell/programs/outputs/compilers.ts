import { type Arg, argSuffix, literalArg, UNKNOWN_ARG } from '../../calls/argument.ts'
import type { ProgramCall, ProgramDescription } from '../../calls/program-call.ts'
import { addFileAction, addOpaqueAction, forNames } from '../../calls/program-call.ts'

/** Options that write the file in the rest of the word, or in the next word. */
const OUTPUT_OPTIONS = ['-o', '-MF', '-MJ', '--serialize-diagnostics', '-aux-info', '-dumpdir', '-dumpbase', '--output']

/** The file behind `=` or a comma: `-Wp,-MD,f`, `-Wl,-Map=f`, `-ftime-trace=f`, `-fdump-tree-all=f`. */
const OUTPUT_VALUE =
  /^(-Wp,-MM?D,|-Wp,-MF,|-Wl,(?:-o|-?-Map|--dependency-file|--out-implib)[=,]|-ftime-trace=|-fdump-[\w-]+=|-fprofile-(?:generate|dir|arcs)=|-fstack-usage=|-save-temps=|--output=|--dependency-file=)/

/** Options that write files whose names follow from other names. */
const SIDE_OUTPUT =
  /^(-fdump|-?-save-temps|--coverage$|-coverage$|-ftest-coverage|-fprofile-(arcs|generate)|-fstack-usage|-dumpbase-ext)/

/** Options that run another program, load code, or read more options from a file. */
const CODE_OPTIONS = /^(@|-wrapper|--?specs|-fplugin|-B|-Xclang|-Xpreprocessor|-Xlinker|-Xassembler|--config)/

/** The compiler's files: what `-o` and the options for dependencies name. */
function readCompiler(call: ProgramCall): void {
  // `cpp in out`
  if (call.program === 'cpp') for (const file of call.line.operands.slice(1)) addFileAction(call, 'write', file)
  call.args.forEach((arg, at) => {
    if (at > 0) readCompilerWord(call, arg, call.args[at + 1])
  })
}

function readCompilerWord(call: ProgramCall, arg: Arg, next: Arg | undefined): void {
  const { head } = arg
  if (CODE_OPTIONS.test(head)) addOpaqueAction(call)
  const named = OUTPUT_VALUE.exec(head)?.[0]
  if (named !== undefined) addFileAction(call, 'write', firstPart(argSuffix(arg, named.length)))
  else if (SIDE_OUTPUT.test(head)) addFileAction(call, 'write', UNKNOWN_ARG)
  const option =
    OUTPUT_OPTIONS.find(one => head === one) ?? OUTPUT_OPTIONS.slice(0, 3).find(one => head.startsWith(one))
  if (option === undefined) return
  if (arg.text !== option) addFileAction(call, 'write', argSuffix(arg, option.length))
  else if (next !== undefined) addFileAction(call, 'write', next)
}

/** A comma ends the word that the compiler passes on. */
const firstPart = (arg: Arg): Arg => (arg.text === null ? arg : literalArg(arg.text.split(',')[0] ?? ''))

const compiler: ProgramDescription = { special: readCompiler }

export const COMPILER_PROGRAMS: Readonly<Record<string, ProgramDescription>> = forNames(
  'gcc g++ cc c++ cpp clang clang++ c99 c89 gfortran tcc',
  compiler,
)

/** `gcc-13`, `clang++-18`, `x86_64-linux-gnu-gcc`. */
export const COMPILER_NAME = /^(?:[\w]+-)*(gcc|g\+\+|clang|clang\+\+|cpp)(?:-\d[\d.]*)?$/
