import { type Arg, after, basename, literal, UNKNOWN } from '../arg.ts'
import { type Call, find, has, obscure, touch, touchAll, touchWhole } from '../call.ts'
import type { Description } from '../description.ts'
import { noteLink } from '../place.ts'

/** `cp a b dir`: what is written is the target, or the sources' names below it. */
export function intoTarget(call: Call, sources: readonly Arg[], target: Arg | undefined, isFolder: boolean): void {
  if (target === undefined) return
  const { text } = target
  const last = text === null ? '' : text.slice(text.lastIndexOf('/') + 1)
  const folder = isFolder || sources.length > 1 || isDots(last)
  if (!folder || text === null) (sources.some(source => mayBeTree(call, source)) ? touchWhole : touchOne)(call, target)
  // without looking at the disk, a last part without an extension may be a folder
  if (text === null || (!folder && last.lastIndexOf('.') > 0)) return
  for (const source of sources) {
    const name = basename(source.text ?? '')
    const own = name.slice(name.indexOf(':') + 1)
    const more = mayBeTree(call, source) ? { whole: true } : {}
    if (!isDots(own)) touch(call, 'write', { ...literal(below(text, own)), glob: source.glob || target.glob }, more)
    else if (folder) touch(call, 'write', target)
  }
}

const touchOne = (call: Call, target: Arg): void => touch(call, 'write', target)

/** A folder takes the place of what the target names; a link does too, wherever it leads. */
function mayBeTree(call: Call, source: Arg): boolean {
  if (call.program === 'ln') return true
  if (call.program === 'cp') return has(call, '-r -R -a --recursive --archive')
  return source.text === null || basename(source.text).lastIndexOf('.') <= 0
}

const isDots = (name: string): boolean => name === '' || name === '.' || name === '..' || name === '/'

const below = (folder: string, name: string): string => (folder.endsWith('/') ? folder + name : `${folder}/${name}`)

function readCopy(sourceAction: 'read' | 'delete') {
  return (call: Call): void => {
    const operands = [...call.line.operands]
    const option = find(call, '-t --target-directory')
    const target = option === undefined ? operands.pop() : option.value
    touchAll(call, sourceAction, operands)
    intoTarget(call, operands, target, option !== undefined)
    call.onlyReads = false
    if (call.program !== 'cp') return
    // `cp -l` links instead of copying, `cp -s` too
    if (has(call, '-l --link')) for (const source of operands) touchWhole(call, source)
    if (has(call, '-l --link -s --symbolic-link')) noteLinks(call, operands, target)
  }
}

function noteLinks(call: Call, sources: readonly Arg[], target: Arg | undefined): void {
  for (const { text } of sources) {
    if (typeof text !== 'string' || typeof target?.text !== 'string') continue
    const isHard = !has(call, '-s --symbolic --symbolic-link')
    noteLink(text, target.text, call.scope, isHard)
    noteLink(text, below(target.text, basename(text)), call.scope, isHard)
  }
}

/** A hard link is a second name: who writes to it writes to the file. */
function readLink(call: Call): void {
  const { operands } = call.line
  const sources = operands.length === 1 || has(call, '-t --target-directory') ? operands : operands.slice(0, -1)
  const target = find(call, '-t --target-directory')?.value ?? (operands.length === 1 ? literal('.') : operands.at(-1))
  if (!has(call, '-s --symbolic')) touchAll(call, 'write', sources)
  if (operands.length === 1 && !has(call, '-t')) touchWhole(call, literal(basename(operands[0]?.text ?? '.')))
  else readCopy('read')(call)
  noteLinks(call, sources, target)
}

function readInstall(call: Call): void {
  if (has(call, '-d --directory')) touchAll(call, 'write', call.line.operands)
  else readCopy('read')(call)
}

