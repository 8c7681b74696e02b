import { type Arg, basename, literal, UNKNOWN } from '../arg.ts'
import { type Call, find, has, obscure, touch, touchAll, touchWhole } from '../call.ts'
import type { Description } from '../description.ts'
import { join } from '../place.ts'

const HERE = literal('.')

interface OldStyle {
  readonly letters: string
  readonly file: Arg | undefined
  readonly folder: Arg | undefined
  readonly snapshot: Arg | undefined
  readonly rest: readonly Arg[]
}

/** `tar xzf a.tgz`: the first word may hold the letters without a dash; then values follow in order. */
function oldStyle(call: Call): OldStyle | undefined {
  const first = call.args[1]?.text
  if (first === undefined || first === null || !/^[A-Za-z]+$/.test(first) || !/[xctru]/.test(first)) return undefined
  let at = 2
  let file: Arg | undefined
  let folder: Arg | undefined
  let snapshot: Arg | undefined
  for (const letter of first) {
    if (letter === 'f') file = call.args[at]
    if (letter === 'C') folder = call.args[at]
    if (letter === 'g') snapshot = call.args[at]
    if ('bCfFgHIKLNTVX'.includes(letter)) at += 1
  }
  return { letters: first, file, folder, snapshot, rest: call.line.operands.slice(at - 1) }
}

function readTar(call: Call): void {
  const old = oldStyle(call)
  const does = (letter: string, names: string): boolean => old?.letters.includes(letter) === true || has(call, names)
  const file = old?.file ?? find(call, '-f --file')?.value
  const folder = old?.folder ?? find(call, '-C --directory')?.value
  const rest = old === undefined ? call.line.operands : old.rest
  // `host:file` is fetched by a program of another name
  if ((old !== undefined && /[IF]/.test(old.letters)) || file?.head.includes(':')) obscure(call)
  if (old?.snapshot !== undefined) touch(call, 'write', old.snapshot)
  if (does('x', '-x --extract --get')) {
    touch(call, 'read', file)
    if (!does('O', '-O --to-stdout')) extract(call, folder ?? HERE, rest)
    for (const name of renamed(call)) touch(call, 'write', below(folder, name), { whole: true })
    const top = find(call, '--one-top-level')
    if (top !== undefined) touchWhole(call, below(folder, top.value ?? stem(file)))
  } else if (does('t', '-t --list')) {
    touch(call, 'read', file)
    // a line of such a list that begins with a dash is an option
    if (does('T', '-T --files-from')) call.onlyReads = false
  } else {
    touchAll(call, does('\0', '--remove-files') ? 'delete' : 'read', rest)
    touch(call, 'write', file)
  }
}

/** What `--transform s,a,b,` (in other tars `-s ,a,b,`) makes of a member's name, where the text says so. */
function renamed(call: Call): readonly Arg[] {
  const given = call.line.options.flatMap(({ name, value }) => (isTransform(name) && value ? [value] : []))
  const after = call.args.filter((_, at) => /^-\w*s$/.test(call.args[at - 1]?.text ?? ''))
  return [...given, ...after].flatMap(({ text }) => {
    if (text === null) return [UNKNOWN]
    return text.split(';').flatMap(one => {
      const [, separator = ''] = /^s?([^\w\s.-])/.exec(one) ?? []
      const [, , to] = separator === '' ? [] : one.split(separator)
      return to === undefined ? [] : /[&\\~]/.test(to) ? [UNKNOWN] : [literal(to)]
    })
  })
}

const isTransform = (name: string): boolean => /^--(transform|xform)$/.test(name)

/** The folder that `--one-top-level` makes of the name of the archive. */
const stem = (file: Arg | undefined): Arg =>
  file === undefined || file.text === null ? UNKNOWN : literal(basename(file.text).replace(/(\.tar)?\.\w+$|\.tar$/, ''))

const below = (folder: Arg | undefined, name: Arg): Arg =>
  folder === undefined || name.text === null
    ? name
    : folder.text === null
      ? folder
      : literal(join(folder.text, name.text))

function readUnzip(call: Call): void {
  const [archive] = call.line.operands
  touch(call, 'read', archive)
  // a second dash takes back what an option said, even one of the next word: `-l --l`, `-l -- -l`
  const takesBack = call.args.some(({ head }) => /^-.*-/s.test(head))
  if (has(call, '-l -t -v -Z -p -z') && !takesBack) return
  extract(call, find(call, '-d')?.value ?? HERE, call.line.operands.slice(1))
}

