import { type Arg, basename, literalArg, mayBeOneOf, scriptTextOf } from '../../calls/argument.ts'
import {
  addFileAction,
  addFileActions,
  addFolderWrite,
  addOpaqueAction,
  findOption,
  hasOption,
  type ProgramCall,
} from '../../calls/program-call.ts'
import { addPatchedFiles } from '../developer-tools.ts'
import { addTargetWrites } from '../files/files.ts'
import { readGitConfig } from './git-config.ts'
import {
  filesStagedByReset,
  isHeadRevision,
  noteAddedFiles,
  noteTrackedFiles,
  readGitUpdateIndex,
} from './git-index.ts'

export const CURRENT_FOLDER = literalArg('.')

type SubcommandReader = (call: ProgramCall, paths: readonly Arg[]) => void

/** What single subcommands do to files, beyond their options. */
export const SUBCOMMAND_READERS: Readonly<Record<string, SubcommandReader>> = {
  branch: listUnless(
    '--list -l --contains --no-contains --merged --no-merged --points-at',
    '-d -D -m -M -c -C -f -u --delete --move --copy --force --set-upstream-to --unset-upstream --edit-description',
  ),
  tag: listUnless(
    '--list -l --contains --no-contains --merged --points-at -v --verify',
    '-d -f -a -s -m -F --delete --force',
  ),
  remote: (call, paths) => {
    const verb = paths[0]?.text
    call.onlyReads = verb === undefined || verb === 'show' || verb === 'get-url'
  },
  config: readGitConfig,
  grep: (call, paths) => noteTrackedFiles(call, paths.slice(hasOption(call, '-e -f') ? 0 : 1)),
  'ls-files': noteTrackedFiles,
  add: noteAddedFiles,
  stage: noteAddedFiles,
  init: (call, paths) => addFileAction(call, 'write', paths[0] ?? CURRENT_FOLDER),
  reflog: (call, paths) => {
    call.onlyReads = !mayBeOneOf(paths[0], ['expire', 'delete', 'drop', 'write'])
  },
  'symbolic-ref': (call, paths) => {
    call.onlyReads = paths.length === 1 && !hasOption(call, '-d --delete')
  },
  stash: (call, paths) => {
    // only the word right after `stash` is a verb: `git stash -- list` stashes the file `list`
    const bare =
      paths[0] === undefined || call.args[call.args.indexOf(call.line.operands[0] ?? paths[0]) + 1] !== paths[0]
    const verb = bare ? 'push' : (paths[0]?.text ?? 'push')
    const files = bare ? paths : verb === 'push' ? paths.slice(1) : []
    if (verb === 'list' || verb === 'show') call.onlyReads = true
    else if (verb !== 'drop' && verb !== 'clear' && verb !== 'create' && verb !== 'store')
      addFileActionsOrFolder(call, 'write', files)
    // untracked files are stashed too
    if ((verb === 'push' || verb === 'save') && hasOption(call, '-u -a --include-untracked --all'))
      addFileActionsOrFolder(call, 'delete', files)
  },
  worktree: (call, paths) => {
    const verb = paths[0]?.text
    if (verb === 'list') call.onlyReads = true
    if (verb === 'add') addFolderWrite(call, paths[1])
    if (verb === 'remove') addFileAction(call, 'delete', paths[1])
    if (verb === 'move') addFileActions(call, 'write', paths.slice(1))
  },
  submodule: (call, paths) => {
    const verb = paths[0] === undefined ? 'status' : paths[0].text
    if (verb === 'status' || verb === 'summary') call.onlyReads = true
    else if (verb !== 'foreach') addFileAction(call, 'write', CURRENT_FOLDER)
    if (mayBeOneOf(paths[0], ['foreach'])) runRemainingWords(call, paths.slice(1))
    if (verb === null) addOpaqueAction(call)
    if (verb === 'add' && paths[2] !== undefined) addFolderWrite(call, paths[2])
  },
  'checkout-index': (call, paths) => {
    addFileActions(call, 'write', paths)
    // writes everything in the index, including content that others put there
    if (hasOption(call, '-a --all --stdin') && !hasOption(call, '--prefix'))
      addFileAction(call, 'write', CURRENT_FOLDER, { whole: true })
    addPrefixWrite(call)
  },
  'update-index': readGitUpdateIndex,
  // the first of the three files receives the merge result
  'merge-file': (call, paths) => {
    if (!hasOption(call, '-p --stdout') || hasOption(call, '--no-stdout')) addFileAction(call, 'write', paths[0])
  },
  'interpret-trailers': (call, paths) => {
    if (hasOption(call, '--in-place')) addFileActions(call, 'write', paths)
  },
  subtree: addPrefixWrite,
  'pack-objects': (call, paths) => addFileActions(call, 'write', paths),
  mailinfo: (call, paths) => addFileActions(call, 'write', paths),
  'read-tree': addPrefixWrite,
  bisect: (call, paths) => {
    if (paths[0]?.text === 'run') runRemainingWords(call, paths.slice(1))
    else if (paths[0]?.text !== 'log') addFileAction(call, 'write', CURRENT_FOLDER)
  },
  apply: (call, paths) => {
    addFileActions(call, 'read', paths)
    const only = hasSparingOption(call, '--check --stat --numstat --summary --cached') && !hasOption(call, '--apply')
    if (only) return
    const from = call.acts.length
    addFolderWrite(call, findOption(call, '--directory')?.value ?? CURRENT_FOLDER)
    const folders = call.acts.slice(from)
    // if the files are known, the text is what each of them gets
    if (paths.length === 0 && typeof call.stdin === 'string' && addPatchedFiles(call, call.stdin))
      call.acts.splice(from, folders.length, ...folders.map(act => ({ ...act, text: '' })))
  },
  checkout: (call, paths) => {
    if (call.line.dashes) return addFileActionsOrFolder(call, 'write', call.line.operands.slice(call.line.beforeDashes))
    const isNew = hasOption(call, '-b -B --orphan')
    if (isNew && paths.length === 0) return
    // without `--` the words may be a branch or files
    if (!isNew) for (const path of paths) addPathspecAction(call, 'write', path)
    addFileAction(call, 'write', CURRENT_FOLDER)
  },
  restore: (call, paths) => {
    const source = findOption(call, '-s --source')?.value
    const isStaged = hasSparingOption(call, '-S --staged') && !hasOption(call, '-W --worktree')
    if (!isStaged || (source !== undefined && !isHeadRevision(source))) addFileActionsOrFolder(call, 'write', paths)
  },
  reset: (call, paths) => {
    if (hasOption(call, '--hard --merge --keep')) addFileAction(call, 'write', CURRENT_FOLDER)
    for (const file of filesStagedByReset(call, paths)) addPathspecAction(call, 'write', file)
  },
  clean: (call, paths) => {
    if (!hasSparingOption(call, '-n --dry-run -h')) addFileActionsOrFolder(call, 'delete', paths)
  },
  rm: (call, paths) => {
    if (!hasSparingOption(call, '--cached -n --dry-run -h')) addFileActionsOrFolder(call, 'delete', paths)
  },
  mv: (call, paths) => {
    if (hasSparingOption(call, '-n --dry-run')) return
    addFileActions(call, 'delete', paths.slice(0, -1))
    addTargetWrites(call, paths.slice(0, -1), paths.at(-1), false)
  },
  clone: (call, paths) => {
    const [url, folder] = paths
    if (url === undefined) return
    const name =
      url.text === null
        ? url
        : literalArg(
            basename(url.text)
              .replace(/\.git$/, '')
              .replace(/^.*:/, ''),
          )
    addFolderWrite(call, folder ?? name)
  },
  'format-patch': call => {
    if (!hasOption(call, '--stdout -o --output-directory --output')) addFileAction(call, 'write', CURRENT_FOLDER)
  },
  bundle: (call, paths) => {
    if (paths[0]?.text === 'create') addFileAction(call, 'write', paths[1])
    else call.onlyReads = isVerb(paths, 'verify list-heads')
  },
  notes: (call, paths) => {
    call.onlyReads = paths.length === 0 || isVerb(paths, 'list show get-ref')
  },
  archive: call => {
    call.onlyReads = call.args.length === 3 && hasOption(call, '-l --list')
  },
  fsck: call => {
    call.onlyReads = !hasOption(call, '--lost-found')
  },
  'sparse-checkout': (call, paths) => {
    if (isVerb(paths, 'list')) call.onlyReads = true
    else addFileAction(call, 'write', CURRENT_FOLDER)
    // files outside the given folders are deleted
    if (isVerb(paths, 'set init reapply')) addFileAction(call, 'delete', CURRENT_FOLDER)
  },
  difftool: addOpaqueAction,
  mergetool: addOpaqueAction,
  'filter-branch': call => {
    addOpaqueAction(call)
    addFileAction(call, 'write', CURRENT_FOLDER)
  },
  hook: addOpaqueAction,
  'for-each-repo': addOpaqueAction,
}

