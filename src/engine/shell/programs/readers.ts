import { literalArg, mayBeOneOf } from '../calls/argument.ts'
import type { ProgramDescription } from '../calls/program-call.ts'
import { addFileActions, addOpaqueAction, forNames, hasOption, type ProgramCall } from '../calls/program-call.ts'
import { noteFolderContents, noteWildcardMatches } from '../scope/path-resolution.ts'
import {
  declarationBuiltin,
  jobsBuiltin,
  letBuiltin,
  numericBuiltin,
  printBuiltin,
  printfBuiltin,
  setBuiltin,
  testBuiltin,
  variableNamesBuiltin,
  waitBuiltin,
} from './builtins.ts'
import { pager } from './pagers.ts'
import { optionsOf } from './rare-programs/index.ts'

const silentReader: ProgramDescription = { onlyReads: true }
const noteWildcards = (call: ProgramCall): void => noteWildcardMatches(call.args, call.scope)

function readLs(call: ProgramCall): void {
  noteWildcards(call)
  const { operands } = call.line
  if (!hasOption(call, '-d --directory'))
    noteFolderContents(
      operands.length === 0 ? [literalArg('.')] : operands,
      hasOption(call, '-a -A -f --all --almost-all'),
      call.scope,
    )
}
const fileReader: ProgramDescription = { onlyReads: true, operands: 'read' }

/** Each letter that takes a value takes its own word: `-Lo 2 f` writes `f`. */
const tree: ProgramDescription = {
  onlyReads: true,
  recursive: '',
  operands: 'read',
  flags: '-a -d -f -i -h',
  values: '-L -I -P --filelimit',
  writes: '-o',
  alters: '-R',
  special: call => {
    const at = call.args.findIndex(({ text, head }) => /^-[^-]*[oR]/.test(text ?? head))
    if (at === -1) return
    call.onlyReads = false
    if (!hasOption(call, '-o')) addFileActions(call, 'write', call.args.slice(at + 1))
  },
}

/** `@file` inserts options from the file. */
const binaryReader: ProgramDescription = {
  ...fileReader,
  runs: '--plugin',
  special: call => {
    if (call.line.operands.some(({ head }) => head.startsWith('@'))) addOpaqueAction(call)
  },
}