function readRsync(call: Call): void {
  if (has(call, '-e --rsh --rsync-path') || call.line.operands.some(arg => (arg.text ?? arg.head).includes(':')))
    obscure(call)
  const operands = [...call.line.operands]
  const target = operands.pop()
  touchAll(call, has(call, '--remove-source-files') ? 'delete' : 'read', operands)
  if (has(call, '-n --dry-run')) return
  touchWhole(call, target)
  // without a slash behind it a folder comes under its own name
  const named = operands.filter(({ text }) => text !== null && !/\/$/.test(text))
  intoTarget(call, named, target, target?.text !== null && /^\.{0,2}\/?$/.test(target?.text ?? ''))
  if (has(call, '--delete --del --delete-after --delete-before --delete-excluded')) touch(call, 'delete', target)
  // what is the same there gets a second name; the folder may be named as seen from the target
  for (const { name, value } of call.line.options) {
    if (name !== '--link-dest') continue
    touchWhole(call, value)
    if (typeof value?.text === 'string' && typeof target?.text === 'string')
      touchWhole(call, literal(below(target.text, value.text)))
  }
}

function readScp(call: Call): void {
  const operands = [...call.line.operands]
  const target = operands.pop()
  const isRemote = (arg: Arg): boolean => (arg.text ?? arg.head).includes(':')
  touchAll(
    call,
    'read',
    operands.filter(arg => !isRemote(arg)),
  )
  if (target !== undefined && !isRemote(target)) intoTarget(call, operands, target, false)
  if (has(call, '-S -o -F')) obscure(call)
  call.onlyReads = false
}

function readDd(call: Call): void {
  call.onlyReads = false
  for (const arg of call.line.operands) {
    if (arg.head.startsWith('if=')) touch(call, 'read', after(arg, 3))
    if (arg.head.startsWith('of=')) touch(call, 'write', after(arg, 3))
  }
}

const readOwner = (call: Call): void => {
  for (const arg of call.line.operands.slice(1)) touchWhole(call, arg)
}

/** `chmod MODE f`, unless the mode comes from `--reference`. */
const readMode = (call: Call): void => {
  const given = has(call, '--reference') || call.args.some((arg, at) => at > 0 && /^-[rwxXst]/.test(arg.text ?? ''))
  for (const arg of call.line.operands.slice(given && call.line.operands.length === 1 ? 0 : 1)) touchWhole(call, arg)
}

function readPatchProgram(call: Call): void {
  if (has(call, '--dry-run')) return
  const [file] = call.line.operands
  if (file === undefined) obscure(call)
  const folder = find(call, '-d --directory')?.value
  if (file === undefined) touchWhole(call, folder ?? literal('.'))
  else if (folder === undefined) touch(call, 'write', file)
  else if (folder.text === null || file.text === null) touchAll(call, 'write', [folder, file])
  else touch(call, 'write', { ...literal(below(folder.text, file.text)), glob: file.glob })
}

