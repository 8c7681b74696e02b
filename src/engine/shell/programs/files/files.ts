import { type Arg, basename, literalArg, UNKNOWN_ARG } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import {
  addFileAction,
  addFileActions,
  addFolderWrite,
  addOpaqueAction,
  findOption,
  hasOption,
  type ProgramCall,
} from '../../calls/program-call.ts'
import { optionsOf } from '../rare-programs/index.ts'
import { joinBelow, noteLinks, noteMovedLinks, readMount } from './links.ts'

/** `cp a b dir`: adds writes to the target, or to the sources' names below it. */
export function addTargetWrites(
  call: ProgramCall,
  sources: readonly Arg[],
  target: Arg | undefined,
  isFolder: boolean,
): void {
  if (target === undefined) return
  const { text } = target
  const last = text === null ? '' : text.slice(text.lastIndexOf('/') + 1)
  const folder = isFolder || sources.length > 1 || isDotName(last)
  if (!folder || text === null)
    (sources.some(source => mayReplaceByTree(call, source)) ? addFolderWrite : addWrite)(call, target)
  // the disk is not checked, so a last part without an extension may be a folder
  if (text === null || (!folder && last.lastIndexOf('.') > 0)) return
  for (const source of sources) {
    const name = basename(source.text ?? '')
    const own = name.slice(name.indexOf(':') + 1)
    const isTree = mayReplaceByTree(call, source)
    if (!isDotName(own))
      addFileAction(
        call,
        'write',
        { ...literalArg(joinBelow(text, own)), glob: source.glob || target.glob },
        isTree ? { whole: true } : {},
      )
    // `cp -r dir/. target/` writes each file of `dir` below the target; on macOS `cp -r dir/ target/` does so, too
    if (folder && isTree && (isDotName(own) || /\/\.?$/.test(source.text ?? ''))) addFolderWrite(call, target)
    else if (folder && isDotName(own)) addWrite(call, target)
  }
}

const addWrite = (call: ProgramCall, target: Arg): void => addFileAction(call, 'write', target)

/** True if a folder or a link may replace the target, and so everything below it. */
function mayReplaceByTree(call: ProgramCall, source: Arg): boolean {
  if (call.program === 'ln') return true
  if (call.program === 'cp') return hasOption(call, '-r -R -a --recursive --archive')
  return source.text === null || basename(source.text).lastIndexOf('.') <= 0
}

const isDotName = (name: string): boolean => name === '' || name === '.' || name === '..' || name === '/'

function createCopyReader(sourceAction: 'read' | 'delete') {
  return (call: ProgramCall): void => {
    const operands = [...call.line.operands]
    const option = findOption(call, '-t --target-directory')
    const target = option === undefined ? operands.pop() : option.value
    const whole = call.program === 'cp' && hasOption(call, '-r -R -a --recursive --archive')
    for (const source of operands) addFileAction(call, sourceAction, source, whole ? { whole } : {})
    addTargetWrites(call, operands, target, option !== undefined)
    call.onlyReads = false
    noteMovedLinks(call, operands, target)
    if (call.program !== 'cp') return
    // `cp -l` and `cp -s` create links instead of copies
    if (hasOption(call, '-l --link')) for (const source of operands) addFolderWrite(call, source)
    if (hasOption(call, '-l --link -s --symbolic-link')) noteLinks(call, operands, target)
  }
}

/** A hard link is a second name: writing to it writes to the original file. */
function readLink(call: ProgramCall): void {
  const { operands } = call.line
  const sources = operands.length === 1 || hasOption(call, '-t --target-directory') ? operands : operands.slice(0, -1)
  const target =
    findOption(call, '-t --target-directory')?.value ?? (operands.length === 1 ? literalArg('.') : operands.at(-1))
  if (!hasOption(call, '-s --symbolic')) addFileActions(call, 'write', sources)
  if (operands.length === 1 && !hasOption(call, '-t --target-directory'))
    addFolderWrite(call, literalArg(basename(operands[0]?.text ?? '.')))
  else createCopyReader('read')(call)
  noteLinks(call, sources, target)
}

function readInstall(call: ProgramCall): void {
  if (hasOption(call, '-d --directory')) addFileActions(call, 'write', call.line.operands)
  else createCopyReader('read')(call)
}

/** `host:f`, `rsync://host/f`: on another machine. In `./a:b` the colon is a part of a name. */
const isRemote = ({ text, head }: Arg): boolean => /^[^/]*:/.test(text ?? head)

