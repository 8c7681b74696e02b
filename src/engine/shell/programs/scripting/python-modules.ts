import { isStdin } from '../../calls/argument.ts'
import {
  addFileAction,
  addFileActions,
  addFolderWrite,
  addOpaqueAction,
  hasOption,
  type ProgramCall,
} from '../../calls/program-call.ts'

/** Modules that run code from an argument or from standard input. */
const CODE_MODULES = /^(timeit|code|asyncio|idlelib(\..*)?|doctest|ptpython|IPython|bpython|xonsh)$/
/** Modules that run another script or module: a script file is code like any other file, the rest is unknown. */
const RUNNING_MODULES =
  /^(cProfile|profile|pdb|bdb|trace|runpy|dis|coverage|memory_profiler|line_profiler|kernprof|debugpy|viztracer|pyinstrument|scalene)$/

/** What `python3 -m module` does. */
export function readPythonModule(call: ProgramCall, module: string | null): void {
  if (module === 'json.tool') readJsonTool(call)
  if (module === null || CODE_MODULES.test(module)) addOpaqueAction(call)
  if (RUNNING_MODULES.test(module ?? '')) readRunningModule(call)
  if (module === 'uu') addFileActions(call, 'write', call.line.operands.slice(1))
  if (/^(venv|virtualenv|zipfile|tarfile)$/.test(module ?? '')) readPythonMaker(call, module)
}

/** `-m cProfile -o out script.py`, `-m pdb -c 'commands' script.py`, `-m trace --count script.py`. */
function readRunningModule(call: ProgramCall): void {
  const { operands, options } = call.line
  const script = operands.find(({ text }) => text === null || /\.pyw?$/.test(text))
  const runsModule = options.filter(({ name }) => name === '-m' || name === '--module').length > 1
  if (
    script === undefined ||
    script.text === null ||
    isStdin(operands[0]?.text) ||
    runsModule ||
    call.stdin !== undefined
  )
    addOpaqueAction(call)
  else addFileAction(call, 'read', script)
  for (const { name, value } of options)
    if (/^(-o|-f|--file|--outfile|--output)$/.test(name)) addFileAction(call, 'write', value ?? operands[0])
}

const JSON_TOOL_FLAGS = /^(-m|--sort-keys|--no-ensure-ascii|--json-lines|--indent|--tab|--no-indent|--compact)$/

/** `python3 -m json.tool from to`. Python searches the current folder first, so in another folder this may be another module. */
function readJsonTool(call: ProgramCall): void {
  const [file, ...to] = call.line.operands
  addFileAction(call, 'read', file)
  const here = call.scope.cwds.every(cwd => cwd === '')
  const shows = call.args[1]?.text === '-m' && call.line.options.every(({ name }) => JSON_TOOL_FLAGS.test(name))
  call.onlyReads = here && shows && file?.loose !== true && file?.glob !== true
  addFileActions(call, 'write', to)
}

/** Modules that fill a folder: `-m venv dir`, where `--clear` empties it first, and `-m zipfile -e archive dir`. */
function readPythonMaker(call: ProgramCall, module: string | null | undefined): void {
  const isArchive = /file$/.test(module ?? '')
  const unpacks = call.args.some(({ head }) => /^(-e|--extract)/.test(head))
  if (isArchive && !unpacks) {
    const at = call.args.findIndex(({ head }) => /^(-c|--create)/.test(head))
    if (at !== -1) addFileAction(call, 'write', call.args[at + 1])
    return
  }
  const folders = isArchive ? call.line.operands.slice(-1) : call.line.operands
  for (const folder of folders) addFolderWrite(call, folder)
  if (hasOption(call, '--clear')) addFileActions(call, 'delete', folders)
}
