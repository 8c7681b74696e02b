import { type Arg, basename, literal, scriptIn } from '../arg.ts'
import { type Call, find, has, obscure, touch, touchAll, touchWhole } from '../call.ts'
import type { Description } from '../description.ts'
import { joinAll } from '../place.ts'
import { lookup, type Scope } from '../scope.ts'
import { intoTarget } from './files.ts'
import { readConfig } from './git-config.ts'
import { isHead, noteTracked, readUpdateIndex, stagedByReset } from './git-index.ts'
import { isOwn } from './git-names.ts'
import { subcommandKinds } from './git-options.ts'

const READS = new Set(
  'status log diff show rev-parse describe blame annotate grep ls-files ls-tree ls-remote cat-file rev-list shortlog name-rev merge-base for-each-ref show-ref count-objects var whatchanged diff-tree diff-index diff-files check-ignore check-attr help version cherry range-diff show-branch verify-commit verify-tag verify-pack check-mailmap check-ref-format patch-id stripspace'.split(
    ' ',
  ),
)

/** Subcommands that rewrite the worktree as a whole. */
const REWRITES = new Set('am merge rebase pull cherry-pick revert switch read-tree checkout-index'.split(' '))

/** Subcommands that take a repository: `ext::cmd` names a program instead. */
const REACHES = new Set('ls-remote fetch fetch-pack pull push send-pack clone remote submodule archive'.split(' '))

/** `-c key=value` that names no program and no file. */
const DATA_KEYS =
  /^(user\.(name|email)|color\.\w+|advice\.\w+|core\.(quotepath|autocrlf|abbrev)|commit\.gpgsign|init\.defaultbranch|diff\.renames)=/i

const HERE = literal('.')

type Sub = (call: Call, paths: readonly Arg[]) => void