/** The files of a desktop, by their paths or as `file:` URLs. */
function readGio(call: Call): void {
  const [verb, ...files] = call.line.operands
  const plain = files.map(arg => (arg.text === null ? arg : { ...arg, text: arg.text.replace(/^file:\/\//, '') }))
  const name = verb?.text ?? ''
  if (/^(trash|remove)$/.test(name)) touchAll(call, 'delete', plain)
  else if (name === 'rename') touchAll(call, 'delete', plain.slice(0, 1))
  else if (/^(copy|move)$/.test(name)) {
    touchAll(call, name === 'move' ? 'delete' : 'read', plain.slice(0, -1))
    intoTarget(call, plain.slice(0, -1), plain.at(-1), false)
  } else if (name === 'save') touchAll(call, 'write', plain)
}

function readUniq(call: Call): void {
  const [from, to] = call.line.operands
  touch(call, 'read', from)
  if (to !== undefined) touch(call, 'write', to)
  else touchUnknownOutput(call, call.line.operands)
}

/** `uniq $(echo in out)`, `uniq ./[ab]*`: a word that may become two names the output as well. */
function touchUnknownOutput(call: Call, operands: readonly Arg[]): void {
  if (operands.some(({ several, glob }) => several || glob)) touch(call, 'write', UNKNOWN)
}

/** The letters of xxd that have a value, with the word that the letter may be the beginning of. */
const XXD_VALUES: Readonly<Record<string, RegExp>> = {
  c: /^o/,
  g: /^roup/,
  l: /^en/,
  n: /^ame/,
  o: /^ff/,
  s: /^(kip|eek)/,
  R: /^(?!)/,
}

/** Of an option only the first letter counts: `-ps`, `-plain` and `--ps` are `-p`. What is not stuck to it is the next word. */
function readXxd(call: Call): void {
  const files: Arg[] = []
  const words = call.args.slice(1)
  for (let at = 0; at < words.length; at += 1) {
    const arg = words[at] as Arg
    const [, letter, rest = ''] = /^--?([A-Za-z])(.*)$/s.exec(arg.text ?? arg.head) ?? []
    if (letter === undefined || files.length > 0) files.push(arg)
    else if (arg.text === null || !/^[abcCdeghilnoprRsuvEt]$/.test(letter)) obscure(call)
    else if (letter === 'c' && /^ap/.test(rest)) continue
    else if (XXD_VALUES[letter] !== undefined && (rest === '' || XXD_VALUES[letter].test(rest))) at += 1
  }
  const [from, ...to] = files.filter(({ text }) => text !== '--')
  touch(call, 'read', from)
  if (to.length > 0) touchAll(call, 'write', to)
  else touchUnknownOutput(call, files)
}

const copy =
  '-r -R -f -a -i -n -p -v -u -L -P -d -l -s -T --link --symbolic-link --recursive --force --archive --no-clobber --verbose'

export const FILES: Readonly<Record<string, Description>> = {
  uniq: { onlyReads: true, harmful: true, flags: '-c -d -D -i -u -z', values: '-f -s -w', special: readUniq },
  xxd: { onlyReads: true, harmful: true, flags: '-r -p -i -b -e -u -ps', values: '-c -g -l -o -s', special: readXxd },
  tee: { onlyReads: true, flags: '-a -i -p --append', operands: 'write' },
  sponge: { flags: '-a', operands: 'write' },
  cp: { flags: copy, values: '-t --target-directory -S --suffix', special: readCopy('read') },
  mv: { flags: copy, values: '-t --target-directory -S --suffix', special: readCopy('delete') },
  link: { special: readLink },
  ln: { flags: `${copy} -s --symbolic`, values: '-t --target-directory -S', special: readLink },
  install: {
    flags: '-d -D -v -p -s -b -C --directory',
    values: '-m -o -g -t --mode --target-directory',
    special: readInstall,
  },
  rsync: {
    flags: `${copy} -z -h -P -q -c -x -H --delete --dry-run --progress --stats --remove-source-files`,
    values: '-e --rsh --rsync-path --exclude --include -f --filter --bwlimit --chmod --max-size --info --link-dest',
    reads: '--exclude-from --include-from --files-from --password-file --compare-dest --copy-dest',
    writes: '--write-batch --only-write-batch --log-file --backup-dir --partial-dir -T --temp-dir',
    special: readRsync,
  },
  scp: { flags: '-r -p -q -C -v -3 -4 -6', values: '-P -i -l -c -S -o -F -J', special: readScp },
  dd: { special: readDd },
  touch: { flags: '-a -c -m -h', values: '-t -d --date', reads: '-r --reference', operands: 'write' },
  mkdir: { flags: '-p -v --parents', values: '-m --mode', operands: 'write' },
  mkfifo: { values: '-m', operands: 'write' },
  rmdir: { flags: '-p -v', operands: 'delete' },
  rm: { flags: '-r -R -f -i -I -v -d --recursive --force --verbose --dir --one-file-system', operands: 'delete' },
  unlink: { operands: 'delete' },
  trash: { operands: 'delete' },
  'trash-put': { operands: 'delete' },
  rimraf: { flags: '-g -v -i --glob --verbose --interactive --preserve-root', operands: 'delete' },
  'del-cli': { flags: '-f --force', operands: 'delete' },
  gio: { special: readGio },
  shred: {
    flags: '-f -u -v -x -z',
    values: '-n -s --size --random-source',
    operands: 'delete',
    // the content goes, whatever other names it has
    special: call => touchAll(call, 'write', call.line.operands),
  },
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
      touch(call, 'read', from)
      const text = prefix === undefined ? 'x' : prefix.text
      touch(call, 'write', text === null ? prefix : { ...literal(`${text}*`), glob: true })
    },
  },
  csplit: {
    flags: '-k -s -z',
    values: '-b -f -n',
    special: call => {
      touch(call, 'read', call.line.operands[0])
      const prefix = find(call, '-f --prefix')?.value?.text ?? 'xx'
      touch(call, 'write', { ...literal(`${prefix}*`), glob: true })
    },
  },
}
