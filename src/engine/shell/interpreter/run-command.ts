import { isSystemProgram } from '../../match/command.ts'
import type { Action } from '../../model/event.ts'
import { applyDescription } from '../calls/apply-description.ts'
import { type Arg, basename, literalArg, UNKNOWN_ARG } from '../calls/argument.ts'
import { commandFolderOf, hasTwoFolderChanges, isSuccessProof } from '../calls/exit-status.ts'
import { markNarrowingWords } from '../calls/narrowed-check.ts'
import { parseCommandLine } from '../calls/parse-command-line.ts'
import {
  type Assignments,
  addFileAction,
  addOpaqueAction,
  type InnerCommand,
  type ProgramCall,
} from '../calls/program-call.ts'
import { optionKindsOf } from '../calls/program-description.ts'
import { isReadOnlyCommand, isScriptWithSettings } from '../calls/read-only-commands.ts'
import { runUnknownCode } from '../programs/builtins.ts'
import { findProgramDescription } from '../programs/index.ts'
import { mayEvaluateTainted } from '../programs/tainted-words.ts'
import { assumeAnyAssignment, mergeScopes, mergeVariables } from '../scope/merge-scopes.ts'
import { mayHideCode } from '../scope/obfuscation.ts'
import { persistentAssignmentsOf } from '../scope/persistent-assignments.ts'
import {
  assignVariable,
  createChildShell,
  forgetVariables,
  isEvaluatedOnAssignment,
  maybeAssignVariable,
  type ShellScope,
} from '../scope/scope.ts'
import { hasShellSetVariable, mayHoldIndex, noteNameValue, taintVariable } from '../scope/taint.ts'
import { highestRisk, isDisplayVariable, isOutputFileVariable } from '../scope/variable-risk.ts'
import { applyBuiltin, DECLARATION_BUILTINS } from './builtin-effects.ts'
import { addAction, type EffectCollector, MAX_DEPTH, opaqueAction } from './effect-collector.ts'
import { type PipelinePosition, WHOLE_LINE, withoutStatus } from './pipeline-position.ts'

/** A simple command after expansion; words that cannot be determined are unknown. */
export interface SimpleCommand {
  readonly args: readonly Arg[]
  readonly assigns: Assignments | undefined
  readonly via: string
  /** names in `assigns` whose value is a number, even if unknown */
  readonly numbers?: ReadonlySet<string>
  /** true if some shells do not make these assignments */
  readonly unsure?: boolean
}