const SUBS: Readonly<Record<string, Sub>> = {
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
  config: readConfig,
  grep: (call, paths) => noteTracked(call, paths.slice(has(call, '-e -f') ? 0 : 1)),
  'ls-files': noteTracked,
  init: (call, paths) => touch(call, 'write', paths[0] ?? HERE),
  reflog: (call, paths) => {
    call.onlyReads = !['expire', 'delete', 'drop', 'write'].includes(paths[0]?.text ?? '')
  },
  'symbolic-ref': (call, paths) => {
    call.onlyReads = paths.length === 1 && !has(call, '-d --delete')
  },
  stash: (call, paths) => {
    // only the word right behind it is a verb: `git stash -- list` puts the file `list` away
    const bare =
      paths[0] === undefined || call.args[call.args.indexOf(call.line.operands[0] ?? paths[0]) + 1] !== paths[0]
    const verb = bare ? 'push' : (paths[0]?.text ?? 'push')
    const files = bare ? paths : verb === 'push' ? paths.slice(1) : []
    if (verb === 'list' || verb === 'show') call.onlyReads = true
    else if (verb !== 'drop' && verb !== 'clear' && verb !== 'create' && verb !== 'store') touchOr(call, 'write', files)
    // what git does not know of is put away too
    if ((verb === 'push' || verb === 'save') && has(call, '-u -a --include-untracked --all'))
      touchOr(call, 'delete', files)
  },
  worktree: (call, paths) => {
    const verb = paths[0]?.text
    if (verb === 'list') call.onlyReads = true
    if (verb === 'add') touchWhole(call, paths[1])
    if (verb === 'remove') touch(call, 'delete', paths[1])
    if (verb === 'move') touchAll(call, 'write', paths.slice(1))
  },
  submodule: (call, paths) => {
    const verb = paths[0]?.text ?? 'status'
    if (verb === 'status' || verb === 'summary') call.onlyReads = true
    else if (verb === 'foreach') runRest(call, paths.slice(1))
    else touch(call, 'write', HERE)
    if (verb === 'add' && paths[2] !== undefined) touchWhole(call, paths[2])
  },
  'checkout-index': (call, paths) => {
    touchAll(call, 'write', paths)
    // everything the index holds, whoever put it there
    if (has(call, '-a --all --stdin') && !has(call, '--prefix')) touch(call, 'write', HERE, { whole: true })
    touchPrefix(call)
  },
  'update-index': readUpdateIndex,
  // the first of the three files takes the others in
  'merge-file': (call, paths) => {
    if (!has(call, '-p --stdout') || has(call, '--no-stdout')) touch(call, 'write', paths[0])
  },
  subtree: touchPrefix,
  mailinfo: (call, paths) => touchAll(call, 'write', paths),
  'read-tree': touchPrefix,
  bisect: (call, paths) => {
    if (paths[0]?.text === 'run') runRest(call, paths.slice(1))
    else if (paths[0]?.text !== 'log') touch(call, 'write', HERE)
  },
  apply: (call, paths) => {
    touchAll(call, 'read', paths)
    const only = spares(call, '--check --stat --numstat --summary --cached') && !has(call, '--apply')
    if (!only) touchWhole(call, find(call, '--directory')?.value ?? HERE)
  },
  checkout: (call, paths) => {
    if (call.line.dashes) return touchOr(call, 'write', call.line.operands.slice(call.line.beforeDashes))
    const isNew = has(call, '-b -B --orphan')
    if (isNew && paths.length === 0) return
    // without `--` the words may name a branch or files
    if (!isNew) for (const path of paths) touchSpec(call, 'write', path)
    touch(call, 'write', HERE)
  },
  restore: (call, paths) => {
    const source = find(call, '-s --source')?.value
    const isStaged = spares(call, '-S --staged') && !has(call, '-W --worktree')
    if (!isStaged || (source !== undefined && !isHead(source))) touchOr(call, 'write', paths)
  },
  reset: (call, paths) => {
    if (has(call, '--hard --merge --keep')) touch(call, 'write', HERE)
    for (const file of stagedByReset(call, paths)) touchSpec(call, 'write', file)
  },
  clean: (call, paths) => {
    if (!spares(call, '-n --dry-run')) touchOr(call, 'delete', paths)
  },
  rm: (call, paths) => {
    if (!spares(call, '--cached -n --dry-run')) touchOr(call, 'delete', paths)
  },
  mv: (call, paths) => {
    if (spares(call, '-n --dry-run')) return
    touchAll(call, 'delete', paths.slice(0, -1))
    intoTarget(call, paths.slice(0, -1), paths.at(-1), false)
  },
  clone: (call, paths) => {
    const [url, folder] = paths
    if (url === undefined) return
    const name =
      url.text === null
        ? url
        : literal(
            basename(url.text)
              .replace(/\.git$/, '')
              .replace(/^.*:/, ''),
          )
    touchWhole(call, folder ?? name)
  },
  'format-patch': call => {
    if (!has(call, '--stdout -o --output-directory --output')) touch(call, 'write', HERE)
  },
  bundle: (call, paths) => {
    if (paths[0]?.text === 'create') touch(call, 'write', paths[1])
    else call.onlyReads = isVerb(paths, 'verify list-heads')
  },
  notes: (call, paths) => {
    call.onlyReads = paths.length === 0 || isVerb(paths, 'list show get-ref')
  },
  archive: call => {
    call.onlyReads = call.args.length === 3 && has(call, '-l --list')
  },
  fsck: call => {
    call.onlyReads = !has(call, '--lost-found')
  },
  'sparse-checkout': (call, paths) => {
    if (isVerb(paths, 'list')) call.onlyReads = true
    else touch(call, 'write', HERE)
    // what is not named goes
    if (isVerb(paths, 'set init reapply')) touch(call, 'delete', HERE)
  },
  difftool: obscure,
  mergetool: obscure,
  'filter-branch': call => {
    obscure(call)
    touch(call, 'write', HERE)
  },
  hook: obscure,
  'for-each-repo': obscure,
}

const isVerb = (paths: readonly Arg[], verbs: string): boolean => verbs.split(' ').includes(paths[0]?.text ?? '')

/** Takes back what makes it a list. */
const UNLISTS = '--no-list --no-points-at --no-verify'

/** The options that leave the files alone, unless a later word takes that back: `-n --no-dry-run`. */
const spares = (call: Call, names: string): boolean =>
  has(call, names) && !call.line.options.some(({ name }) => /^--no-(d|chec|sta|stat|nums|summ|cach)/.test(name))

/** `git branch` lists until it is given a name or an option that changes something. */
function listUnless(lists: string, changes: string): Sub {
  return (call, paths) => {
    call.onlyReads = !has(call, `${changes} ${UNLISTS}`) && (paths.length === 0 || has(call, lists))
  }
}

function touchOr(call: Call, action: 'write' | 'delete', paths: readonly Arg[]): void {
  for (const path of paths.length === 0 ? [HERE] : paths) touchSpec(call, action, path)
}

function touchPrefix(call: Call): void {
  const prefix = find(call, '-P --prefix')?.value
  if (prefix !== undefined) touchWhole(call, prefix)
}