function readRsync(call: ProgramCall): void {
  const { operands } = call.line
  if (hasOption(call, '-e --rsh --rsync-path') || operands.some(isRemote)) addOpaqueAction(call)
  const target = operands.at(-1)
  const local = operands.slice(0, -1).filter(arg => !isRemote(arg))
  const deletes = hasOption(call, '--remove-source-files')
  const whole = !deletes && hasOption(call, '-r -a --recursive --archive')
  for (const source of local) addFileAction(call, deletes ? 'delete' : 'read', source, whole ? { whole } : {})
  noteMovedLinks(call, local, target)
  if (hasOption(call, '-n --dry-run') || target === undefined || isRemote(target)) return
  addFolderWrite(call, target)
  // a source folder without a trailing slash is copied under its own name
  const named = operands.slice(0, -1).filter(({ text }) => text !== null && !/\/$/.test(text))
  addTargetWrites(call, named, target, /^\.{0,2}\/?$/.test(target.text ?? 'x'))
  if (call.line.options.some(({ name }) => name.startsWith('--del'))) addFileAction(call, 'delete', target)
  // unchanged files become hard links into this folder, which may be relative to the target
  for (const { name, value } of call.line.options) {
    if (name !== '--link-dest') continue
    addFolderWrite(call, value)
    if (typeof value?.text === 'string' && typeof target.text === 'string')
      addFolderWrite(call, literalArg(joinBelow(target.text, value.text)))
  }
}

function readScp(call: ProgramCall): void {
  const sources = call.line.operands.slice(0, -1)
  const target = call.line.operands.at(-1)
  const whole = hasOption(call, '-r')
  for (const source of sources) if (!isRemote(source)) addFileAction(call, 'read', source, whole ? { whole } : {})
  if (target !== undefined && !isRemote(target)) addTargetWrites(call, sources, target, false)
  if (hasOption(call, '-S -o -F')) addOpaqueAction(call)
  call.onlyReads = false
}

const readOwner = (call: ProgramCall): void => {
  for (const arg of call.line.operands.slice(1)) addFolderWrite(call, arg)
}

/** `chmod MODE f`, unless the mode comes from `--reference` or looks like an option, such as `-x`. */
const readMode = (call: ProgramCall): void => {
  const given =
    hasOption(call, '--reference') || call.args.some((arg, at) => at > 0 && /^-[rwxXst]/.test(arg.text ?? ''))
  for (const arg of call.line.operands.slice(given && call.line.operands.length === 1 ? 0 : 1))
    addFolderWrite(call, arg)
}

function readPatchProgram(call: ProgramCall): void {
  if (hasOption(call, '--dry-run')) return
  const [file] = call.line.operands
  if (file === undefined) addOpaqueAction(call)
  const folder = findOption(call, '-d --directory')?.value
  if (file === undefined) addFolderWrite(call, folder ?? literalArg('.'))
  else if (folder === undefined) addFileAction(call, 'write', file)
  else if (folder.text === null || file.text === null) addFileActions(call, 'write', [folder, file])
  else addFileAction(call, 'write', { ...literalArg(joinBelow(folder.text, file.text)), glob: file.glob })
}

