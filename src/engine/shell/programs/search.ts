import { type Arg, literalArg, mayBeOption, UNKNOWN_ARG } from '../calls/argument.ts'
import type { ProgramCall, ProgramDescription } from '../calls/program-call.ts'
import { addFileAction, addOpaqueAction, hasOption } from '../calls/program-call.ts'
import { noteFolderContents, noteFoundFiles, noteWildcardMatches } from '../scope/path-resolution.ts'

/**
 * `grep -rl x .claude | xargs sed -i`: notes the files that a search may find, below the given folders or with the given names.
 * `noteFoundFiles` skips a search of the whole folder without name filters, because its results are unknown.
 */
function noteSearchResults(call: ProgramCall): void {
  const { options, operands } = call.line
  const givesPattern = call.program === 'ag' ? /^-g$/ : /^(-e|-f|--regexp|--file|--files|--match)$/
  const given = options.some(({ name }) => givesPattern.test(name))
  const files = operands.slice(given ? 0 : 1)
  const names = options.flatMap(({ name, value }) => (/^(--include|--glob|-g)$/.test(name) ? [value?.text ?? '!'] : []))
  const named = names.length > 0 && !names.some(name => /[!/]/.test(name)) ? names : undefined
  noteWildcardMatches(files, call.scope)
  const below = files.filter(file => !file.glob)
  if (hasOption(call, '--files') && named === undefined && !hasOption(call, '-t --type -g --glob'))
    noteFolderContents(
      below.length > 0 ? below : [literalArg('.')],
      call.line.options.some(({ name }) => /^(--hidden|-\.|-u)$/.test(name)),
      call.scope,
    )
  noteFoundFiles({ below: below.length > 0 || files.length > 0 ? below : [literalArg('.')], named }, call.scope)
}

const grep: ProgramDescription = {
  onlyReads: true,
  operands: 'read',
  skip: 1,
  skipUnless: '-e -f --regexp --file',
  flags:
    '-r -R -n -i -v -l -L -c -o -w -x -q -s -h -H -E -F -P -G -a -I -z --recursive --ignore-case --line-number --invert-match --count --only-matching',
  values:
    '-e --regexp -m --max-count -A -B -C --after-context --before-context --context --include --exclude --exclude-dir -d -D',
  reads: '-f --file --exclude-from',
  recursive: '-r -R --recursive --dereference-recursive',
  special: noteSearchResults,
}

const rg: ProgramDescription = {
  ...grep,
  recursive: '',
  skipUnless: '-e -f --regexp --file --files --type-list',
  flags: `${grep.flags} -S -u -U -0 -p -N --hidden --no-ignore --files --json --files-with-matches --smart-case --multiline`,
  values: `${grep.values} -g --glob -t --type -T --type-not -j --max-depth --sort -r --replace -M --max-columns --color`,
  runs: '--pre --hostname-bin',
}

/** `ag` and `ack` use other letters than `rg`: for them `-r`, `-t` and `-f` are flags. */
const ag: ProgramDescription = {
  onlyReads: true,
  recursive: '',
  operands: 'read',
  skip: 1,
  skipUnless: '-g',
  special: noteSearchResults,
  flags:
    '-a -c -D -F -f -H -h -i -L -l -n -o -Q -R -r -S -s -t -u -U -v -w -z -0 --hidden --nocolor --nogroup --literal --follow',
  values: '-A -B -C -G -g -m -p -W --depth --ignore --ignore-dir --max-count --width --workers',
  runs: '--pager',
}

const ack: ProgramDescription = {
  onlyReads: true,
  recursive: '',
  operands: 'read',
  skip: 1,
  skipUnless: '-f --match',
  special: noteSearchResults,
  flags:
    '-C -c -f -g -H -h -i -I -L -l -n -o -p -Q -R -r -S -s -t -T -v -w -x -1 --nocolor --nogroup --literal --follow',
  values: '-A -B -m --match --max-count --type --ignore-dir --ignore-file',
  reads: '--files-from',
  runs: '--pager --output --ackrc',
}

/** Words of `find` that take a value which is neither an output file nor a command. */
const FIND_VALUES =
  '-name -iname -path -ipath -wholename -regex -iregex -type -xtype -maxdepth -mindepth -mtime -mmin -atime -amin -ctime -cmin -size -user -group -uid -gid -perm -links -inum -printf -fstype -used -regextype -newermt -D'

const EXEC_TESTS = new Set(['-exec', '-execdir', '-ok', '-okdir'])
const PRINT_FILE_TESTS = new Set(['-fprint', '-fprint0', '-fls', '-fprintf'])