/** git reads wildcards by itself, quoted or not, and `:/x` and `:(glob)x` as well as `x`. What is excluded stays. */
function touchSpec(call: Call, action: 'write' | 'delete', path: Arg): void {
  const text = path.text?.replace(/^:\((?![^)]*exclude)[^)]*\)|^:\/(?=.)|^:(?=[\w.])/, '') ?? null
  if (text !== null && /^:(\(|[!^])/.test(text)) return
  const spec = text === null ? path : { ...path, text, head: text, glob: path.glob || /[*?[]/.test(text) }
  if (action === 'write') touchWhole(call, spec)
  else touch(call, action, spec)
}

function runRest(call: Call, words: readonly Arg[]): void {
  const [first] = words
  const at = first === undefined ? -1 : call.args.indexOf(first)
  if (first === undefined) return
  if (words.length === 1) call.inner.push({ run: { script: scriptIn(first) } })
  else call.inner.push({ run: call.args.slice(at) })
}

/** `git -C dir`, `--work-tree` and the variable of that name move every path that follows. */
function folderOf(call: Call): Scope {
  const options = call.line.options.filter(({ name }) => name === '-C' || name === '--work-tree')
  const moves = [...options.map(({ value }) => value?.text ?? null), ...worktreeOf(call)]
  if (moves.length === 0) return call.scope
  const { wildCwds } = call.scope
  const isWild = options.some(({ value }) => value?.glob === true)
  const moved = call.scope.cwds.map(cwd => ({
    to: joinAll(cwd, moves),
    wild: isWild || (cwd !== null && wildCwds.has(cwd)),
  }))
  const wild = moved.flatMap(({ to, wild }) => (wild && to !== null ? [to] : []))
  return { ...call.scope, cwds: moved.map(({ to }) => to), wildCwds: new Set([...wildCwds, ...wild]) }
}

/** `GIT_WORK_TREE=dir`, in front of the command or before it; a list with nothing or with the folder. */
function worktreeOf({ assigns, scope }: Call): readonly (string | null)[] {
  if (assigns !== undefined && Object.hasOwn(assigns, 'GIT_WORK_TREE')) return [assigns.GIT_WORK_TREE ?? null]
  const value = lookup(scope, 'GIT_WORK_TREE')
  return value === null ? [] : [value]
}

function readGit(original: Call): void {
  const [sub, ...paths] = original.line.operands
  const name = sub?.text
  const globals = globalOptions(original, sub)
  const scope = folderOf({ ...original, line: { ...original.line, options: globals } })
  const call: Call = scope === original.scope ? original : { ...original, scope }
  if (name === undefined) call.onlyReads = has(call, '--version -v --help -h')
  else if (name === null) call.onlyReads = false
  else {
    call.onlyReads = READS.has(name)
    if (!isOwn(name) || (REACHES.has(name) && paths.some(arg => arg.head.includes('::')))) obscure(call)
    if (REWRITES.has(name) && !has(call, '--abort --quit')) touch(call, 'write', HERE)
    const exec = name === 'rebase' ? find(call, '-x --exec')?.value : undefined
    if (exec !== undefined) call.inner.push({ run: { script: scriptIn(exec) } })
    if (Object.hasOwn(SUBS, name)) SUBS[name]?.(call, paths)
    // a worktree that is named as such is what the command is about
    const isNamed = globals.some(option => option.name === '--work-tree') || worktreeOf(original).length > 0
    if (isNamed && !call.onlyReads) touchWhole(call, HERE)
  }
  // it may have taken the next word for its value: then the subcommand is a later one
  if (globals.some(({ kind, value }) => kind === undefined && value === undefined)) obscure(call)
  for (const { name, value } of globals) {
    if (name === '--exec-path' && value !== undefined) obscure(call)
    if (name === '--config-env') obscure(call)
    if (name === '-c' && !(value?.text !== null && value?.text !== undefined && DATA_KEYS.test(value.text)))
      obscure(call)
  }
  original.onlyReads = call.onlyReads
  original.obscured = call.obscured
}

/** The options in front of the subcommand. */
function globalOptions(call: Call, sub: Arg | undefined): Call['line']['options'] {
  if (call.args[1] === sub) return []
  const count = sub === undefined ? call.args.length : call.args.indexOf(sub)
  const words = call.line.words.slice(1, count).filter(word => word.role === 'option').length
  return call.line.options.slice(0, words)
}

export const GIT: Readonly<Record<string, Description>> = {
  git: {
    onlyReads: true,
    harmful: true,
    flags:
      '-p -P --paginate --no-pager --bare --no-replace-objects --no-lazy-fetch --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --version -v --help -h --html-path --man-path --info-path --exec-path',
    values: '-C -c --git-dir --work-tree --namespace --super-prefix --config-env --shallow-file --attr-source',
    inner: subcommandKinds,
    special: readGit,
  },
}