/** Adds the `run` action, then the program's own actions, then the commands it runs. `between` adds what its words run. */
export function runSimpleCommand(
  reading: EffectCollector,
  scope: ShellScope,
  simple: SimpleCommand,
  spot: PipelinePosition,
  between?: () => void,
): void {
  const { args, via } = simple
  const first = args[0]
  const program = first === undefined || first.glob ? null : first.text
  const name = program === null ? null : basename(program)
  const description = name === null ? undefined : findProgramDescription(name)
  const kinds = description === undefined ? undefined : optionKindsOf(description)
  const line = parseCommandLine(args, kinds, description?.inner)
  const declared = name !== null && DECLARATION_BUILTINS.has(name) ? declaredAssignments(args) : undefined
  const call: ProgramCall = {
    program: name ?? '',
    args,
    line,
    assigns: declared === undefined ? simple.assigns : { ...simple.assigns, ...declared },
    scope,
    via,
    stdin: spot.stdin,
    piped: spot.piped === true,
    own: undefined,
    idle: false,
    onlyReads: false,
    altered: false,
    obscured: false,
    acts: [],
    inner: [],
  }
  if (description !== undefined) applyDescription(call, description)
  if (!call.onlyReads && isReadOnlyCommand(call)) call.onlyReads = true
  if (isScriptWithSettings(call)) call.onlyReads = false
  if (mayEvaluateTainted(call)) runUnknownCode(call)
  // hidden code assembled from pieces, so the check of the raw line did not find it
  if (
    !scope.tainted &&
    (args.some(({ text }) => hasHiddenCode(text)) || Object.values(call.assigns ?? {}).some(hasHiddenCode))
  ) {
    addOpaqueAction(call)
    scope.tainted = true
  }
  const set = persistentAssignmentsOf(call.program, args, via)
  const all = set === undefined ? call.assigns : { ...set, ...call.assigns }
  addAssignmentEffects(call, all)
  const weight = highestRisk(call.assigns)
  const altered =
    weight !== 'plain' || call.altered || scope.tainted || (program !== null && scope.functions.has(program))
  const trusted = !altered && program !== null && isSystemProgram(program)
  const proven =
    isSuccessProof(call, call.own === undefined ? line : parseCommandLine(args.slice(0, call.own), kinds)) &&
    !hasTwoFolderChanges(call)
  const words = name === null ? line.words : markNarrowingWords(name, args, line.words)
  const act: ActionDraft = {
    action: 'run',
    words: first?.glob ? [{ text: null, role: 'plain' }, ...words.slice(1)] : words,
  }
  if (all !== undefined) act.assigns = all
  if (spot.implied && !scope.voided && weight === 'plain' && !scope.tainted && proven) act.implied = true
  if (spot.decides && !scope.voided) act.decides = true
  if ((call.onlyReads && trusted) || (args.length === 0 && weight === 'plain' && !scope.tainted)) act.onlyReads = true
  if (altered) act.altered = true
  const folder = commandFolderOf(call)
  if (folder !== '') act.folder = folder
  act.via = via
  addAction(reading, act)
  between?.()
  const unknown = weight === 'runs' || (name === null && args.length > 0)
  if (unknown && !call.obscured) addAction(reading, opaqueAction(via))
  for (const other of call.acts) addAction(reading, other)
  for (const inner of call.inner) runInnerCommand(reading, scope, call, inner, proven ? spot : withoutStatus(spot))
  if (name !== null) applyBuiltin(name, args, scope)
  else if (args.length > 0) {
    scope.voided = true
    forgetVariables(scope)
  }
  if (args.length === 0 || declared !== undefined || POSIX_SPECIAL_BUILTINS.has(name ?? ''))
    applyAssignments(call, simple, declared)
}

/** An assignment in front of these builtins persists in dash, as POSIX requires. In bash it ends with the builtin. */
const POSIX_SPECIAL_BUILTINS = new Set(
  ': . break continue eval exec exit export readonly return set shift times trap unset'.split(' '),
)
/** The only declaration builtins that dash knows. */
const PORTABLE_DECLARATIONS = new Set(['export', 'readonly'])

function applyAssignments(
  { program, scope, assigns }: ProgramCall,
  { args, numbers, unsure }: SimpleCommand,
  declared: Assignments | undefined,
): void {
  const isPlain = PORTABLE_DECLARATIONS.has(program) && !args.some(({ head }) => /^[-+]/.test(head))
  for (const name in assigns) {
    const isSure = !unsure && (args.length === 0 || (isPlain && Object.hasOwn(declared ?? {}, name)))
    const set = isSure ? assignVariable : maybeAssignVariable
    set(scope, name, assigns[name] ?? null, numbers?.has(name))
  }
}

/** Effects of the assignment itself: an integer variable evaluates its value, and a program may write to the file that a variable names. */
function addAssignmentEffects(call: ProgramCall, assigns: Assignments | undefined): void {
  for (const name in assigns) {
    const value = assigns[name] ?? null
    if (isEvaluatedOnAssignment(call.scope, name, value)) addOpaqueAction(call)
    if (isOutputFileVariable(name, value))
      addFileAction(call, 'write', value === null ? UNKNOWN_ARG : literalArg(value))
  }
}

