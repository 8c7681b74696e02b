import { type Arg, basename, literalArg, UNKNOWN_ARG } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import {
  addFileAction,
  addFileActions,
  addFolderWrite,
  addOpaqueAction,
  findOption,
  hasOption,
  isOptionNamed,
  type ProgramCall,
} from '../../calls/program-call.ts'
import { joinPath } from '../../scope/path-resolution.ts'

const CURRENT_FOLDER = literalArg('.')

interface BundledTarOptions {
  readonly letters: string
  readonly file: Arg | undefined
  readonly folder: Arg | undefined
  readonly snapshot: Arg | undefined
  readonly rest: readonly Arg[]
}

/** `tar xzf a.tgz`: the first word may contain the letters without a dash. Their values follow in order. */
function parseBundledTarOptions(call: ProgramCall): BundledTarOptions | undefined {
  const first = call.args[1]?.text
  if (first === undefined || first === null || !/^[A-Za-z]+$/.test(first) || !/[xctruAd]/.test(first)) return undefined
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

function readTar(call: ProgramCall): void {
  const old = parseBundledTarOptions(call)
  const does = (letter: string, names: string): boolean =>
    old?.letters.includes(letter) === true || hasOption(call, names)
  const file = old?.file ?? findOption(call, '-f --file')?.value
  const rest = old === undefined ? call.line.operands : old.rest
  const folders = tarFolders(call, old?.folder, rest)
  // for `host:file`, tar runs another program to fetch the archive; at the end of a volume, it reads answers, and `!` starts a shell
  if ((old !== undefined && /[IFLM]/.test(old.letters)) || file?.head.includes(':')) addOpaqueAction(call)
  if (old?.snapshot !== undefined) addFileAction(call, 'write', old.snapshot)
  // a line in the list file that begins with a dash is an option, and the names in it are unknown
  const hasList = does('T', '-T --files-from')
  const deletes = hasOption(call, '--remove-files')
  if (does('x', '-x --extract --get')) {
    addFileAction(call, 'read', file)
    for (const folder of folders) {
      if (!does('O', '-O --to-stdout')) addExtraction(call, folder, rest)
      for (const name of transformedNames(call)) addFileAction(call, 'write', joinBelow(folder, name), { whole: true })
      const top = findOption(call, '--one-top-level')
      if (top !== undefined) addFolderWrite(call, joinBelow(folder, top.value ?? archiveStem(file)))
    }
    if (hasList) addOpaqueAction(call)
  } else if (does('t', '-t --list')) {
    addFileAction(call, 'read', file)
    if (hasList) call.onlyReads = false
  } else {
    const members = folders.flatMap(folder => rest.map(name => joinBelow(folder, name)))
    for (const member of members)
      addFileAction(call, deletes ? 'delete' : 'read', member, deletes ? {} : { whole: true })
    if (hasList && deletes) addFileAction(call, 'delete', UNKNOWN_ARG)
    if (hasList) addOpaqueAction(call)
    addFileAction(call, 'write', file)
  }
}

const MAX_TAR_FOLDERS = 8

/**
 * The folders that names may be relative to: where tar is started, unless a `-C` comes first, and each `-C`, which counts from the one
 * before it. Which names stand behind which `-C` is left open.
 */
function tarFolders(call: ProgramCall, first: Arg | undefined, names: readonly Arg[]): readonly Arg[] {
  const given = call.line.options.flatMap(option =>
    isOptionNamed(option, '-C') || isOptionNamed(option, '--directory') ? [option.value ?? UNKNOWN_ARG] : [],
  )
  const folders: Arg[] = [CURRENT_FOLDER]
  for (const folder of first === undefined ? given : [first, ...given])
    folders.push(folders.length === 1 ? folder : joinBelow(folders.at(-1), folder))
  if (folders.length > MAX_TAR_FOLDERS) return [CURRENT_FOLDER, UNKNOWN_ARG]
  return folders.length > 1 && isBeforeNames(call, names) ? folders.slice(1) : folders
}

/** True if a `-C` stands before every name. */
function isBeforeNames({ args }: ProgramCall, [name]: readonly Arg[]): boolean {
  const option = args.findIndex(({ head }, at) => at > 0 && /^(-\w*C|--di)|^(?!-)\w*C/.test(head))
  return name === undefined || (option > 0 && option < args.indexOf(name))
}

/** Member names that `--transform s,a,b,` (`-s ,a,b,` in other versions of tar) produces, if its text shows them. */
function transformedNames(call: ProgramCall): readonly Arg[] {
  const given = call.line.options.flatMap(({ name, value }) => (isTransform(name) && value ? [value] : []))
  const after = call.args.filter((_, at) => /^-\w*s$/.test(call.args[at - 1]?.text ?? ''))
  return [...given, ...after].flatMap(({ text }) => {
    if (text === null) return [UNKNOWN_ARG]
    return text.split(';').flatMap(one => {
      const [, separator = ''] = /^s?([^\w\s.-])/.exec(one) ?? []
      const [, , to] = separator === '' ? [] : one.split(separator)
      return to === undefined ? [] : /[&\\~]/.test(to) ? [UNKNOWN_ARG] : [literalArg(to)]
    })
  })
}

const isTransform = (name: string): boolean => /^--(transform|xform)$/.test(name)

/** The folder name that `--one-top-level` derives from the archive name. */
const archiveStem = (file: Arg | undefined): Arg =>
  file === undefined || file.text === null
    ? UNKNOWN_ARG
    : literalArg(basename(file.text).replace(/(\.tar)?\.\w+$|\.tar$/, ''))

const joinBelow = (folder: Arg | undefined, name: Arg): Arg =>
  folder === undefined || folder === CURRENT_FOLDER || name.text === null
    ? name
    : folder.text === null
      ? folder
      : { ...literalArg(joinPath(folder.text, name.text)), glob: folder.glob || name.glob }

function readUnzip(call: ProgramCall): void {
  const [archive] = call.line.operands
  addFileAction(call, 'read', archive)
  // a second dash cancels an option, even of the next word: `-l --l`, `-l -- -l`
  const takesBack = call.args.some(({ head }) => /^-.*-/s.test(head))
  if (hasOption(call, '-l -t -v -Z -p -z') && !takesBack) return
  addExtraction(call, findOption(call, '-d')?.value ?? CURRENT_FOLDER, call.line.operands.slice(1))
}

/** Extracts into the folder. Members that are named, also by wildcards, are written below it. */
function addExtraction(call: ProgramCall, folder: Arg, members: readonly Arg[]): void {
  addFolderWrite(call, folder)
  for (const { text } of members)
    if (text !== null && folder.text !== null)
      addFileAction(
        call,
        'write',
        { ...literalArg(`${folder.text}/${text}`), glob: /[*?[]/.test(text) },
        { whole: true },
      )
}

function readZip(call: ProgramCall): void {
  const [archive, ...rest] = call.line.operands
  // the command may stand behind the letters: `-TTcmd`
  if (call.args.some(({ head }) => /^(-[^-]*TT|--unz)/.test(head))) addOpaqueAction(call)
  addFileAction(call, 'write', archive)
  const moves = hasOption(call, '-m --move')
  const whole = !moves && hasOption(call, '-r -R --recurse-paths --recurse-patterns')
  for (const file of rest) addFileAction(call, moves ? 'delete' : 'read', file, whole ? { whole } : {})
  // `-@`: the names are read from standard input
  if (moves && call.args.some(({ text, head }) => /^-\w*@/.test(text ?? head)))
    addFileAction(call, 'delete', UNKNOWN_ARG)
}

/** Replaces each file with its compressed or decompressed version, unless it writes to standard output. */
const createPackerReader =
  (suffix: string, unpacks: boolean) =>
  (call: ProgramCall): void => {
    const { operands } = call.line
    addFileActions(call, 'read', operands)
    if (hasOption(call, '-c --stdout --to-stdout')) return
    // for `-t -d` the last option wins
    const works = hasOption(call, '-d --decompress --uncompress -z --compress')
    if (hasOption(call, '-l --list -t --test') && !works) return
    const unpack = unpacks || hasOption(call, '-d --decompress --uncompress')
    for (const arg of operands) {
      const { text } = arg
      if (text === null) addFileAction(call, 'write', arg)
      else if (unpack)
        addFileAction(call, 'write', { ...arg, ...literalArg(text.replace(/\.[^./]+$/, '')), glob: arg.glob })
      else addFileAction(call, 'write', { ...arg, ...literalArg(text + suffix), glob: arg.glob })
      if (suffix !== '.zst' && !hasOption(call, '-k --keep')) addFileAction(call, 'delete', arg, { whole: false })
    }
  }

const ZSTD_OUTPUTS = '-o --trace --output-dir-flat --output-dir-mirror'

const packerDescription = (suffix: string, unpacks = false): ProgramDescription => ({
  onlyReads: true,
  harmful: true,
  flags: '-d -k -f -c -l -t -v -q -r -T -1 -2 -3 -4 -5 -6 -7 -8 -9 --stdout --keep --force --decompress',
  values: '-S --suffix -D --patch-from',
  writes: ZSTD_OUTPUTS,
  // these options work on files that are named elsewhere
  alters: '--rm --files --files0 --filelist --train --train-cover --train-fastcover --train-legacy',
  special: createPackerReader(suffix, unpacks),
})

/** Copies the files listed on standard input (`-p`), possibly as links (`-l`), or extracts an archive (`-i`). */
function readCpio(call: ProgramCall): void {
  if (hasOption(call, '-t --list') && !hasOption(call, '-i -p --extract --pass-through')) return
  if (hasOption(call, '-p --pass-through')) addFolderWrite(call, call.line.operands.at(-1))
  else if (hasOption(call, '-i --extract'))
    addFolderWrite(call, findOption(call, '-D --directory')?.value ?? CURRENT_FOLDER)
  // names in the archive may be absolute paths
  if (hasOption(call, '-i -p --extract --pass-through')) addFileAction(call, 'write', UNKNOWN_ARG)
  if (hasOption(call, '-l --link')) addFileAction(call, 'write', UNKNOWN_ARG)
}

/** `pax -rw [-l] file… folder` copies or links; `pax -r` extracts. */
function readPax(call: ProgramCall): void {
  const { operands } = call.line
  const [reads, writes] = [hasOption(call, '-r'), hasOption(call, '-w')]
  if (reads) addFolderWrite(call, writes ? operands.at(-1) : CURRENT_FOLDER)
  if (reads) for (const name of transformedNames(call)) addFileAction(call, 'write', name, { whole: true })
  if (!reads || !writes) return
  for (const source of operands.slice(0, -1)) {
    if (hasOption(call, '-l')) addFolderWrite(call, source)
    else addFileAction(call, 'read', source)
  }
  if (operands.length < 2 && hasOption(call, '-l')) addFileAction(call, 'write', UNKNOWN_ARG)
}

const archiveViewer: ProgramDescription = { onlyReads: true, operands: 'read' }

const tar: ProgramDescription = {
  onlyReads: true,
  harmful: true,
  flags:
    '-x -c -t -r -u -z -j -J -v -p -k -a -h -P -O --extract --create --list --gzip --verbose --remove-files --get --to-stdout --wildcards --one-top-level',
  values: '-f --file -C --directory --exclude --strip-components --transform --xform -b --owner --group --mode',
  reads: '-T --files-from -X --exclude-from',
  writes: '-g --listed-incremental --index-file --volno-file',
  runs: '-I --use-compress-program --to-command --checkpoint-action -F --info-script --new-volume-script --rsh-command --rmt-command -L --tape-length',
  risks: '-M --multi-volume',
  special: readTar,
}

export const ARCHIVE_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  tar,
  gtar: tar,
  bsdtar: tar,
  cpio: {
    flags: '-i -o -p -t -d -l -m -u -v -a -0 -B --extract --create --list --pass-through --link --make-directories',
    values: '-D -H -E -R --directory --format --pattern-file --owner',
    writes: '-O -F --file',
    runs: '--rsh-command',
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
  gzip: packerDescription('.gz'),
  gunzip: packerDescription('.gz', true),
  bzip2: packerDescription('.bz2'),
  bunzip2: packerDescription('.bz2', true),
  xz: packerDescription('.xz'),
  unxz: packerDescription('.xz', true),
  zstd: packerDescription('.zst'),
  unzstd: packerDescription('.zst', true),
  zcat: archiveViewer,
  bzcat: archiveViewer,
  xzcat: archiveViewer,
  zstdcat: {
    ...archiveViewer,
    alters: '--rm',
    writes: ZSTD_OUTPUTS,
    values: '-D',
    flags: '-M',
  },
  '7z': { flags: '-y', special: call => addOpaqueAction(call) },
}
