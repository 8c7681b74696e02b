import { type Arg, isStdin, literalArg, scriptTextOf, UNKNOWN_ARG } from '../../calls/argument.ts'
import type { OptionKinds } from '../../calls/parse-command-line.ts'
import {
  addFileAction,
  addFolderWrite,
  addOpaqueAction,
  findOption,
  hasOption,
  isOptionNamed,
  optionKindsOf,
  type ProgramCall,
  type ProgramDescription,
} from '../../calls/program-call.ts'
import { joinFolders } from '../../scope/path-resolution.ts'
import { lookupVariable } from '../../scope/scope.ts'
import type { ShellScope } from '../../scope/shell-scope.ts'
import { gitOptionsOf } from '../rare-programs/index.ts'
import { deleteAddedFiles } from './git-index.ts'
import { OPAQUE_SUBCOMMANDS, OTHER_SUBCOMMANDS, RARE_SUBCOMMANDS, SUBCOMMAND_OPTIONS } from './git-options.ts'
import { CURRENT_FOLDER, SUBCOMMAND_READERS } from './git-subcommands.ts'

const READ_SUBCOMMANDS = new Set(
  'status log diff show rev-parse describe blame annotate grep ls-files ls-tree ls-remote cat-file rev-list shortlog name-rev merge-base for-each-ref show-ref count-objects var whatchanged diff-tree diff-index diff-files check-ignore check-attr help version cherry range-diff show-branch verify-commit verify-tag verify-pack check-mailmap check-ref-format patch-id stripspace'.split(
    ' ',
  ),
)

/** Subcommands that rewrite the worktree as a whole. */
const WORKTREE_SUBCOMMANDS = new Set(
  'am merge rebase pull cherry-pick revert switch read-tree checkout-index'.split(' '),
)

/** True for git's own subcommands. Any other name is an alias, which may run anything, or a third-party program. */
const isGitSubcommand = (name: string): boolean =>
  [READ_SUBCOMMANDS, WORKTREE_SUBCOMMANDS, OPAQUE_SUBCOMMANDS, OTHER_SUBCOMMANDS].some(names => names.has(name)) ||
  Object.hasOwn(SUBCOMMAND_OPTIONS, name) ||
  RARE_SUBCOMMANDS.has(name) ||
  Object.hasOwn(SUBCOMMAND_READERS, name)

/** Subcommands that take a repository URL. The URL `ext::cmd` runs a program. */
const REMOTE_SUBCOMMANDS = new Set(
  'ls-remote fetch fetch-pack pull push send-pack clone remote submodule archive config'.split(' '),
)

/** Settings for `-c key=value` that name neither a program nor a file. */
const HARMLESS_CONFIG =
  /^(user\.(name|email)|color\.\w+|advice\.\w+|core\.(quotepath|autocrlf|abbrev)|commit\.gpgsign|init\.defaultbranch|diff\.renames)=/i

function readGit(original: ProgramCall): void {
  const [sub, ...paths] = original.line.operands
  const name = sub?.text
  const globals = globalOptions(original, sub)
  const scope = scopeInFolder({ ...original, line: { ...original.line, options: globals } })
  const call: ProgramCall = scope === original.scope ? original : { ...original, scope }
  if (name === undefined) call.onlyReads = hasOption(call, '--version -v --help -h')
  else if (name === null) call.onlyReads = false
  else {
    call.onlyReads = READ_SUBCOMMANDS.has(name)
    if (
      !isGitSubcommand(name) ||
      OPAQUE_SUBCOMMANDS.has(name) ||
      hasOtherStrategy(call, name) ||
      (REMOTE_SUBCOMMANDS.has(name) && paths.some(arg => arg.head.includes('::')))
    )
      addOpaqueAction(call)
    if (WORKTREE_SUBCOMMANDS.has(name) && !hasOption(call, '--abort --quit'))
      addFileAction(call, 'write', CURRENT_FOLDER)
    const exec = name === 'rebase' ? findOption(call, '-x --exec')?.value : undefined
    if (exec !== undefined) call.inner.push({ run: { script: scriptTextOf(exec) } })
    if (Object.hasOwn(SUBCOMMAND_READERS, name)) SUBCOMMAND_READERS[name]?.(call, [...paths, ...listedPaths(call)])
    if (call.scope.staged.length > 0) deleteAddedFiles(call, name)
    // an explicitly named worktree counts as the target of the command
    const isNamed = globals.some(option => option.name === '--work-tree') || worktreeOf(original).length > 0
    if (isNamed && !call.onlyReads) addFolderWrite(call, CURRENT_FOLDER)
  }
  // an option that is unknown, or whose end is, may have taken the next word as its value: the subcommand may be a later word
  const before = original.args.slice(1, sub === undefined ? 1 : original.args.indexOf(sub))
  const isCut = paths.length > 0 && before.some(({ text, head }) => text === null && /^-[^=]*$/.test(head))
  if (isCut || globals.some(({ kind, value }) => kind === undefined && value === undefined)) addOpaqueAction(call)
  for (const { name, value } of globals) {
    if (name === '--exec-path' && value !== undefined) addOpaqueAction(call)
    if (name === '--config-env') addOpaqueAction(call)
    if (name === '-c' && !(value?.text !== null && value?.text !== undefined && HARMLESS_CONFIG.test(value.text)))
      addOpaqueAction(call)
  }
  original.onlyReads = call.onlyReads
  original.obscured = call.obscured
}

