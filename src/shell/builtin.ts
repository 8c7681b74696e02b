import { type Arg, literal } from './arg.ts'
import { join, MAX_FOLDER, namedFolders, withWildcards } from './place.ts'
import {
  assign,
  eitherFolder,
  forgetVars,
  noteArray,
  noteHeld,
  noteInteger,
  type Scope,
  stopTracking,
} from './scope.ts'
import { hasKnownLetters, isKnownOption, isKnownShopt, optionName } from './shell-options.ts'
import { isForShow, isInteger } from './variable.ts'

const SETS_VARIABLES = new Set([
  'read',
  'readarray',
  'mapfile',
  'unset',
  'getopts',
  'let',
  'source',
  '.',
  'shift',
  'wait',
])
const VOIDS = new Set([
  'exec',
  'trap',
  'source',
  '.',
  'alias',
  'enable',
  'shopt',
  'kill',
  'hash',
  'logout',
  'suspend',
  'break',
  'continue',
])
export const DECLARES: ReadonlySet<string> = new Set([
  'declare',
  'typeset',
  'local',
  'export',
  'readonly',
  'integer',
  'float',
])
const MOVES = new Set(['cd', 'chdir', 'pushd', 'popd'])

/** What a builtin does to the shell that runs it. */
export function applyBuiltin(name: string, args: readonly Arg[], scope: Scope): void {
  if (MOVES.has(name)) move(name, args, scope)
  else if (name === 'set') applySet(args, scope)
  else if (name === 'exit' || name === 'return') scope.voided ||= !isFailure(args[1])
  else if (VOIDS.has(name) && args.length > 1) scope.voided = true
  if (SETS_VARIABLES.has(name) || (name === 'printf' && args[1]?.head.startsWith('-v'))) {
    forgetVars(scope)
    // what is gone is not evaluated
    setNames(name === 'unset' ? args.filter(({ text }) => !isInteger(text ?? '')) : args, scope)
  }
  if (name === 'shopt' && setsUnknownOption(args)) scope.tainted = true
  if (/^(un)?setopt$/.test(name)) {
    if (!args.slice(1).every(({ text }) => isKnownOption(text))) scope.tainted = true
    if (args.some(({ text }) => optionName(text ?? '') === 'allexport')) scope.exported = true
  }
  // the handler runs between any two commands, or where it is not written
  if (name === 'trap' && args.some((arg, at) => at > 1 && !/^(0|EXIT|SIGEXIT)$/i.test(arg.text ?? '')))
    stopTracking(scope)
  // what is read-only is not set by what follows
  if (name === 'readonly' || (DECLARES.has(name) && args.some(arg => /^-\w*[nilucaAr]/.test(arg.head))))
    stopTracking(scope)
  if (DECLARES.has(name) && args.some(arg => /^-\w*[aA]/.test(arg.head)))
    for (const { head } of args.slice(1)) noteArray(scope, /^\w*/.exec(head)?.[0] ?? '')
  if (DECLARES.has(name) && isNumeric(name, args))
    for (const { head } of args.slice(1)) noteInteger(scope, /^\w*/.exec(head)?.[0] ?? '')
  // a name for another: to set it may set `PATH`
  if (DECLARES.has(name) && args.some(arg => /^-\w*n/.test(arg.head))) scope.tainted = true
  // a name that cannot be told may be `PATH`
  if (
    DECLARES.has(name) &&
    args.some(({ text, head }, at) => at > 0 && text === null && !/^([-+]|[A-Za-z_]\w*\+?=)/.test(head))
  ) {
    forgetVars(scope)
    scope.tainted = true
  }
  scope.exported ||= exportsSetting(name, args)
  const moves = scope.functions.get(name)
  if (moves === undefined) return
  forgetVars(scope)
  scope.voided = true
  if (moves) scope.cwds = eitherFolder(scope.cwds, [null])
}

/** `shopt -s histverify`, `shopt -so keyword`; to ask for one changes nothing. */
const setsUnknownOption = (args: readonly Arg[]): boolean =>
  args.some(({ text }) => text === null || /^-\w*[su]/.test(text)) &&
  args.slice(1).some(({ text }) => text === null || (!text.startsWith('-') && !isKnownShopt(text)))

/**
 * Options of `declare` that are known: to print, to export, to make read-only, and those that are looked at here. The others cut
 * a value (`-L`), join two variables (`-T`), take names for patterns (`-m`), or define functions from files (`-fu`).
 */
const DECLARES_WITH = /^(?:-(?:[aAginlprux]+|f|F|fp|pf)|\+[xrgi]+|--)$/

export const declaresOtherwise = (args: readonly Arg[]): boolean =>
  args.some(({ text, head }, at) => at > 0 && /^[-+]./.test(head) && !DECLARES_WITH.test(text ?? ''))

/** `declare -i x`, and the same in zsh: `float x`. */
export const isNumeric = (name: string, args: readonly Arg[]): boolean =>
  name === 'integer' || name === 'float' || args.some(({ head }) => /^-\w*[iEF]/.test(head))