/** `gio` takes paths or `file:` URLs. */
function readGio(call: ProgramCall): void {
  const [verb, ...files] = call.line.operands
  const plain = files.map(arg => (arg.text === null ? arg : { ...arg, text: arg.text.replace(/^file:\/\//, '') }))
  const name = verb?.text ?? ''
  if (/^(trash|remove)$/.test(name)) addFileActions(call, 'delete', plain)
  else if (name === 'rename') addFileActions(call, 'delete', plain.slice(0, 1))
  else if (/^(copy|move)$/.test(name)) {
    addFileActions(call, name === 'move' ? 'delete' : 'read', plain.slice(0, -1))
    addTargetWrites(call, plain.slice(0, -1), plain.at(-1), false)
  } else if (name === 'save') addFileActions(call, 'write', plain)
}

function readUniq(call: ProgramCall): void {
  // `+1` is an old way to skip characters, and an unknown option may take the first word as its value
  const [from, ...to] = call.line.operands.filter(({ text }) => !/^\+\d*$/.test(text ?? ''))
  addFileAction(call, 'read', from)
  if (to.length > 0) addFileActions(call, 'write', to)
  else addUnknownOutput(call, call.line.operands)
}

/** `uniq $(echo in out)`, `uniq ./[ab]*`: a word that becomes two words also names the output file. */
function addUnknownOutput(call: ProgramCall, operands: readonly Arg[]): void {
  if (operands.some(({ several, glob }) => several || glob)) addFileAction(call, 'write', UNKNOWN_ARG)
}

/** Letters of xxd options that take a value, with the rest of the long name: `-co8` and `-off` are no long names. */
const XXD_VALUES: Readonly<Record<string, RegExp>> = {
  c: /^ols/,
  g: /^roup/,
  l: /^en/,
  n: /^ame/,
  o: /^ffset/,
  s: /^(kip|eek)/,
  R: /^(?!)/,
}

/** xxd uses only the first letter of an option: `-ps`, `-plain` and `--ps` are `-p`. A value not attached to it is the next word. */
function readXxd(call: ProgramCall): void {
  const files: Arg[] = []
  const words = call.args.slice(1)
  for (let at = 0; at < words.length; at += 1) {
    const arg = words[at] as Arg
    const [, letter, rest = ''] = /^--?([A-Za-z])(.*)$/s.exec(arg.text ?? arg.head) ?? []
    if (letter === undefined || files.length > 0) files.push(arg)
    else if (arg.text === null || !/^[abcCdeghilnoprRsuvEt]$/.test(letter)) addOpaqueAction(call)
    else if (letter === 'c' && /^ap/.test(rest)) continue
    else if (XXD_VALUES[letter] !== undefined && (rest === '' || XXD_VALUES[letter].test(rest))) at += 1
  }
  const [from, ...to] = files.filter(({ text }) => text !== '--')
  addFileAction(call, 'read', from)
  if (to.length > 0) addFileActions(call, 'write', to)
  else addUnknownOutput(call, files)
}

const COPY_FLAGS =
  '-r -R -f -a -i -n -p -v -u -L -P -d -l -s -T --link --symbolic-link --recursive --force --archive --no-clobber --verbose'

const ln = { flags: `${COPY_FLAGS} -s --symbolic`, values: '-t --target-directory -S', special: readLink }

export const FILE_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  uniq: {
    onlyReads: true,
    harmful: true,
    flags: '-c -d -D -i -u -z --count --repeated --ignore-case --unique --zero-terminated',
    values: '-f -s -w --skip-fields --skip-chars --check-chars',
    special: readUniq,
  },
  xxd: { onlyReads: true, harmful: true, flags: '-r -p -i -b -e -u -ps', values: '-c -g -l -o -s', special: readXxd },
  tee: { onlyReads: true, flags: '-a -i -p --append', operands: 'write' },
  sponge: { flags: '-a', operands: 'write' },
  cp: { flags: COPY_FLAGS, values: '-t --target-directory -S --suffix', special: createCopyReader('read') },
  mv: { flags: COPY_FLAGS, values: '-t --target-directory -S --suffix', special: createCopyReader('delete') },
  link: { special: readLink },
  ln,
  gln: ln,
  mount: { values: '-t -o -L -U', special: readMount },
  bindfs: { values: '-o -u -g -p', special: readMount },
  install: {
    flags: '-d -D -v -p -s -b -C --directory',
    values: '-m -o -g -t --mode --target-directory',
    runs: '--strip-program',
    special: readInstall,
  },
  rsync: {
    flags: `${COPY_FLAGS} -z -h -P -q -c -x -H --delete --dry-run --progress --stats --remove-source-files`,
    get values() {
      return optionsOf('rsync values')
    },
    get reads() {
      return optionsOf('rsync reads')
    },
    get writes() {
      return optionsOf('rsync writes')
    },
    special: readRsync,
  },
  scp: { flags: '-r -p -q -C -v -3 -4 -6', values: '-P -i -l -c -S -o -F -J', special: readScp },
  touch: { flags: '-a -c -m -h', values: '-t -d --date', reads: '-r --reference', operands: 'write' },
  mkdir: { flags: '-p -v --parents', values: '-m --mode', operands: 'write' },
  mkfifo: { values: '-m', operands: 'write' },
  gio: { special: readGio },
  truncate: { flags: '-c -o', values: '-s --size', reads: '-r', operands: 'write' },
  chmod: { flags: '-R -v -c -f --recursive', values: '--reference', special: readMode },
  chown: { flags: '-R -v -c -f -h -L -H -P', values: '--reference --from', special: readOwner },
  chgrp: { flags: '-R -v -c -f -h -L -H -P', values: '--reference', special: readOwner },
  setfacl: { values: '-m -x', operands: 'write' },
  patch: {
    flags: '-R -N -s -f -b --dry-run --forward --reverse',
    values: '-p -F -d -D -z --strip --directory',
    reads: '-i --input',
    writes: '-o --output -r',
    special: readPatchProgram,
  },
  split: {
    values: '-a -b -C -l -n --additional-suffix',
    runs: '--filter',
    special: call => {
      const [from, prefix] = call.line.operands
      addFileAction(call, 'read', from)
      const text = prefix === undefined ? 'x' : prefix.text
      addFileAction(call, 'write', text === null ? prefix : { ...literalArg(`${text}*`), glob: true })
    },
  },
  csplit: {
    flags: '-k -s -z',
    values: '-b -f -n',
    special: call => {
      addFileAction(call, 'read', call.line.operands[0])
      const prefix = findOption(call, '-f --prefix')?.value?.text ?? 'xx'
      addFileAction(call, 'write', { ...literalArg(`${prefix}*`), glob: true })
    },
  },
}