const STRATEGIES = /^(ort|recursive|resolve|octopus|ours|subtree)$/

/** `git merge -s x` runs `git merge-x`, which may be an alias. */
function hasOtherStrategy(call: ProgramCall, name: string): boolean {
  if (!WORKTREE_SUBCOMMANDS.has(name)) return false
  const strategy = findOption(call, /^(merge|pull|rebase)$/.test(name) ? '-s --strategy' : '--strategy')?.value
  return strategy !== undefined && !STRATEGIES.test(strategy.text ?? '')
}

/** `--pathspec-from-file=f`: paths from a list, which is known only if it is the text on standard input. */
function listedPaths(call: ProgramCall): readonly Arg[] {
  const list = call.line.options.find(option => isOptionNamed(option, '--pathspec-from-file'))
  if (list === undefined) return []
  if (!isStdin(list.value?.text) || typeof call.stdin !== 'string') return [UNKNOWN_ARG, CURRENT_FOLDER]
  return call.stdin.split(/[\n\0]/).flatMap(path => (path === '' ? [] : [literalArg(path)]))
}

/** The options before the subcommand. */
function globalOptions(call: ProgramCall, sub: Arg | undefined): ProgramCall['line']['options'] {
  if (call.args[1] === sub) return []
  const count = sub === undefined ? call.args.length : call.args.indexOf(sub)
  const words = call.line.words.slice(1, count).filter(word => word.role === 'option').length
  return call.line.options.slice(0, words)
}

const gitSubcommandOptions = (name: string): OptionKinds | undefined => {
  const common = Object.hasOwn(SUBCOMMAND_OPTIONS, name) ? SUBCOMMAND_OPTIONS[name] : undefined
  const description = RARE_SUBCOMMANDS.has(name) ? gitOptionsOf(name) : common
  return description === undefined ? undefined : optionKindsOf(description)
}

/** `git-commit` and `/usr/lib/git-core/git-commit` are `git commit`. */
export function dashedGitDescription(subcommand: string): ProgramDescription | undefined {
  if (!isGitSubcommand(subcommand)) return undefined
  return {
    special: call => {
      call.own = 1
      call.inner.push({ run: [literalArg('git'), literalArg(subcommand), ...call.args.slice(1)], keeps: true })
    },
  }
}

/** `git -C dir`, `--work-tree` and GIT_WORK_TREE change the folder for all paths of the command. */
function scopeInFolder(call: ProgramCall): ShellScope {
  const options = call.line.options.filter(({ name }) => name === '-C' || name === '--work-tree')
  const moves = [...options.map(({ value }) => value?.text ?? null), ...worktreeOf(call)]
  if (moves.length === 0) return call.scope
  const { wildCwds } = call.scope
  const isWild = options.some(({ value }) => value?.glob === true)
  const moved = call.scope.cwds.map(cwd => ({
    to: joinFolders(cwd, moves),
    wild: isWild || (cwd !== null && wildCwds.has(cwd)),
  }))
  const wild = moved.flatMap(({ to, wild }) => (wild && to !== null ? [to] : []))
  return { ...call.scope, cwds: moved.map(({ to }) => to), wildCwds: new Set([...wildCwds, ...wild]) }
}

/** The folder in `GIT_WORK_TREE=dir`, set in front of the command or earlier in the line; an empty list if it is not set. */
function worktreeOf({ assigns, scope }: ProgramCall): readonly (string | null)[] {
  if (assigns !== undefined && Object.hasOwn(assigns, 'GIT_WORK_TREE')) return [assigns.GIT_WORK_TREE ?? null]
  const value = lookupVariable(scope, 'GIT_WORK_TREE')
  return value === null ? [] : [value]
}

export const GIT_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  git: {
    onlyReads: true,
    harmful: true,
    flags:
      '-p -P --paginate --no-pager --bare --no-replace-objects --no-lazy-fetch --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --version -v --help -h --html-path --man-path --info-path --exec-path',
    values: '-C -c --git-dir --work-tree --namespace --super-prefix --config-env --shallow-file --attr-source',
    inner: gitSubcommandOptions,
    special: readGit,
  },
}
