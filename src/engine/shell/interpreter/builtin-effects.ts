import { type Arg, type Assignments, literalArg } from '../calls/argument.ts'
import { addLooseness, loosenessOfOption } from '../scope/loose-reading.ts'
import { expandNamedFolder, joinPath, MAX_FOLDER_LENGTH, wildcardArg } from '../scope/path-resolution.ts'
import {
  assignVariable,
  forgetVariables,
  lookupVariable,
  markArray,
  markInteger,
  mergeFolders,
  notePossibleValues,
  stopTrackingVariables,
} from '../scope/scope.ts'
import { hasKnownSetLetters, isKnownSetOption, isKnownShopt, normalizeOptionName } from '../scope/shell-options.ts'
import type { ShellScope } from '../scope/shell-scope.ts'
import { isDisplayVariable, isIntegerVariable } from '../scope/variable-risk.ts'

const VARIABLE_SETTING_BUILTINS = new Set([
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
const VOIDING_BUILTINS = new Set([
  'exec',
  'trap',
  'source',
  '.',
  'alias',
  'enable',
  'shopt',
  'kill',
  'hash',
  'break',
  'continue',
])
export const DECLARATION_BUILTINS: ReadonlySet<string> = new Set([
  'declare',
  'typeset',
  'local',
  'export',
  'readonly',
  'integer',
  'float',
])
/** Builtins that end or stop the shell; a login shell also by `logout`, zsh also by `bye`. */
const EXIT_BUILTINS = new Set(['exit', 'return', 'logout', 'bye', 'suspend'])
const CD_BUILTINS = new Set(['cd', 'chdir', 'pushd', 'popd'])

/** All builtins that change the shell that runs them. Functions do too. */
export const CHANGING_BUILTINS: ReadonlySet<string> = new Set([
  ...CD_BUILTINS,
  ...VOIDING_BUILTINS,
  ...VARIABLE_SETTING_BUILTINS,
  ...DECLARATION_BUILTINS,
  ...EXIT_BUILTINS,
  ...['set', 'printf', 'setopt', 'unsetopt', 'emulate'],
])

/** Applies a builtin's effects to the shell that runs it. `assigns`: the assignments in front of it. */
export function applyBuiltin(name: string, args: readonly Arg[], scope: ShellScope, assigns: Assignments = {}): void {
  const { loose } = scope
  if (CD_BUILTINS.has(name)) applyCd(name, args, scope, assigns)
  else if (name === 'set') applySet(args, scope)
  else if (EXIT_BUILTINS.has(name)) scope.voided ||= !isFailureStatus(args[1])
  else if (VOIDING_BUILTINS.has(name) && args.length > 1) scope.voided = true
  if (VARIABLE_SETTING_BUILTINS.has(name) || (name === 'printf' && args[1]?.head.startsWith('-v'))) {
    forgetVariables(scope)
    // `unset` of an integer variable evaluates nothing
    untrackNamedVariables(name === 'unset' ? args.filter(({ text }) => !isIntegerVariable(text ?? '')) : args, scope)
    // a variable without a value changes nothing about paths
    if (name === 'unset') scope.loose = loose
  }
  if (name === 'shopt' && isSettingUnknownOption(args)) scope.tainted = true
  loosenByOptions(name, args, scope)
  if (/^(un)?setopt$/.test(name)) {
    if (!args.slice(1).every(({ text }) => isKnownSetOption(text))) scope.tainted = true
    if (args.some(({ text }) => normalizeOptionName(text ?? '') === 'allexport')) scope.exported = true
  }
  // `unsetopt errexit`, `setopt noexec`, `emulate sh`: a failure may no longer end the line, or nothing runs
  if (/^((un)?setopt|emulate)$/.test(name) && args.length > 1) {
    scope.voided ||= !args.every(
      ({ text }, at) => at === 0 || /^(errexit|pipefail)$/.test(normalizeOptionName(text ?? '')),
    )
    if (name !== 'setopt') scope.errexit = scope.pipefail = false
  }
  // a trap handler runs between any two commands, or at points that the line does not show
  if (name === 'trap' && args.some((arg, at) => at > 1 && !/^(0|EXIT|SIGEXIT)$/i.test(arg.text ?? '')))
    stopTrackingVariables(scope)
  // later assignments to a read-only variable fail
  if (name === 'readonly' || (DECLARATION_BUILTINS.has(name) && args.some(arg => /^-\w*[nilucaAr]/.test(arg.head))))
    stopTrackingVariables(scope)
  if (DECLARATION_BUILTINS.has(name) && args.some(arg => /^-\w*[aA]/.test(arg.head)))
    for (const { head } of args.slice(1)) markArray(scope, /^\w*/.exec(head)?.[0] ?? '')
  if (DECLARATION_BUILTINS.has(name) && isNumericDeclaration(name, args))
    for (const { head } of args.slice(1)) markInteger(scope, /^\w*/.exec(head)?.[0] ?? '')
  // `declare -n` makes a reference: assigning to it may set `PATH`
  if (DECLARATION_BUILTINS.has(name) && args.some(arg => /^-\w*n/.test(arg.head))) scope.tainted = true
  // an unknown name may be `PATH`
  if (
    DECLARATION_BUILTINS.has(name) &&
    args.some(({ text, head }, at) => at > 0 && text === null && !/^([-+]|[A-Za-z_]\w*\+?=)/.test(head))
  ) {
    forgetVariables(scope)
    scope.tainted = true
  }
  scope.exported ||= isExportingSetting(name, args)
  const moves = scope.functions.get(name)
  if (moves === undefined) return
  forgetVariables(scope)
  scope.voided = true
  if (moves) scope.cwds = mergeFolders(scope.cwds, [null])
}

/** `shopt -s dotglob`, `setopt globdots`, `emulate zsh -o globdots`: the words that name options of the shell. */
function loosenByOptions(name: string, args: readonly Arg[], scope: ShellScope): void {
  if (!/^(shopt|setopt|unsetopt|emulate)$/.test(name)) return
  if (name === 'shopt' && !args.some(({ text }) => text === null || /^-\w*s/.test(text))) return
  for (const { text } of args.slice(1)) {
    const isNamed = text === null || !/^(-.*|zsh|sh|ksh|csh)$/.test(text)
    // `setopt -4`: a letter stands for an option
    const isLetter = text !== null && /setopt/.test(name) && /^-(?!o$)/.test(text)
    if (isNamed || isLetter) addLooseness(scope, loosenessOfOption(isLetter ? null : text))
  }
}

/** `shopt -s histverify`, `shopt -so keyword`. Querying an option changes nothing. */
const isSettingUnknownOption = (args: readonly Arg[]): boolean =>
  args.some(({ text }) => text === null || /^-\w*[su]/.test(text)) &&
  args.slice(1).some(({ text }) => text === null || (!text.startsWith('-') && !isKnownShopt(text)))

/**
 * Options of `declare` that are known: print, export, make read-only, and the attributes handled in this file. Other options cut
 * a value (`-L`), tie two variables (`-T`), treat names as patterns (`-m`), or load functions from files (`-fu`).
 */
const KNOWN_DECLARE_OPTIONS = /^(?:-(?:[aAginlprux]+|f|F|fp|pf)|\+[xrgi]+|--)$/

export const hasUnknownDeclareOption = (args: readonly Arg[]): boolean =>
  args.some(({ text, head }, at) => at > 0 && /^[-+]./.test(head) && !KNOWN_DECLARE_OPTIONS.test(text ?? ''))

/** `declare -i x`, and `float x` in zsh. */
export const isNumericDeclaration = (name: string, args: readonly Arg[]): boolean =>
  name === 'integer' || name === 'float' || args.some(({ head }) => /^-\w*[iEF]/.test(head))

/** `export PIP_LOG=f`: programs read such exported variables as options. */
function isExportingSetting(name: string, args: readonly Arg[]): boolean {
  if (name !== 'export' && !(DECLARATION_BUILTINS.has(name) && args.some(arg => /^-\w*x/.test(arg.head)))) return false
  return args.some(
    ({ head }, at) => at > 0 && !head.startsWith('-') && !isDisplayVariable(head.replace(/\+?=.*$/s, '')),
  )
}

/** `read PATH`, `printf -v PATH`: treats every word that may be a variable name as one. */
function untrackNamedVariables(args: readonly Arg[], scope: ShellScope): void {
  for (let at = 1; at < args.length; at += 1) {
    const text = args[at]?.text ?? null
    const name = text === null ? undefined : /^(?:-[a-zA-Z])?([A-Za-z_]\w*)/.exec(text)?.[1]
    if (name !== undefined) {
      assignVariable(scope, name, null)
      markArray(scope, name)
    } else if (text === null && !args[at - 1]?.head.startsWith('-')) scope.tainted = true
  }
}

/** `exit 1` ends the line with a failure, so success of the line still implies that later commands ran. */
const isFailureStatus = (status: Arg | undefined): boolean =>
  status !== undefined && status.text !== null && /^\d{1,9}$/.test(status.text) && Number(status.text) % 256 !== 0

function applyCd(name: string, args: readonly Arg[], scope: ShellScope, assigns: Assignments): void {
  const words = args.slice(1).filter(arg => !/^-[LPe@n]*$/.test(arg.text ?? '') || arg.text === '-')
  const targets = words[0]?.text === '--' ? words.slice(1) : words
  const [target] = targets
  const isHome = target === undefined && name !== 'pushd' && name !== 'popd'
  const folder = isHome ? '~' : (target?.text ?? null)
  const unknown = name === 'popd' || folder === null || folder === '-' || folder === '' || /^[+-]\d/.test(folder)
  const elsewhere = isHome ? [assigns.HOME ?? lookupVariable(scope, 'HOME')] : foldersElsewhere(folder, scope, assigns)
  if (isHome && (Object.hasOwn(assigns, 'HOME') || scope.homeless)) enterAnyFolder(literalArgs(elsewhere), scope)
  else if (!isHome && elsewhere.length > 0 && folder !== null && !unknown)
    enterAnyFolder([literalArg(folder), ...literalArgs(elsewhere)], scope)
  else if (folder === null && target?.patterns !== undefined) enterAnyFolder(target.patterns.map(wildcardArg), scope)
  else if (
    unknown ||
    (scope.homeless && folder.startsWith('~')) ||
    folder.length > MAX_FOLDER_LENGTH ||
    scope.cwds.some(cwd => (cwd?.length ?? 0) > MAX_FOLDER_LENGTH)
  )
    scope.cwds = [null]
  else if (expandNamedFolder(folder, scope) !== undefined)
    enterAnyFolder((expandNamedFolder(folder, scope) ?? []).map(literalArg), scope)
  else if (targets.length > 1 || /^-(?!-$)./.test(words[0]?.head ?? '')) enterAnyFolder(targets, scope)
  else enterFolder(folder, target?.glob === true, scope)
}

const literalArgs = (texts: readonly (string | null)[]): readonly Arg[] =>
  texts.flatMap(text => (text === null || text === '' ? [] : [literalArg(text)]))

/**
 * Folders that a relative `cd` may enter besides the one it names: below an entry of CDPATH, or the value of the variable with that
 * name. Null stands for an unknown one. Empty if neither is in effect.
 */
function foldersElsewhere(folder: string | null, scope: ShellScope, assigns: Assignments): readonly (string | null)[] {
  const own = Object.hasOwn(assigns, 'CDPATH') && assigns.CDPATH !== ''
  if ((!scope.loose.has('folders') && !own) || folder === null || /^([/~]|\.\.?(\/|$))/.test(folder)) return []
  const entries = (assigns.CDPATH ?? lookupVariable(scope, 'CDPATH') ?? '').split(':').filter(entry => entry !== '')
  const [, name = folder, rest = ''] = /^(\w+)(\/.*)$/s.exec(folder) ?? []
  const value = lookupVariable(scope, name)
  return [null, ...entries.map(entry => joinPath(entry, folder)), ...(value === null ? [] : [value + rest])]
}

/** Only zsh knows `cd -q folder` and `cd old new` (substitution). The shell may be in any of these folders, or in another one. */
function enterAnyFolder(targets: readonly Arg[], scope: ShellScope): void {
  const before = scope.cwds
  let all: ShellScope['cwds'] = [null]
  for (const { text, glob } of targets) {
    if (text === null || text.startsWith('-')) continue
    scope.cwds = before
    enterFolder(text, glob === true, scope)
    all = mergeFolders(all, scope.cwds)
  }
  scope.cwds = all
}

/** A wildcard may match several folders, so `cwds` keeps the wildcard. */
function enterFolder(folder: string, isWild: boolean, scope: ShellScope): void {
  const wild = new Set(scope.wildCwds)
  const next = scope.cwds.map(cwd => {
    if (cwd === null && !/^[/~]/.test(folder)) return null
    const to = joinPath(cwd ?? '', folder)
    if (isWild || (cwd !== null && scope.wildCwds.has(cwd) && !/^[/~]/.test(folder))) wild.add(to)
    return to
  })
  scope.cwds = [...new Set(next)]
  if (wild.size > scope.wildCwds.size) scope.wildCwds = wild
}

function applySet(args: readonly Arg[], scope: ShellScope): void {
  notePossibleValues(scope, '@', args.slice(1))
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
    if (!hasKnownSetLetters(text)) {
      scope.tainted = true
      addLooseness(scope, loosenessOfOption(null))
    }
    // each `o` in a group of letters takes one word
    if ((text.match(/o/g) ?? []).length > 1 || /o./.test(text)) scope.tainted = true
    if (!text.includes('o')) continue
    at += 1
    const option = normalizeOptionName(args[at]?.text ?? '')
    if (option === 'errexit') scope.errexit = on
    else if (option === 'pipefail') scope.pipefail = on
    else if (option === 'noexec' || option === 'onecmd') scope.voided = true
    else if (option === 'posix') stopTrackingVariables(scope)
    else if (option === 'allexport') scope.exported = true
    if (args[at] === undefined) return
    if (!isKnownSetOption(args[at]?.text)) scope.tainted = true
    addLooseness(scope, loosenessOfOption(args[at]?.text))
  }
}

/** `export A=b`, also behind `command`, where the parser does not see the words as assignments. */
export function declaredAssignments(args: readonly Arg[]): Record<string, string | null> | undefined {
  const declared: Record<string, string | null> = {}
  for (const { text, head } of args) {
    const found = /^([A-Za-z_]\w*)(\[|\+?=)/.exec(head)
    if (found?.[1] !== undefined)
      declared[found[1]] = text === null || found[2] !== '=' ? null : text.slice(found[0].length)
  }
  return declared
}
