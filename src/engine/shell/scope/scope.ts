import type { Arg } from '../calls/argument.ts'
import { STANDARD_DESCRIPTORS } from './file-descriptors.ts'
import { addLooseness, loosenessOfVariable } from './loose-reading.ts'
import type { LineHistory, LoopScope, ShellScope } from './shell-scope.ts'
import { hasShellSetVariable, mayHoldIndex, noteNameValue, taintVariable, untaintVariable } from './taint.ts'
import { isDigits, isIntegerVariable, isShellMaintained, variableRiskOf } from './variable-risk.ts'

export const createLineHistory = (): LineHistory => ({
  taints: new Set(),
  names: new Set(),
  integers: new Set(),
  evaluates: false,
  met: Number.POSITIVE_INFINITY,
})

/** Marks are only added, so their number shows whether there are new ones. */
export const historySize = ({ taints, names, integers }: LineHistory): number =>
  taints.size + names.size + integers.size

/** True if a variable was marked after later-running code was read, so that code must be read again. */
export const hasLaterAssignments = (ever: LineHistory): boolean => ever.met < historySize(ever)

export const createLoopScope = (text: string): LoopScope => ({ text, sets: new Map() })

const NO_VARS: ReadonlyMap<string, string> = new Map()
const NO_NAMES: ReadonlySet<string> = new Set()
const START_FOLDERS: readonly (string | null)[] = ['']
const MAX_VARS = 64
const MAX_VALUE = 4096
const MAX_FOLDERS = 4

export const createScope = (vars = NO_VARS, ever = createLineHistory()): ShellScope => ({
  cwds: START_FOLDERS,
  wildCwds: NO_NAMES,
  vars,
  varied: NO_NAMES,
  certain: true,
  untracked: false,
  chained: undefined,
  loop: undefined,
  errexit: false,
  pipefail: false,
  voided: false,
  away: false,
  tainted: false,
  exported: false,
  taints: NO_NAMES,
  names: NO_NAMES,
  arrays: NO_NAMES,
  integers: NO_NAMES,
  ever,
  descriptors: STANDARD_DESCRIPTORS,
  homeless: false,
  loose: new Set(),
  whole: false,
  adrift: false,
  functions: new Map(),
  links: [],
  finds: [],
  listings: [],
  staged: [],
  fed: false,
  possible: new Map(),
})

/** A subshell: it sees everything and changes nothing outside. */
export const forkScope = (scope: ShellScope): ShellScope => ({ ...scope, chained: undefined })

/** A new shell process: only the folder is inherited for certain. */
export const createChildShell = (scope: ShellScope): ShellScope => ({
  ...createScope(NO_VARS, scope.ever),
  cwds: scope.cwds,
  wildCwds: scope.wildCwds,
  voided: scope.voided,
  away: scope.away,
  tainted: scope.tainted,
  exported: scope.exported,
  taints: scope.taints,
  names: scope.names,
  descriptors: scope.descriptors,
  homeless: scope.homeless,
  loose: scope.loose,
  links: scope.links,
  finds: scope.finds,
  listings: scope.listings,
  staged: scope.staged,
  fed: scope.fed,
})

/** `unknown`: the same shell in an unknown folder. `elsewhere`: what the line did to files here is not done there. */
export const createScopeIn = (place: 'unknown' | 'elsewhere' | undefined, scope: ShellScope): ShellScope => {
  if (place === undefined) return scope
  const adrift = { ...scope, cwds: [null] }
  return place === 'unknown' ? adrift : { ...createChildShell(adrift), links: [], finds: [], listings: [], staged: [] }
}

/** Variables that decide where `cd` goes and what wildcards match, also in a shell that is started with them. */
export function noteFolderVariable(scope: ShellScope, name: string, value: string | null): void {
  if (name === 'HOME') scope.homeless = true
  addLooseness(scope, loosenessOfVariable(name, value))
}

/** `isNumber`: the value is a number, even if unknown. */
export function assignVariable(scope: ShellScope, name: string, value: string | null, isNumber = false): void {
  noteFolderVariable(scope, name, value)
  if (name === 'PWD') scope.adrift = true
  if (name === 'IFS' || name === 'POSIXLY_CORRECT') stopTrackingVariables(scope)
  const isEvaluated = isEvaluatedOnAssignment(scope, name, value)
  if (isEvaluated) scope.ever.evaluates = true
  if (isEvaluated || variableRiskOf(name, value) !== 'plain') scope.tainted = true
  if (!isNumber && (mayHoldIndex(value) || hasShellSetVariable(value))) taintVariable(scope, name)
  else untaintIfCertain(scope, name)
  if (/[A-Za-z_]/.test(value ?? '')) noteNameValue(scope, name)
  if (scope.varied.has(name)) scope.varied = new Set([...scope.varied].filter(other => other !== name))
  trackVariable(scope, name, value)
}

/** An assignment that some shells do not make. */
export function maybeAssignVariable(scope: ShellScope, name: string, value: string | null, isNumber = false): void {
  const wasTainted = scope.taints.has(name)
  assignVariable(scope, name, value, isNumber)
  if (wasTainted) taintVariable(scope, name)
  scope.varied = new Set([...scope.varied, name])
}

/** The variables that have the same value in every shell. */
export const portableVariables = (scope: ShellScope): ReadonlyMap<string, string> =>
  scope.varied.size === 0 ? scope.vars : new Map([...scope.vars].filter(([name]) => !scope.varied.has(name)))

const MAX_POSSIBLE_VALUES = 32

