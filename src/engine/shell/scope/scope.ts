import type { PathRef } from '../../match/path-ref.ts'
import type { Arg } from '../calls/argument.ts'
import { type DescriptorTable, STANDARD_DESCRIPTORS } from './file-descriptors.ts'
import { hasShellSetVariable, mayHoldIndex, noteNameValue, taintVariable, untaintVariable } from './taint.ts'
import { isDigits, isIntegerVariable, isShellMaintained, variableRiskOf } from './variable-risk.ts'

/** What is known about the shell at one point of the line. */
export interface ShellScope {
  /** folders the command may run in: '' is where the line began, null cannot be told */
  cwds: readonly (string | null)[]
  /** those of `cwds` that hold wildcards: `cd .c*` leads into any folder they match */
  wildCwds: ReadonlySet<string>
  /** variables whose value is certain; replaced, never changed, so forks may share it */
  vars: ReadonlyMap<string, string>
  /** those of `vars` that not every shell sets so: elsewhere they hold something else */
  varied: ReadonlySet<string>
  /** false where code may run later or not at all, so an assignment only makes the variable unknown */
  certain: boolean
  /** words split elsewhere, or names stand for others: no variable can be told from here on */
  untracked: boolean
  /** names assigned in an `&&` chain: certain within it, not after it */
  chained: string[] | undefined
  /** the outermost enclosing loop: a variable set in it differs from turn to turn */
  loop: LoopScope | undefined
  errexit: boolean
  pipefail: boolean
  /** the shell may have ended, or names may mean something else, so nothing after this is implied */
  voided: boolean
  /** nobody waits for it: `&`, `coproc` */
  away: boolean
  /** a variable that changes what programs do was set, so none is known to only read */
  tainted: boolean
  /** a variable that programs may take an option from was exported */
  exported: boolean
  /** variables whose text nobody can read: evaluated as a number or a name, they may run anything */
  fog: ReadonlySet<string>
  /** variables that were given a name: evaluated as a number, it stands for what the variable of that name holds */
  names: ReadonlySet<string>
  /** variables that are arrays: `declare` evaluates what it is to put into one */
  arrays: ReadonlySet<string>
  /** variables declared as numbers: what is put into one is evaluated */
  integers: ReadonlySet<string>
  /** all that was ever in `fog`, `names` or `integers`: what runs later, as a function does, may meet any of it; shared by the line */
  readonly ever: LineHistory
  /** what the line has opened, and where */
  descriptors: DescriptorTable
  /** HOME was assigned: `~` cannot be told */
  homeless: boolean
  /** values are not split at white space, as in zsh */
  whole: boolean
  /** PWD was assigned: `$PWD` cannot be told */
  adrift: boolean
  /** function name → whether calling it may change the folder; shared by the whole line, to be on the safe side */
  readonly functions: Map<string, boolean>
  /** links made in this line, with what they lead to: the disk does not know of them yet; shared like the functions */
  readonly links: Map<string, string>
  /** what the searches of this line may have found: a file that cannot be told may be one of them; shared likewise */
  readonly finds: PathRef[]
  /** variable → names and wildcards that it may hold, as that of a loop over files does; shared likewise */
  readonly held: Map<string, readonly string[]>
}

/** Names of variables. */
export interface LineHistory {
  readonly fog: Set<string>
  readonly names: Set<string>
  readonly integers: Set<string>
  /** how many there were, at the least, where something that runs later was read */
  met: number
}

export const createLineHistory = (): LineHistory => ({
  fog: new Set(),
  names: new Set(),
  integers: new Set(),
  met: Number.POSITIVE_INFINITY,
})

interface LoopScope {
  readonly text: string
  /** variable name → whether the text sets it */
  readonly sets: Map<string, boolean>
}

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
  fog: NO_NAMES,
  names: NO_NAMES,
  arrays: NO_NAMES,
  integers: NO_NAMES,
  ever,
  descriptors: STANDARD_DESCRIPTORS,
  homeless: false,
  whole: false,
  adrift: false,
  functions: new Map(),
  links: new Map(),
  finds: [],
  held: new Map(),
})

/** A subshell: sees everything, changes nothing outside. */
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
  fog: scope.fog,
  names: scope.names,
  descriptors: scope.descriptors,
  homeless: scope.homeless,
  links: scope.links,
  finds: scope.finds,
})

/** `isNumber`: where the value cannot be told, it is a number all the same. */
export function assignVariable(scope: ShellScope, name: string, value: string | null, isNumber = false): void {
  if (name === 'HOME') scope.homeless = true
  if (name === 'PWD') scope.adrift = true
  if (name === 'IFS' || name === 'POSIXLY_CORRECT') stopTrackingVariables(scope)
  if (variableRiskOf(name, value) !== 'plain' || isEvaluatedOnAssignment(scope, name, value)) scope.tainted = true
  if (!isNumber && (mayHoldIndex(value) || hasShellSetVariable(value))) taintVariable(scope, name)
  else untaintIfCertain(scope, name)
  if (/[A-Za-z_]/.test(value ?? '')) noteNameValue(scope, name)
  if (scope.varied.has(name)) scope.varied = new Set([...scope.varied].filter(other => other !== name))
  trackVariable(scope, name, value)
}

