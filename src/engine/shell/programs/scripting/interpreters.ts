import { type Arg, isStdin, UNKNOWN_ARG } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import {
  addFileAction,
  addFileActions,
  addFolderWrite,
  addOpaqueAction,
  codeIn,
  findOption,
  forNames,
  hasOption,
  type ProgramCall,
} from '../../calls/program-call.ts'
import { readEmbeddedRun } from '../wrappers/embedded-run.ts'
import { readPythonModule } from './python-modules.ts'

/** An interpreter: inline code may do anything; a file is read and run. */
export const interpreter = (
  inline: string,
  values = '',
  more: Partial<ProgramDescription> = {},
): ProgramDescription => ({
  ...(values === '' ? {} : { values }),
  runs: inline,
  special: call => {
    readEmbeddedRun(call)
    addNodeOutputs(call)
    const [file] = call.line.operands
    const module = findOption(call, '-m')?.value?.text
    if (module !== undefined) readPythonModule(call, module)
    if (hasOption(call, inline) && findOption(call, inline)?.value?.text === null) call.code = 'words'
    if (hasOption(call, inline) || hasOption(call, '-m')) return
    call.code = file === undefined || isStdin(file.text) ? 'input' : codeIn(file)
    if (file === undefined && call.stdin !== undefined) addOpaqueAction(call)
    if (file?.text === null || isStdin(file?.text)) addOpaqueAction(call)
    addFileAction(call, 'read', file)
  },
  ...more,
})

/** `-Mstrict;code`, `-d:Trace;code`: what is no name of a module, and no list behind `=`, is code. */
const MODULE_CODE = /^-\w*[Mmd][^=]*[^\w:=,./+-]/

/** `perl -i -pe '…' files` edits in place. */
function readPerl(call: ProgramCall): void {
  const inline = hasOption(call, '-e -E')
  if (hasOption(call, '-i')) addFileActions(call, 'write', call.line.operands.slice(inline ? 0 : 1))
  else if (inline) addFileActions(call, 'read', call.line.operands)
  const options = call.line.words.filter(({ role }, at) => at > 0 && role === 'option')
  if (call.program === 'perl' && options.some(({ text }) => text === null || MODULE_CODE.test(text)))
    addOpaqueAction(call)
  if (inline && findOption(call, '-e -E')?.value?.text === null) call.code = 'words'
  if (inline) return
  const [file] = call.line.operands
  call.code = file === undefined || isStdin(file.text) ? 'input' : codeIn(file)
  if (file === undefined ? call.stdin !== undefined : file.text === null || isStdin(file.text)) addOpaqueAction(call)
  addFileAction(call, 'read', file)
}

function readEditor(call: ProgramCall): void {
  if (
    hasOption(call, '-c -cmd --cmd -es -s -S -e -E') ||
    call.stdin !== undefined ||
    call.program === 'ed' ||
    call.program === 'ex'
  )
    addOpaqueAction(call)
  addFileActions(
    call,
    call.program.endsWith('view') ? 'read' : 'write',
    call.line.operands.filter(arg => !(arg.text ?? '').startsWith('+')),
  )
  if (call.line.operands.some(arg => (arg.text ?? '').startsWith('+'))) addOpaqueAction(call)
}

const editor: ProgramDescription = { values: '-c --cmd -S -u', flags: '-e -s -E -es -R -n', special: readEditor }
const python = interpreter('-c', '-m -W -X --indent')
/** Options of node that name a file it writes. */
const NODE_OUTPUT_FILES =
  '--heap-prof-name --cpu-prof-name --redirect-warnings --report-filename --trace-event-file-pattern --localstorage-file --test-reporter-destination --logfile --trace-file'
/** Options of node that name a folder it writes to, and the snapshot, which is read unless it is built. */
const NODE_OUTPUT_FOLDERS = '--diagnostic-dir --heap-prof-dir --cpu-prof-dir --report-dir --report-directory'

/** The names of such files are relative to the folder, so both are written. */
function addNodeOutputs(call: ProgramCall): void {
  for (const { name, value } of call.line.options) {
    if (NODE_OUTPUT_FOLDERS.split(' ').includes(name)) addFolderWrite(call, value)
    if (name === '--snapshot-blob') addFileAction(call, hasOption(call, '--build-snapshot') ? 'write' : 'read', value)
    if (name === '--build-snapshot-config' || name === '--experimental-sea-config' || name === '--build-sea')
      addFileAction(call, 'write', UNKNOWN_ARG)
  }
}

const nodeValues = `-C --conditions --input-type --snapshot-blob --build-snapshot-config --experimental-sea-config --build-sea ${NODE_OUTPUT_FOLDERS}`
const node = interpreter('-e -p --eval --print', nodeValues, {
  writes: NODE_OUTPUT_FILES,
  runs: '-e -p --eval --print -r --require --import --loader --experimental-loader',
  reads: '--env-file --env-file-if-exists',
  flags: '--check --test --watch --build-snapshot --heap-prof --cpu-prof -i -c',
})

/** True for words such as `a.yaml`, `conf/a`. */
const isDocument = (arg: Arg | undefined): boolean =>
  /^[\w.~@/-]*(\/[\w.@-]+|\.(ya?ml|json|toml|xml|properties|csv|tsv))$/i.test(arg?.text ?? '')

export const INTERPRETER_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  perl: { flags: '-p -n -w -l -0 -a -i -s -T -W -c -v', values: '-I -F -M -m', runs: '-e -E', special: readPerl },
  ruby: { flags: '-p -n -w -l -a -i -c -v', values: '-I -r -C', runs: '-e', special: readPerl },
  python,
  pypy3: python,
  node,
  nodejs: node,
  tsx: node,
  php: interpreter('-r -B -R -E', '-d -c'),
  lua: interpreter('-e', '-l'),
  ...forNames('ex ed vi vim nvim gvim rvim evim vimdiff gvimdiff view rview gview nano', editor),
  emacs: { runs: '--eval --execute -l --load -f', operands: 'write' },
  yq: {
    onlyReads: true,
    harmful: true,
    flags: '-r -P -C -M -N -e -n -j -s',
    values: '-o -p -I --output-format --input-format --indent --from-file --expression',
    risks: '--security-enable-system-operator',
    special: call => {
      const inPlace = call.args.some(({ head }) => /^(-[\da-zA-Z]*i|--in-?p)/.test(head))
      if (hasOption(call, '-s --split-exp')) addFileAction(call, 'write', UNKNOWN_ARG)
      const { operands } = call.line
      const words = /^(eval|e|eval-all|ea)$/.test(operands[0]?.text ?? '') ? operands.slice(1) : operands
      // the first word is the expression, unless it is the only word or a file
      const all = inPlace && (words.length === 1 || hasOption(call, '--from-file --expression') || isDocument(words[0]))
      addFileActions(call, inPlace ? 'write' : 'read', all ? words : words.slice(1))
    },
  },
}