/** `export A=b`, also behind `command`, where the parser does not see the words as assignments. */
function declaredAssignments(args: readonly Arg[]): Record<string, string | null> | undefined {
  const declared: Record<string, string | null> = {}
  for (const { text, head } of args) {
    const found = /^([A-Za-z_]\w*)(\[|\+?=)/.exec(head)
    if (found?.[1] !== undefined)
      declared[found[1]] = text === null || found[2] !== '=' ? null : text.slice(found[0].length)
  }
  return declared
}

const hasHiddenCode = (text: string | null): boolean => text?.includes('[') === true && mayHideCode(text)

type ActionDraft = { -readonly [K in keyof Action]: Action[K] }

function runInnerCommand(
  reading: EffectCollector,
  scope: ShellScope,
  call: ProgramCall,
  inner: InnerCommand,
  spot: PipelinePosition,
): void {
  const { run } = inner
  if (reading.depth >= MAX_DEPTH || ('script' in run && run.script === null)) {
    scope.voided ||= inner.shares === true
    addAction(reading, opaqueAction(call.via))
    return
  }
  const own = inner.keeps ? spot : withoutStatus(spot)
  reading.depth += 1
  if (!('script' in run)) {
    const simple = { args: run, assigns: call.assigns, via: call.via, unsure: true }
    const at = reading.acts.length
    runSimpleCommand(reading, inner.shares ? scope : { ...scope }, simple, own)
    if (inner.witnessed) collectAttestedCommand(reading, scope, simple, own, at)
  } else if (run.script !== null) {
    const inside = inner.shares ? scope : createInnerShell(scope, call.assigns)
    if (inner.shares) assignForScript(scope, call.assigns)
    inside.errexit ||= run.errexit === true
    inside.pipefail ||= run.pipefail === true
    // a value that differs by shell may have reached the script through any word or variable
    if (reading.differsByShell) {
      scope.voided ||= inner.shares === true
      addAction(reading, opaqueAction(call.via))
    }
    const before = { ...inside }
    if (inner.later) assumeAnyAssignment(inside)
    reading.walkText(reading, run.script, inside, own)
    if (inner.later) mergeVariables(scope, inside)
    // in zsh an error ends only the evaluated text, not the line; the folder depends on the exit status, as for any command
    if (inner.shares) mergeScopes(scope, { ...before, cwds: scope.cwds })
  }
  reading.depth -= 1
}

/** Interprets the command again as if it were the whole line, because the attestation reports this command's own exit status. */
function collectAttestedCommand(
  reading: EffectCollector,
  scope: ShellScope,
  simple: SimpleCommand,
  spot: PipelinePosition,
  at: number,
): void {
  const argv = simple.args.flatMap(({ text, glob }) => (text === null || glob ? [] : [text]))
  if (!reading.witnessed || scope.away || argv.length < simple.args.length) return
  const { witnessed, ...alone } = reading
  const acts: Action[] = []
  runSimpleCommand({ ...alone, acts }, { ...scope }, simple, { ...spot, ...WHOLE_LINE })
  if (acts.length === reading.acts.length - at) witnessed.push({ argv, at, acts })
}

/** `A=b eval 'line'`: the whole evaluated line sees `A`, and so does every program in it. */
function assignForScript(scope: ShellScope, assigns: Assignments | undefined): void {
  for (const name in assigns) {
    maybeAssignVariable(scope, name, assigns[name] ?? null)
    scope.exported ||= !isDisplayVariable(name)
  }
}

function createInnerShell(scope: ShellScope, assigns: Assignments | undefined): ShellScope {
  const inside = createChildShell(scope)
  inside.tainted ||= highestRisk(assigns) !== 'plain'
  for (const [name, value] of Object.entries(assigns ?? {})) {
    if (mayHoldIndex(value) || hasShellSetVariable(value)) taintVariable(inside, name)
    if (/[A-Za-z_]/.test(value ?? '')) noteNameValue(inside, name)
  }
  const known = Object.entries(assigns ?? {}).filter((entry): entry is [string, string] => entry[1] !== null)
  if (known.length > 0) inside.vars = new Map(known.slice(0, 64))
  return inside
}
