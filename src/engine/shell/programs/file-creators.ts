import { type Arg, literalArg } from '../calls/argument.ts'
import { addFileAction, addOpaqueAction, findOption, hasOption, type ProgramCall } from '../calls/program-call.ts'
import type { ProgramDescription } from '../calls/program-description.ts'
import { evaluateIndexes } from './builtins.ts'

/** `mktemp [-p dir] [template]`: random characters replace the Xs. */
function readMktemp(call: ProgramCall): void {
  if (hasOption(call, '-u --dry-run')) return
  const [template] = call.line.operands
  const folder = findOption(call, '-p --tmpdir')?.value
  if (template === undefined || hasOption(call, '-t')) addFileAction(call, 'write', folder)
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
  mapfile,
  readarray: mapfile,
  compgen: { onlyReads: true, runs: '-C -F -W', values: '-A -G -P -S -X -o -V' },
  complete: { runs: '-C -F -W', values: '-A -G -P -S -X -o' },
}