/** Records values a list may give a variable: `for f in *.json`, `a=(*.json)`. The name `@` is for `set --`. */
export function notePossibleValues(scope: ShellScope, name: string, args: readonly Arg[]): void {
  if (scope.possible.size >= MAX_VARS && !scope.possible.has(name)) return
  const all = args.flatMap(({ text, patterns = [] }) => (text === null ? patterns : [text]))
  const short = all.filter(text => text !== '' && text.length <= MAX_POSSIBLE_VALUES * 8)
  scope.possible.set(name, [...new Set([...(scope.possible.get(name) ?? []), ...short])].slice(0, MAX_POSSIBLE_VALUES))
}

/** Values that the variable or positional parameter may hold, if its value is not certain. */
export const possibleValuesOf = ({ possible }: ShellScope, name: string): readonly string[] =>
  possible.size === 0 ? [] : (possible.get(/^[@*\d]/.test(name) ? '@' : name) ?? [])

export function markArray(scope: ShellScope, name: string): void {
  if (!scope.arrays.has(name) && scope.arrays.size < MAX_VARS) scope.arrays = new Set([...scope.arrays, name])
}

/** Stands for every name, once there are more than MAX_VARS. */
const ANY_VARIABLE = '*'

export function markInteger(scope: ShellScope, name: string): void {
  const { integers } = scope
  scope.ever.integers.add(name)
  if (!integers.has(name) && !integers.has(ANY_VARIABLE))
    scope.integers = new Set(integers.size < MAX_VARS ? [...integers, name] : [ANY_VARIABLE])
}

/** True if assigning the value to the variable evaluates it. */
export const isEvaluatedOnAssignment = ({ integers }: ShellScope, name: string, value: string | null): boolean =>
  (isIntegerVariable(name) || (integers.size > 0 && (integers.has(name) || integers.has(ANY_VARIABLE)))) &&
  !isDigits(value)

/** True if the variable is known as an array, may be one from an earlier iteration, is set by the shell, or too many arrays are known. */
export const mayBeArray = ({ arrays, loop }: ShellScope, name: string): boolean =>
  arrays.has(name) ||
  arrays.size >= MAX_VARS ||
  isShellMaintained(name) ||
  (loop !== undefined && [`${name}=(`, `${name}+=(`, `${name}[`].some(text => loop.text.includes(text)))

/** The new value is harmless: removes the taint, if the assignment certainly happens. */
function untaintIfCertain(scope: ShellScope, name: string): void {
  if (scope.certain && !scope.untracked && scope.chained === undefined) untaintVariable(scope, name)
}

/** Stores the value if it is certain from here on; otherwise makes the variable unknown. */
function trackVariable(scope: ShellScope, name: string, value: string | null): void {
  const known =
    value !== null &&
    value.length <= MAX_VALUE &&
    scope.certain &&
    !scope.untracked &&
    !isShellMaintained(name) &&
    (scope.vars.size < MAX_VARS || scope.vars.has(name))
  if (!known && !scope.vars.has(name)) return
  const vars = new Map(scope.vars)
  if (known) vars.set(name, value)
  else vars.delete(name)
  scope.vars = vars
  if (known) scope.chained?.push(name)
}

/** Makes a variable unknown: an assignment may not have happened. */
export const untrackVariable = (scope: ShellScope, name: string): void => trackVariable(scope, name, null)

/** Makes every variable unknown from here on: word splitting or name references have changed. */
export function stopTrackingVariables(scope: ShellScope): void {
  scope.vars = NO_VARS
  scope.untracked = true
}

export function forgetVariables(scope: ShellScope): void {
  scope.vars = NO_VARS
}

/** `$x=1`, `x$n=1`, `++$x`: the assigned variable is unknown. */
const ANY_NAME =
  /\$(?:\w+(?!\w)|\{[^{}]*\})["']*(?:[A-Za-z_]|\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)|\s*(?:\+\+|--))|(?<![\w$]|\$\{)[A-Za-z_]\w*["']*\$|(?:\+\+|--)\s*\$/

/** Arithmetic may assign any variable, including `PATH`. */
export function applyArithmeticAssignments(scope: ShellScope, text: string): void {
  if (!/=|\+\+|--/.test(text)) return
  forgetVariables(scope)
  for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) if (variableRiskOf(name, null) !== 'plain') scope.tainted = true
  if (ANY_NAME.test(text)) scope.tainted = true
}

/** The value of a variable, or null if unknown. */
export function lookupVariable(scope: ShellScope, name: string): string | null {
  const value = scope.vars.get(name)
  if (value !== undefined) return scope.loop !== undefined && isSetInLoop(scope.loop, name) ? null : value
  if (name === 'HOME') return scope.homeless ? null : '~'
  return name === 'PWD' && !scope.adrift ? '.' : null
}

function isSetInLoop(loop: LoopScope, name: string): boolean {
  const known = loop.sets.get(name) ?? isSetInText(loop.text, name)
  loop.sets.set(name, known)
  return known
}

/** True if the text mentions the variable other than to read it. */
function isSetInText(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length)) {
    const before = text[at - 1]
    const behind = text[at + name.length]
    const whole = !isNameChar(before) && !isNameChar(behind)
    if (whole && before !== '$' && before !== '{') return true
  }
  return false
}

const isNameChar = (char: string | undefined): boolean => char !== undefined && /\w/.test(char)

export function mergeFolders(one: ShellScope['cwds'], other: ShellScope['cwds']): ShellScope['cwds'] {
  if (one === other) return one
  const all = [...new Set([...one, ...other])]
  return all.length > MAX_FOLDERS ? [...all.slice(0, MAX_FOLDERS - 1), null] : all
}