const isVerb = (paths: readonly Arg[], verbs: string): boolean => verbs.split(' ').includes(paths[0]?.text ?? '')

/** Options that cancel a list option. */
const LIST_NEGATIONS = '--no-list --no-points-at --no-verify'

/** True if an option leaves the files untouched, and no other option cancels it: `-n --no-dry-run`. */
const hasSparingOption = (call: ProgramCall, names: string): boolean =>
  hasOption(call, names) && !call.line.options.some(({ name }) => /^--no-(d|chec|sta|stat|nums|summ|cach)/.test(name))

/** `git branch` only lists, unless it is given a name or an option that changes something. */
function listUnless(lists: string, changes: string): SubcommandReader {
  return (call, paths) => {
    call.onlyReads = !hasOption(call, `${changes} ${LIST_NEGATIONS}`) && (paths.length === 0 || hasOption(call, lists))
  }
}

function addFileActionsOrFolder(call: ProgramCall, action: 'write' | 'delete', paths: readonly Arg[]): void {
  for (const path of paths.length === 0 ? [CURRENT_FOLDER] : paths) addPathspecAction(call, action, path)
}

function addPrefixWrite(call: ProgramCall): void {
  const prefix = findOption(call, '-P --prefix')?.value
  if (prefix !== undefined) addFolderWrite(call, prefix)
}

/** Git expands wildcards itself, quoted or not, and reads `:/x` and `:(glob)x` like `x`. Excluded paths are not affected. */
function addPathspecAction(call: ProgramCall, action: 'write' | 'delete', path: Arg): void {
  const text = path.text?.replace(/^:\((?![^)]*exclude)[^)]*\)|^:\/(?=.)|^:(?=[\w.])/, '') ?? null
  if (text !== null && /^:(\(|[!^])/.test(text)) return
  const spec = text === null ? path : { ...path, text, head: text, glob: path.glob || /[*?[]/.test(text) }
  if (action === 'write') addFolderWrite(call, spec)
  else addFileAction(call, action, spec)
}

function runRemainingWords(call: ProgramCall, words: readonly Arg[]): void {
  const [first] = words
  const at = first === undefined ? -1 : call.args.indexOf(first)
  if (first === undefined) return
  if (words.length === 1) call.inner.push({ run: { script: scriptTextOf(first) } })
  else call.inner.push({ run: call.args.slice(at) })
}
