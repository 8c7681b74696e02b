import { type Arg, literalArg, scriptTextOf, UNKNOWN_ARG } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import {
  addFileAction,
  addFolderWrite,
  addOpaqueAction,
  findOption,
  hasOption,
  type ProgramCall,
} from '../../calls/program-call.ts'
import { evaluateIndexes } from '../builtins.ts'
import { fileFromVariable } from '../git/git-config.ts'

/** `mktemp [-p dir] [template]`: random characters replace the Xs. */
function readMktemp(call: ProgramCall): void {
  if (hasOption(call, '-u --dry-run')) return
  const [template] = call.line.operands
  const folder = findOption(call, '-p --tmpdir')?.value
  if (template === undefined || hasOption(call, '-t'))
    addFileAction(call, 'write', folder ?? fileFromVariable(call, 'TMPDIR'))
  else if (folder === undefined) addFileAction(call, 'write', fillTemplateName(template, ''))
  else addFileAction(call, 'write', folder.text === null ? folder : fillTemplateName(template, `${folder.text}/`))
}

const fillTemplateName = (template: Arg, before: string): Arg =>
  template.text === null
    ? template
    : { ...literalArg(before + template.text.replace(/X{3,}/, '*')), glob: /X{3,}/.test(template.text) }

const OPENSSL_WRITES = new Set(
  '-out -keyout -writerand -CAserial -sess_out -keylogfile -certsout -signer_out'.split(' '),
)
const OPENSSL_READS = new Set('-in -inkey -key -CA -CAkey -CAfile -cert -config -extfile -rand'.split(' '))

/** Options with which `openssl version` and `openssl x509 -noout` only display something. */
const OPENSSL_SHOWS: ReadonlyMap<string | null | undefined, ReadonlySet<string>> = new Map([
  ['version', new Set('-a -v -b -d -e -f -m -o -p -r -c'.split(' '))],
  [
    'x509',
    new Set(
      '-noout -in -inform -text -subject -issuer -dates -startdate -enddate -serial -fingerprint -md5 -sha1 -sha256 -sha512 -email -hash -subject_hash -issuer_hash -purpose -checkend -checkhost -checkemail -checkip -nameopt -certopt -dateopt -ext -modulus -ocsp_uri -alias -ocspid -pubkey'.split(
        ' ',
      ),
    ),
  ],
])

function isOpensslShowOnly([, sub, ...words]: readonly Arg[]): boolean {
  const shows = OPENSSL_SHOWS.get(sub?.text)
  if (shows === undefined || (sub?.text === 'x509' && !words.some(({ text }) => text === '-noout'))) return false
  return words.every(({ text, loose }) => text !== null && !loose && (!text.startsWith('-') || shows.has(text)))
}

function readOpenssl(call: ProgramCall): void {
  call.onlyReads = isOpensslShowOnly(call.args)
  call.args.forEach(({ text }, at) => {
    if (text === null) return
    if (OPENSSL_WRITES.has(text)) addFileAction(call, 'write', call.args[at + 1])
    else if (OPENSSL_READS.has(text)) addFileAction(call, 'read', call.args[at + 1])
    else if (/^-(engine|provider|provider-path)$/.test(text)) addOpaqueAction(call)
  })
}

function readHistory(call: ProgramCall): void {
  const [file] = call.line.operands
  if (hasOption(call, '-w -a')) addFileAction(call, 'write', file ?? literalArg('~/.bash_history'))
  else if (hasOption(call, '-r -n')) addFileAction(call, 'read', file)
}

/** Programs that fill a folder which is one of their operands, counted behind the verb, if there is one. */
const folderMaker = (at: number, verb?: RegExp, values = '-d -o -p'): ProgramDescription => ({
  values,
  special: call => {
    const { operands } = call.line
    if (verb !== undefined && !verb.test(operands[0]?.text ?? '')) return
    const folder = operands.slice(verb === undefined ? 0 : 1).at(at)
    if (folder !== undefined) addFolderWrite(call, folder)
    if (hasOption(call, '--clear --force -f')) addFileAction(call, 'delete', folder)
  },
})