/** Programs that only read, unless an option says otherwise, and builtins. */
export const READER_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  ...forNames(
    'tac pr bc rev md5sum sha1sum sha256sum sha512sum cksum b2sum sha224sum sha384sum md5 zipinfo readelf eza exa getfacl',
    fileReader,
  ),
  ...forNames(
    'look expr numfmt yes pwd true false : sleep seq basename dirname cal whoami id groups uname which whereis help dirs times getconf getent who w last lscpu lsblk lsusb lspci lsmod vmstat iostat netstat tput uuidgen type uptime nproc tty locale printenv ps pgrep free cd pushd popd shopt',
    silentReader,
  ),
  ls: {
    ...fileReader,
    recursive: '-R --recursive',
    special: readLs,
    flags: '-l -a -A -h -t -r -R -1 -d -S -F -i -s -p -G -C -x -n -g -o',
    values: '-I -w -T',
  },
  cat: { ...fileReader, flags: '-n -b -s -A -E -T -v -e -t -u' },
  head: { ...fileReader, flags: '-q -v -z', values: '-n -c --lines --bytes' },
  tail: { ...fileReader, flags: '-f -F -q -v -r -z --follow --retry', values: '-n -c -s --pid --lines --bytes' },
  less: pager,
  more: pager,
  zless: pager,
  zmore: pager,
  bat: {
    ...fileReader,
    flags: '-p -n -A',
    values: '-l --language --style -r --line-range --theme',
    runs: '--pager --config-file',
    alters: '--generate-config-file',
    special: call => {
      if (call.line.operands.some(arg => mayBeOneOf(arg, ['cache']))) call.onlyReads = false
    },
  },
  wc: { ...fileReader, flags: '-l -w -c -m -L', reads: '--files0-from' },
  sort: {
    ...fileReader,
    flags: '-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z',
    values: '-k -t -S -T --key --field-separator --buffer-size --parallel --batch-size --sort --temporary-directory',
    reads: '--files0-from --random-source',
    writes: '-o --output',
    runs: '--compress-program',
  },
  cut: { ...fileReader, flags: '-s -n -z --complement', values: '-b -c -d -f --delimiter --fields --output-delimiter' },
  tr: { ...silentReader, flags: '-c -C -d -s -t' },
  nl: { ...fileReader, values: '-b -d -f -h -i -l -n -s -v -w' },
  od: { ...fileReader, flags: '-v -b -c -d -o -s -x', values: '-A -j -N -t -w -S' },
  hexdump: { ...fileReader, flags: '-C -b -c -d -o -x -v', values: '-n -s -e', reads: '-f' },
  strings: { ...fileReader, values: '-n -t -e' },
  paste: { ...fileReader, values: '-d', flags: '-s -z' },
  join: { ...fileReader, values: '-t -j -1 -2 -a -e -o -v' },
  fold: { ...fileReader, values: '-w', flags: '-s -b' },
  fmt: { ...fileReader, values: '-w' },
  column: { ...fileReader, values: '-s -o -c -N', flags: '-t' },
  expand: { ...fileReader, values: '-t' },
  file: { ...fileReader, flags: '-b -i -L -z -k', reads: '-f -m', alters: '-C --compile' },
  stat: { ...fileReader, values: '-c -f --format --printf -t' },
  du: { ...fileReader, flags: '-s -h -a -c -k -m -x', values: '-d --max-depth --exclude' },
  df: { ...fileReader, flags: '-h -T -i -k', values: '-t -x' },
  tree,
  shasum: { ...fileReader, values: '-a' },
  nm: binaryReader,
  objdump: binaryReader,
  size: binaryReader,
  base64: { ...fileReader, flags: '-d -D', values: '-w -b --wrap --break', writes: '-o --output', reads: '-i --input' },
  diff: {
    ...fileReader,
    recursive: '-r --recursive',
    flags: '-u -r -q -N -a -b -B -c -e -i -w -y -s -t --brief --recursive --unified --color',
    values: '-U -C -x -I -L -W --label --exclude',
    writes: '--output',
  },
  cmp: { ...fileReader, flags: '-s -l -b', values: '-n -i' },
  comm: { ...fileReader, flags: '-1 -2 -3' },
  readlink: { ...fileReader, flags: '-f -e -m -n' },
  realpath: { ...fileReader, values: '--relative-to --relative-base' },
  test: testBuiltin,
  '[': testBuiltin,
  echo: { ...silentReader, special: noteWildcards },
  printf: printfBuiltin,
  date: {
    ...silentReader,
    values: '-d -r -f --date',
    alters: '-s --set',
    special: call => {
      if (call.line.operands.some(arg => !arg.head.startsWith('+'))) call.onlyReads = false
    },
  },
  hostname: {
    ...silentReader,
    alters: '-F --file',
    special: call => {
      if (call.line.operands.length > 0) call.onlyReads = false
    },
  },
  whatis: { ...silentReader, runs: '-C --config-file' },
  apropos: { ...silentReader, runs: '-C --config-file' },
  top: { ...silentReader, flags: '-b', values: '-n -p -d -u' },
  ss: { ...silentReader, flags: '-t -u -l -n -p -a -x -s -e -i -m -o -4 -6', alters: '-K --kill', writes: '-D --diag' },
  dmesg: { ...silentReader, alters: '-C -c -D -E -n --clear --read-clear --console-off --console-on --console-level' },
  man: {
    ...silentReader,
    get flags() {
      return optionsOf('man flags')
    },
    get values() {
      return optionsOf('man values')
    },
    get runs() {
      return optionsOf('man runs')
    },
    risks: '-H --html -X --gxditview -Z --ditroff -t --troff',
  },
  lsof: { ...silentReader, alters: '-D' },
  // without a count `ping` never ends
  ping: {
    ...silentReader,
    get flags() {
      return optionsOf('ping flags')
    },
    get values() {
      return optionsOf('ping values')
    },
    alters: '-f -A -b',
    special: call => {
      if (!hasOption(call, '-c')) call.onlyReads = false
    },
  },
  jobs: jobsBuiltin,
  umask: {
    ...silentReader,
    special: call => {
      if (call.line.operands.length > 0) call.onlyReads = false
    },
  },
  set: setBuiltin,
  export: declarationBuiltin,
  declare: declarationBuiltin,
  typeset: declarationBuiltin,
  local: declarationBuiltin,
  integer: declarationBuiltin,
  float: declarationBuiltin,
  readonly: declarationBuiltin,
  unset: declarationBuiltin,
  read: declarationBuiltin,
  shift: numericBuiltin,
  wait: waitBuiltin,
  let: letBuiltin,
  getopts: variableNamesBuiltin,
  logout: variableNamesBuiltin,
  ulimit: variableNamesBuiltin,
  vared: variableNamesBuiltin,
  print: printBuiltin,
  zformat: variableNamesBuiltin,
  getln: variableNamesBuiltin,
  exit: numericBuiltin,
  return: numericBuiltin,
  break: numericBuiltin,
  continue: numericBuiltin,
  jq: {
    ...fileReader,
    skip: 1,
    skipUnless: '-f --from-file',
    flags: '-r -c -n -s -e -S -C -M -a -j -R --raw-output --compact-output --null-input --slurp',
    values: '--indent -L',
    reads: '-f --from-file',
  },
}