/** An assignment that some shells do not make. */
export function maybeAssignVariable(scope: ShellScope, name: string, value: string | null, isNumber = false): void {
  const wasFoggy = scope.fog.has(name)
  assignVariable(scope, name, value, isNumber)
  if (wasFoggy) taintVariable(scope, name)
  scope.varied = new Set([...scope.varied, name])
}

/** The same shell as one sees it that has not set those. */
export const portableVariables = (scope: ShellScope): ReadonlyMap<string, string> =>
  scope.varied.size === 0 ? scope.vars : new Map([...scope.vars].filter(([name]) => !scope.varied.has(name)))

const MAX_POSSIBLE_VALUES = 32

/** What a list gives a variable: `for f in *.json`, `a=(*.json)`; by the name `@`, what `set --` gives the positions. */
export function notePossibleValues(scope: ShellScope, name: string, args: readonly Arg[]): void {
  if (scope.held.size >= MAX_VARS && !scope.held.has(name)) return
  const all = args.flatMap(({ text, patterns = [] }) => (text === null ? patterns : [text]))
  const short = all.filter(text => text !== '' && text.length <= MAX_POSSIBLE_VALUES * 8)
  scope.held.set(name, [...new Set([...(scope.held.get(name) ?? []), ...short])].slice(0, MAX_POSSIBLE_VALUES))
}

/** What the variable or position may hold, other than a certain value. */
export const possibleValuesOf = ({ held }: ShellScope, name: string): readonly string[] =>
  held.size === 0 ? [] : (held.get(/^[@*\d]/.test(name) ? '@' : name) ?? [])

export function markArray(scope: ShellScope, name: string): void {
  if (!scope.arrays.has(name) && scope.arrays.size < MAX_VARS) scope.arrays = new Set([...scope.arrays, name])
}

/** Stands for every name, where there are too many to tell. */
const ANY_VARIABLE = '*'

export function markInteger(scope: ShellScope, name: string): void {
  const { integers } = scope
  scope.ever.integers.add(name)
  if (!integers.has(name) && !integers.has(ANY_VARIABLE))
    scope.integers = new Set(integers.size < MAX_VARS ? [...integers, name] : [ANY_VARIABLE])
}

/** Whether to set the variable evaluates the value. */
export const isEvaluatedOnAssignment = ({ integers }: ShellScope, name: string, value: string | null): boolean =>
  (isIntegerVariable(name) || (integers.size > 0 && (integers.has(name) || integers.has(ANY_VARIABLE)))) &&
  !isDigits(value)

/** An array from before, from an earlier turn of the loop, of the shell itself; or one of too many to tell. */
export const mayBeArray = ({ arrays, loop }: ShellScope, name: string): boolean =>
  arrays.has(name) ||
  arrays.size >= MAX_VARS ||
  isShellMaintained(name) ||
  (loop !== undefined && [`${name}=(`, `${name}+=(`, `${name}[`].some(text => loop.text.includes(text)))

/** A value nobody has to fear, if it is sure to be set. */
function untaintIfCertain(scope: ShellScope, name: string): void {
  if (scope.certain && !scope.untracked && scope.chained === undefined) untaintVariable(scope, name)
}

/** The value, if it is certain from here on. */
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

/** An assignment that may not have happened. */
export const untrackVariable = (scope: ShellScope, name: string): void => trackVariable(scope, name, null)

/** From here on no variable can be told: words split elsewhere, or names stand for others. */
export function stopTrackingVariables(scope: ShellScope): void {
  scope.vars = NO_VARS
  scope.untracked = true
}

export function forgetVariables(scope: ShellScope): void {
  scope.vars = NO_VARS
}

/** `$x=1`, `x$n=1`, `++$x`: which variable is set cannot be told. */
const ANY_NAME =
  /\$(?:\w+(?!\w)|\{[^{}]*\})["']*(?:[A-Za-z_]|\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)|\s*(?:\+\+|--))|(?<![\w$]|\$\{)[A-Za-z_]\w*["']*\$|(?:\+\+|--)\s*\$/

/** Arithmetic may assign, and `PATH` as well as any other name. */
export function applyArithmeticAssignments(scope: ShellScope, text: string): void {
  if (!/=|\+\+|--/.test(text)) return
  forgetVariables(scope)
  for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) if (variableRiskOf(name, null) !== 'plain') scope.tainted = true
  if (ANY_NAME.test(text)) scope.tainted = true
}

/** The value of a variable, or null. */
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

/** Whether the text names the variable other than to read it. */
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