/** `sg run -p a -r b -U folder`: edits every file below its folders. */
const codeRewriter: ProgramDescription = {
  flags: '-i -U --interactive --update-all --json',
  values:
    '-p -r -l -c -j --pattern --rewrite --lang --selector --strictness --threads --globs --rule --inline-rules --config',
  special: call => {
    if (!hasOption(call, '-U -i --update-all --interactive')) return
    const folders = call.line.operands.filter(({ text }) => !/^(run|scan)$/.test(text ?? ''))
    for (const folder of folders) addFolderWrite(call, folder)
    if (folders.length === 0) addFileAction(call, 'write', UNKNOWN_ARG)
  },
}

/** `sg` is ast-grep, or the program that runs a command with another group: `sg wheel -c 'line'`. */
function readSg(call: ProgramCall): void {
  codeRewriter.special?.(call)
  const [, word] = call.line.operands
  const line = findOption(call, '-c')?.value ?? (/\s/.test(word?.text ?? '') ? word : undefined)
  if (line !== undefined && !hasOption(call, '-p -r --pattern --rewrite'))
    call.inner.push({ run: { script: scriptTextOf(line) }, keeps: true })
}

const EXTRACTIONS = '-x -X -R -e --extract --vextract --raw-extract --control'

/** `dpkg -x package folder` */
const packageUnpacker: ProgramDescription = {
  flags: EXTRACTIONS,
  special: call => {
    const folder = call.line.operands.at(-1)
    if (hasOption(call, EXTRACTIONS)) addFolderWrite(call, folder)
  },
}

const mapfile: ProgramDescription = {
  onlyReads: true,
  flags: '-t',
  values: '-d -n -O -s -u -c',
  runs: '-C',
  special: evaluateIndexes,
}

/** Programs that create a file besides their main purpose. */
export const FILE_CREATOR_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  mktemp: { flags: '-d -u -q -t --directory --dry-run --quiet --tmpdir', values: '-p --suffix', special: readMktemp },
  mknod: { values: '-m --mode', special: call => addFileAction(call, 'write', call.line.operands[0]) },
  fallocate: { flags: '-c -d -i -n -p -v -x -z', values: '-l -o --length --offset', operands: 'write' },
  shuf: {
    onlyReads: true,
    flags: '-e -r -z --echo --repeat --zero-terminated',
    values: '-i -n --input-range --head-count',
    reads: '--random-source',
    writes: '-o --output',
    special: call => {
      if (!hasOption(call, '-e --echo')) for (const file of call.line.operands) addFileAction(call, 'read', file)
    },
  },
  iconv: {
    onlyReads: true,
    flags: '-c -s -l --list --silent',
    values: '-f -t --from-code --to-code',
    writes: '-o --output',
    operands: 'read',
  },
  openssl: { inner: () => undefined, special: readOpenssl },
  history: { onlyReads: true, flags: '-s -p', alters: '-c -d -w -a -r -n', special: readHistory },
  virtualenv: folderMaker(0, undefined, '-p --python --prompt --app-data'),
  degit: folderMaker(1),
  tiged: folderMaker(1),
  giget: folderMaker(1),
  ditto: folderMaker(-1),
  'django-admin': folderMaker(1, /^start(project|app)$/),
  hugo: folderMaker(-1, /^new$/),
  unrar: folderMaker(-1, /^[xe]$/),
  rar: folderMaker(-1, /^[xe]$/),
  unsquashfs: { writes: '-d -dest', special: call => addFolderWrite(call, findOption(call, '-d -dest')?.value) },
  'sphinx-build': folderMaker(1),
  'ast-grep': codeRewriter,
  sg: { ...codeRewriter, special: readSg },
  dpkg: packageUnpacker,
  'dpkg-deb': packageUnpacker,
  mapfile,
  readarray: mapfile,
  compgen: { onlyReads: true, runs: '-C -F -W', values: '-A -G -P -S -X -o -V' },
  complete: { runs: '-C -F -W', values: '-A -G -P -S -X -o' },
}