function readFind(call: ProgramCall): void {
  const { args } = call
  const starts: Arg[] = []
  let at = 1
  for (; at < args.length; at += 1) {
    const arg = args[at]
    const text = arg?.text ?? arg?.head ?? ''
    if (/^(-[HLP]|-O\d?|-D)$/.test(text)) continue
    if (arg === undefined || /^[-(!]/.test(text)) break
    starts.push(arg)
  }
  const roots = starts.length === 0 ? [literalArg('.')] : starts
  const from = at
  // `find` has no `--` that ends its options, so an unknown word may be one
  if (args.some((arg, nth) => nth > 0 && arg.text === null && mayBeOption(arg))) call.onlyReads = false
  for (const root of roots) addFileAction(call, 'read', root, showsAll(args.slice(from)) ? { whole: true } : {})
  const isListed = args.some(arg => arg.text === '-files0-from')
  const plain = roots.every(isPlainRoot) && !isListed
  // the loop below handles the actions that `find` itself runs on its results
  if (!args.some(({ text }) => text === '-delete' || EXEC_TESTS.has(text ?? '')))
    noteFoundFiles(
      { below: roots, named: namesTestedBy(args.slice(from).filter(arg => !isPrintAction(arg))) },
      call.scope,
    )
  noteFindListing(args.slice(from), roots, call)
  while (at < args.length) {
    const text = args[at]?.text ?? args[at]?.known ?? ''
    const named = text === '-delete' || EXEC_TESTS.has(text) ? namesTestedBy(args.slice(from, at)) : undefined
    at += 1
    if (text === '-delete') {
      for (const root of roots) addFileAction(call, 'delete', root, named ? { named } : {})
      if (isListed) addFileAction(call, 'delete', UNKNOWN_ARG)
    } else if (PRINT_FILE_TESTS.has(text)) addFileAction(call, 'write', args[at])
    else if (text === '-files0-from') addFileAction(call, 'read', args[at])
    else if (EXEC_TESTS.has(text)) {
      const found = plain && !text.endsWith('dir') ? FOUND_FILE : UNKNOWN_ARG
      at = readExec(call, at, { ...found, found: { below: roots, named } })
    }
  }
}

/** Without a test of the name, all below the folders is shown. */
const showsAll = (tests: readonly Arg[]): boolean =>
  !tests.some(
    ({ text }, at) => NAME_TESTS.test(text ?? '') || (text === '-maxdepth' && /^[01]$/.test(tests[at + 1]?.text ?? '')),
  )

/** Notes all that `find` lists. An unknown word may be a test of the name. */
function noteFindListing(tests: readonly Arg[], roots: readonly Arg[], call: ProgramCall): void {
  if (tests.some(({ text }) => text === null)) return
  const names = namesInPathsTestedBy(tests.map(({ text }) => text ?? ''))
  if (names === undefined) noteFolderContents(roots, true, call.scope)
}

/** `find . -path './a/*'`: names that are in each listed path; undefined if a path with any names may be listed. */
function namesInPathsTestedBy(texts: readonly string[]): readonly string[] | undefined {
  const ways = texts.join('\0').split(/\0-(?:o|or)\0|\0,\0/)
  const listing = ways.map(way => way.split('\0')).filter(way => !way.includes('-prune') || way.includes('-print'))
  const names = listing.map(way => {
    const at = way.findIndex((word, nth) => NAME_TESTS.test(word) && !/^(!|-not)$/.test(way[nth - 1] ?? ''))
    return at === -1 ? undefined : nameInPattern(way[at] ?? '', way[at + 1] ?? '')
  })
  return names.every(name => name !== undefined) ? names : undefined
}

/** A name that a path with this pattern has in it. `*` also matches slashes, except in the pattern of a name. */
function nameInPattern(test: string, pattern: string): string | undefined {
  const text = test.startsWith('-i') ? pattern.toLowerCase() : pattern
  if (/name$/.test(test) && !/whole/.test(test)) return /^\*+$/.test(text) ? undefined : text
  const parts = text.split('/').filter(part => part !== '' && part !== '.')
  const whole = test.endsWith('regex') ? undefined : parts.find(part => !/[*?[\]\\]/.test(part))
  if (whole !== undefined) return whole
  const runs = [...text.matchAll(/[\w-]{2,}/g)].map(([run]) => run).sort((one, other) => other.length - one.length)
  return runs[0] === undefined ? undefined : `*${runs[0]}*`
}

const NAME_TESTS = /^-i?(name|path|wholename|regex|lname)$/

/** The path in `{}` begins with its start folder, so it is one word and not an option. */
const FOUND_FILE: Arg = { text: null, head: '.', glob: false, loose: false }
const isPlainRoot = ({ text }: Arg): boolean => text !== null && /^[\w./~]/.test(text)

/** The names that files found by these tests can have; undefined if any name is possible. */
function namesTestedBy(tests: readonly Arg[]): readonly string[] | undefined {
  if (tests.some(({ text }) => text === null || EXEC_TESTS.has(text) || /^(!|-not|-iname|,)$/.test(text)))
    return undefined
  const texts = tests.map(arg => arg.text ?? '')
  const ways = texts.join('\0').split(/\0-(?:o|or)\0/)
  const names = ways.map(way => unescapedName(/(?:^|\0)-name\0([^\0]*)/.exec(way)?.[1]))
  return names.every(name => name !== undefined) ? names : undefined
}

/** True for actions that only print results or end the search. */
const isPrintAction = ({ text }: Arg): boolean => /^(-print0?|-ls|-quit)$/.test(text ?? '')

/** The name without backslashes; undefined if a backslash escapes a wildcard. */
const unescapedName = (name: string | undefined): string | undefined =>
  name === undefined || /\\([*?[\]\\]|$)/.test(name) ? undefined : name.replace(/\\/g, '')

function readExec(call: ProgramCall, from: number, found: Arg): number {
  let end = from
  while (end < call.args.length && !isExecEnd(call.args, end)) end += 1
  // `\\;"$x" -delete`: if the unknown part is empty, the command ends here
  if (call.args.slice(from, end + 1).some(arg => arg.text === null && /^([;+]|\{\})$/.test(arg.known ?? '')))
    addOpaqueAction(call)
  const run = call.args
    .slice(from, end)
    .map(arg => (arg.text === '{}' ? found : arg.text?.includes('{}') ? UNKNOWN_ARG : arg))
  if (run.length > 0) call.inner.push({ run })
  return end + 1
}

const isExecEnd = (args: readonly Arg[], at: number): boolean =>
  certainText(args[at]) === ';' || (certainText(args[at]) === '+' && certainText(args[at - 1]) === '{}')

/** The word's text, as if its unknown parts were empty. */
const certainText = (arg: Arg | undefined): string | undefined => arg?.text ?? arg?.known

/** Stands for the file, its name or its folder, also inside a word: `sh -c 'cat {}'`. */
const FD_PLACEHOLDER = /\{(\/\/?|\/?\.)?\}/

/** `fd … -x cmd`: the words after `-x` are the command. */
function readFd(call: ProgramCall): void {
  const at = call.args.findIndex(arg => /^(-x|-X|--exec|--exec-batch)$/.test(arg.text ?? ''))
  const found = foundByFd(call, at)
  if (at === -1) noteFdListing(call, found)
  else {
    const file = { ...UNKNOWN_ARG, found }
    // the folder of a file may have any name
    const other = { ...file, found: { ...found, named: undefined } }
    const words = call.args.slice(at + 1)
    const run = words.map(arg => (arg.text === '{}' ? file : FD_PLACEHOLDER.test(arg.text ?? '') ? other : arg))
    call.inner.push({ run: [...run, file] })
    // another command may begin behind `;`
    if (words.some(arg => certainText(arg) === ';')) addOpaqueAction(call)
  }
  const options = at === -1 ? call.args : call.args.slice(0, at)
  if (options.some(arg => /^(--exec(-batch)?=|-[a-zA-Z0-9]*[xX])/.test(arg.text ?? ''))) addOpaqueAction(call)
}

/** Without a pattern, or with one that matches every name, `fd` lists all files. */
function noteFdListing(call: ProgramCall, found: NonNullable<Arg['found']>): void {
  noteFoundFiles(found, call.scope)
  if (found.named === undefined) for (const folder of found.below) addFileAction(call, 'read', folder, { whole: true })
  const [pattern] = call.line.operands
  if (found.named === undefined && !/\w/.test(pattern?.text ?? (pattern ? 'x' : '')))
    noteFolderContents(found.below, hasOption(call, '-H -u --hidden --unrestricted'), call.scope)
}

/** `fd PATTERN [FOLDER…]`: the pattern is a regular expression (a glob with `-g`) and may match anywhere in a name. */
function foundByFd(call: ProgramCall, exec: number): NonNullable<Arg['found']> {
  const own = exec === -1 ? call.args : call.args.slice(0, exec)
  const [pattern, ...folders] = call.line.operands.filter(arg => own.includes(arg))
  const below = folders.length > 0 ? folders : [literalArg('.')]
  const extension = call.line.options.find(({ name }) => name === '-e' || name === '--extension')?.value?.text
  if (typeof extension === 'string') return { below, named: [`*.${extension}`] }
  const text = pattern?.text
  const isPlain = typeof text === 'string' && /^[\w.-]+$/.test(text) && text !== '.'
  return { below, named: isPlain ? [`*${text.replaceAll('.', '?')}*`] : undefined }
}

const fd: ProgramDescription = {
  onlyReads: true,
  harmful: true,
  flags: '-H -I -u -s -i -g -F -a -l -p -0 --hidden --no-ignore',
  values: '-d -t -e -E -S -c -j --max-depth --type --extension --exclude --size',
  special: readFd,
}

export const SEARCH_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  grep,
  egrep: grep,
  fgrep: grep,
  rgrep: { ...grep, recursive: '' },
  zgrep: grep,
  rg,
  ag,
  ack,
  find: {
    onlyReads: true,
    harmful: true,
    values: FIND_VALUES,
    flags: '-print -print0 -depth -mount -xdev -empty -follow -not -o -a -or -and -delete -prune -quit -ls -H -L -P',
    special: readFind,
  },
  fd,
  fdfind: fd,
  locate: { onlyReads: true },
}
