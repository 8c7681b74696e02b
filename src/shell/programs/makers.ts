import { type Arg, literal } from '../arg.ts'
import { type Call, find, has, obscure, touch } from '../call.ts'
import type { Description } from '../description.ts'
import { heedIndexes } from './builtins.ts'

/** `mktemp [-p dir] [template]`: the Xs become something else. */
function readMktemp(call: Call): void {
  if (has(call, '-u --dry-run')) return
  const [template] = call.line.operands
  const folder = find(call, '-p --tmpdir')?.value
  if (template === undefined || has(call, '-t')) touch(call, 'write', folder)
  else if (folder === undefined) touch(call, 'write', filledIn(template, ''))
  else touch(call, 'write', folder.text === null ? folder : filledIn(template, `${folder.text}/`))
}

const filledIn = (template: Arg, before: string): Arg =>
  template.text === null
    ? template
    : { ...literal(before + template.text.replace(/X{3,}/, '*')), glob: /X{3,}/.test(template.text) }

const OPENSSL_WRITES = new Set(
  '-out -keyout -writerand -CAserial -sess_out -keylogfile -certsout -signer_out'.split(' '),
)
const OPENSSL_READS = new Set('-in -inkey -key -CA -CAkey -CAfile -cert -config -extfile -rand'.split(' '))

/** Options with which `openssl version` and `openssl x509 -noout` only show something. */
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

function showsOnly([, sub, ...words]: readonly Arg[]): boolean {
  const shows = OPENSSL_SHOWS.get(sub?.text)
  if (shows === undefined || (sub?.text === 'x509' && !words.some(({ text }) => text === '-noout'))) return false
  return words.every(({ text, loose }) => text !== null && !loose && (!text.startsWith('-') || shows.has(text)))
}

function readOpenssl(call: Call): void {
  call.onlyReads = showsOnly(call.args)
  call.args.forEach(({ text }, at) => {
    if (text === null) return
    if (OPENSSL_WRITES.has(text)) touch(call, 'write', call.args[at + 1])
    else if (OPENSSL_READS.has(text)) touch(call, 'read', call.args[at + 1])
    else if (/^-(engine|provider|provider-path)$/.test(text)) obscure(call)
  })
}

function readHistory(call: Call): void {
  const [file] = call.line.operands
  if (has(call, '-w -a')) touch(call, 'write', file ?? literal('~/.bash_history'))
  else if (has(call, '-r -n')) touch(call, 'read', file)
}

const mapfile: Description = {
  onlyReads: true,
  flags: '-t',
  values: '-d -n -O -s -u -c',
  runs: '-C',
  special: heedIndexes,
}

/** Programs that make a file besides what they are for. */
export const MAKERS: Readonly<Record<string, Description>> = {
  mktemp: { flags: '-d -u -q -t --directory --dry-run --quiet --tmpdir', values: '-p --suffix', special: readMktemp },
  mknod: { values: '-m --mode', special: call => touch(call, 'write', call.line.operands[0]) },
  fallocate: { flags: '-c -d -i -n -p -v -x -z', values: '-l -o --length --offset', operands: 'write' },
  shuf: {
    onlyReads: true,
    flags: '-e -r -z --echo --repeat --zero-terminated',
    values: '-i -n --input-range --head-count',
    reads: '--random-source',
    writes: '-o --output',
    special: call => {
      if (!has(call, '-e --echo')) for (const file of call.line.operands) touch(call, 'read', file)
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