/** `export PIP_LOG=f`: programs of that name take it for an option. */
function exportsSetting(name: string, args: readonly Arg[]): boolean {
  if (name !== 'export' && !(DECLARES.has(name) && args.some(arg => /^-\w*x/.test(arg.head)))) return false
  return args.some(({ head }, at) => at > 0 && !head.startsWith('-') && !isForShow(head.replace(/\+?=.*$/s, '')))
}

/** `read PATH`, `printf -v PATH`: which words are names does not matter, only that one may be. */
function setNames(args: readonly Arg[], scope: Scope): void {
  for (let at = 1; at < args.length; at += 1) {
    const text = args[at]?.text ?? null
    const name = text === null ? undefined : /^(?:-[a-zA-Z])?([A-Za-z_]\w*)/.exec(text)?.[1]
    if (name !== undefined) {
      assign(scope, name, null)
      noteArray(scope, name)
    } else if (text === null && !args[at - 1]?.head.startsWith('-')) scope.tainted = true
  }
}

/** `exit 1` ends the line as a failure, so what follows is still implied by its success. */
const isFailure = (status: Arg | undefined): boolean =>
  status !== undefined && status.text !== null && /^\d{1,9}$/.test(status.text) && Number(status.text) % 256 !== 0

function move(name: string, args: readonly Arg[], scope: Scope): void {
  const words = args.slice(1).filter(arg => !/^-[LPe@n]*$/.test(arg.text ?? '') || arg.text === '-')
  const targets = words[0]?.text === '--' ? words.slice(1) : words
  const [target] = targets
  const isHome = target === undefined && name !== 'pushd' && name !== 'popd'
  const folder = isHome ? '~' : (target?.text ?? null)
  const unknown = name === 'popd' || folder === null || folder === '-' || folder === '' || /^[+-]\d/.test(folder)
  if (folder === null && target?.patterns !== undefined) goToAny(target.patterns.map(withWildcards), scope)
  else if (
    unknown ||
    (scope.homeless && folder.startsWith('~')) ||
    folder.length > MAX_FOLDER ||
    scope.cwds.some(cwd => (cwd?.length ?? 0) > MAX_FOLDER)
  )
    scope.cwds = [null]
  else if (namedFolders(folder, scope) !== undefined) goToAny((namedFolders(folder, scope) ?? []).map(literal), scope)
  else if (targets.length > 1 || /^-(?!-$)./.test(words[0]?.head ?? '')) goToAny(targets, scope)
  else goTo(folder, target?.glob === true, scope)
}

/** `cd -q folder` and `cd old new` are options and a substitution to zsh only: it may be in any of these folders, or in another one. */
function goToAny(targets: readonly Arg[], scope: Scope): void {
  const before = scope.cwds
  let all: Scope['cwds'] = [null]
  for (const { text, glob } of targets) {
    if (text === null || text.startsWith('-')) continue
    scope.cwds = before
    goTo(text, glob === true, scope)
    all = eitherFolder(all, scope.cwds)
  }
  scope.cwds = all
}

/** Which of the folders that a wildcard names it leads into cannot be told: the wildcard stays. */
function goTo(folder: string, isWild: boolean, scope: Scope): void {
  const wild = new Set(scope.wildCwds)
  const next = scope.cwds.map(cwd => {
    if (cwd === null && !/^[/~]/.test(folder)) return null
    const to = join(cwd ?? '', folder)
    if (isWild || (cwd !== null && scope.wildCwds.has(cwd) && !/^[/~]/.test(folder))) wild.add(to)
    return to
  })
  scope.cwds = [...new Set(next)]
  if (wild.size > scope.wildCwds.size) scope.wildCwds = wild
}

function applySet(args: readonly Arg[], scope: Scope): void {
  noteHeld(scope, '@', args.slice(1))
  for (let at = 1; at < args.length; at += 1) {
    const text = args[at]?.text ?? null
    if (text === null) {
      scope.voided = true
      scope.tainted = true
      scope.errexit = false
      scope.pipefail = false
      return
    }
    if (text === '--' || !/^[-+]\w/.test(text)) return
    const on = text.startsWith('-')
    if (text.includes('e')) scope.errexit = on
    if (/[nt]/.test(text)) scope.voided = true
    if (text.includes('a')) scope.exported = true
    if (!hasKnownLetters(text)) scope.tainted = true
    // each `o` of a cluster takes a word
    if ((text.match(/o/g) ?? []).length > 1 || /o./.test(text)) scope.tainted = true
    if (!text.includes('o')) continue
    at += 1
    const option = optionName(args[at]?.text ?? '')
    if (option === 'errexit') scope.errexit = on
    else if (option === 'pipefail') scope.pipefail = on
    else if (option === 'noexec' || option === 'onecmd') scope.voided = true
    else if (option === 'posix') stopTracking(scope)
    else if (option === 'allexport') scope.exported = true
    if (args[at] !== undefined && !isKnownOption(args[at]?.text)) scope.tainted = true
  }
}