/** Into the folder; members that are named, as wildcards of the program or not, are written below it. */
function extract(call: Call, folder: Arg, members: readonly Arg[]): void {
  touchWhole(call, folder)
  for (const { text } of members)
    if (text !== null && folder.text !== null)
      touch(call, 'write', { ...literal(`${folder.text}/${text}`), glob: /[*?[]/.test(text) }, { whole: true })
}

function readZip(call: Call): void {
  const [archive, ...rest] = call.line.operands
  if (has(call, '-TT --unzip-command')) obscure(call)
  touch(call, 'write', archive)
  touchAll(call, has(call, '-m --move') ? 'delete' : 'read', rest)
}

/** Replaces each file by its packed or unpacked self, unless it writes to standard output. */
const readPacker =
  (suffix: string, unpacks: boolean) =>
  (call: Call): void => {
    const { operands } = call.line
    touchAll(call, 'read', operands)
    if (has(call, '-c --stdout --to-stdout')) return
    // of `-t -d` the last one counts
    const works = has(call, '-d --decompress --uncompress -z --compress')
    if (has(call, '-l --list -t --test') && !works) return
    const unpack = unpacks || has(call, '-d --decompress --uncompress')
    for (const arg of operands) {
      const { text } = arg
      if (text === null) touch(call, 'write', arg)
      else if (unpack) touch(call, 'write', { ...arg, ...literal(text.replace(/\.[^./]+$/, '')), glob: arg.glob })
      else touch(call, 'write', { ...arg, ...literal(text + suffix), glob: arg.glob })
      if (suffix !== '.zst' && !has(call, '-k --keep')) touch(call, 'delete', arg)
    }
  }

const packer = (suffix: string, unpacks = false): Description => ({
  onlyReads: true,
  harmful: true,
  flags: '-d -k -f -c -l -t -v -q -r -T -1 -2 -3 -4 -5 -6 -7 -8 -9 --stdout --keep --force --decompress',
  values: '-S --suffix',
  writes: '-o --trace --output-dir-flat --output-dir-mirror',
  // files named elsewhere are worked on, too
  alters: '--rm --files --files0 --filelist --train --train-cover --train-fastcover --train-legacy',
  special: readPacker(suffix, unpacks),
})

/** Copies what it is told of on standard input (`-p`), perhaps as links to it (`-l`), or unpacks (`-i`). */
function readCpio(call: Call): void {
  if (has(call, '-t --list') && !has(call, '-i -p --extract --pass-through')) return
  if (has(call, '-p --pass-through')) touchWhole(call, call.line.operands.at(-1))
  else if (has(call, '-i --extract')) touchWhole(call, find(call, '-D --directory')?.value ?? HERE)
  // names in the archive may be absolute
  if (has(call, '-i -p --extract --pass-through')) touch(call, 'write', UNKNOWN)
  if (has(call, '-l --link')) touch(call, 'write', UNKNOWN)
}

/** `pax -rw [-l] file… folder` copies or links; `pax -r` unpacks. */
function readPax(call: Call): void {
  const { operands } = call.line
  const [reads, writes] = [has(call, '-r'), has(call, '-w')]
  if (reads) touchWhole(call, writes ? operands.at(-1) : HERE)
  if (reads) for (const name of renamed(call)) touch(call, 'write', name, { whole: true })
  if (!reads || !writes) return
  for (const source of operands.slice(0, -1)) {
    if (has(call, '-l')) touchWhole(call, source)
    else touch(call, 'read', source)
  }
  if (operands.length < 2 && has(call, '-l')) touch(call, 'write', UNKNOWN)
}

const viewer: Description = { onlyReads: true, operands: 'read' }

const tar: Description = {
  onlyReads: true,
  harmful: true,
  flags:
    '-x -c -t -r -u -z -j -J -v -p -k -a -h -P -O --extract --create --list --gzip --verbose --remove-files --get --to-stdout --wildcards --one-top-level',
  values: '-f --file -C --directory --exclude --strip-components --transform --xform -b --owner --group --mode',
  reads: '-T --files-from -X --exclude-from',
  writes: '-g --listed-incremental --index-file --volno-file',
  runs: '-I --use-compress-program --to-command --checkpoint-action -F --info-script --new-volume-script --rsh-command --rmt-command',
  special: readTar,
}

export const ARCHIVES: Readonly<Record<string, Description>> = {
  tar,
  gtar: tar,
  bsdtar: tar,
  cpio: {
    flags: '-i -o -p -t -d -l -m -u -v -a -0 -B --extract --create --list --pass-through --link --make-directories',
    values: '-D -H -E -R --directory --format --pattern-file --owner',
    writes: '-O -F --file',
    special: readCpio,
  },
  pax: { flags: '-r -w -l -v -d -k -u -n -z', values: '-b -o -p -s -x -B', writes: '-f', special: readPax },
  unzip: {
    onlyReads: true,
    harmful: true,
    flags: '-o -n -q -l -t -v -p -j -a -z',
    values: '-d -x -P',
    special: readUnzip,
  },
  zip: { flags: '-r -q -j -m -u -9 -1 -d -e -y -T', values: '-x -i -P -n -TT --unzip-command', special: readZip },
  gzip: packer('.gz'),
  gunzip: packer('.gz', true),
  bzip2: packer('.bz2'),
  bunzip2: packer('.bz2', true),
  xz: packer('.xz'),
  unxz: packer('.xz', true),
  zstd: packer('.zst'),
  unzstd: packer('.zst', true),
  zcat: viewer,
  bzcat: viewer,
  xzcat: viewer,
  zstdcat: {
    ...viewer,
    alters: '--rm',
    writes: '-o --trace --output-dir-flat --output-dir-mirror',
    values: '-D',
    flags: '-M',
  },
  '7z': { flags: '-y', special: call => obscure(call) },
}
