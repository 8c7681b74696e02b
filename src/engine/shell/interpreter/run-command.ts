import { isSystemProgram } from '../../match/command.ts'
import type { Action } from '../../model/event.ts'
import { type Arg, type Assignments, basename, expandZshEquals, hasIndex, mayAskHelp } from '../calls/argument.ts'
import { commandFolderOf, hasTwoFolderChanges, isSuccessProof, markNarrowingWords } from '../calls/exit-status.ts'
import { type OptionKinds, parseCommandLine } from '../calls/parse-command-line.ts'
import {
  type ActionDraft,
  allAssignmentsOf,
  applyDescription,
  asDownload,
  hasFetch,
  type InnerCommand,
  isFetching,
  isObscure,
  isPackageRunner,
  NAMES_COMMAND,
  noteCode,
  optionKindsOf,
  type ProgramCall,
  type ProgramDescription,
} from '../calls/program-call.ts'
import {
  isKnownAsHelp,
  isKnownAsReading,
  READ_ONLY_PROGRAMS,
  setsVariables,
  WRAPPER_SCRIPTS,
} from '../calls/read-only-programs.ts'
import { runUnknownCode } from '../programs/builtins.ts'
import { EVALUATING_BUILTINS, mayEvaluateTainted, runHiddenCode } from '../programs/evaluating-builtins.ts'
import { describeByNameForm, PROGRAM_DESCRIPTIONS } from '../programs/index.ts'
import { addMappedFiles } from '../programs/scripting/zsh-modules.ts'
import { readCommandOptions } from '../programs/wrappers/command-options.ts'
import { addEmbeddedParts } from '../programs/wrappers/embedded-parts.ts'
import { readUnknownWrapper } from '../programs/wrappers/unknown-wrapper.ts'
import { createInnerShell } from '../scope/inner-shell.ts'
import { applyStartOptions } from '../scope/loose-reading.ts'
import { assignForScript, assumeAnyAssignment, mergeScopes, mergeVariables } from '../scope/merge-scopes.ts'
import { createChildShell, createScopeIn, forgetVariables } from '../scope/scope.ts'
import type { ShellScope } from '../scope/shell-scope.ts'
import { highestRisk } from '../scope/variable-risk.ts'
import { addAssignmentEffects, applyAssignments, POSIX_SPECIAL_BUILTINS } from './assignments.ts'
import { applyBuiltin, CHANGING_BUILTINS, DECLARATION_BUILTINS, declaredAssignments } from './builtin-effects.ts'
import {
  addAction,
  collectAttestedCommand,
  type EffectCollector,
  MAX_DEPTH,
  MAX_UNKNOWN_WRAPPERS,
  madeBy,
  marksOf,
  moveElsewhere,
  opaqueAction,
} from './effect-collector.ts'
import { withWrittenText } from './literal-output.ts'
import {
  type PipelinePosition,
  type RunContext,
  STATUS_IGNORED,
  WHOLE_LINE,
  withoutStatus,
} from './pipeline-position.ts'

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

/** Adds the `run` action, the program's own actions, and the commands it runs. Returns the last `run`: `tee f` of `sudo tee f`. */
export function runSimpleCommand(
  collector: EffectCollector,
  scope: ShellScope,
  simple: SimpleCommand,
  spot: PipelinePosition,
  /** adds what its words run */
  between?: () => void,
): Action {
  const command = describeCommand(simple, scope, spot)
  const { call, name } = command
  applyProgram(command, collector)
  if (hasIndex(call)) runHiddenCode(call)
  const assigns = allAssignmentsOf(call)
  if (assigns !== undefined) addAssignmentEffects(call, assigns)
  const risk = call.assigns === undefined ? 'plain' : highestRisk(call.assigns)
  if (risk === 'runs' || isObscure(call))
    collector.guesses += addEmbeddedParts(call, MAX_UNKNOWN_WRAPPERS - collector.guesses)
  const proven = provesSuccess(command)
  const run = runActionOf(command, { assigns, risk, proven, spot })
  addAction(collector, run)
  const from = collector.acts.length
  between?.()
  const own = hasFetch(collector.acts, from) ? { ...spot, words: true } : spot
  noteCode(run, call, own)
  const unknown = risk === 'runs' || (name === null && call.args.length > 0)
  if (unknown && !call.obscured) addAction(collector, opaqueAction(call.via))
  const acts = own.fetched || isFetching(call) ? call.acts.map(asDownload) : call.acts
  for (const act of acts) addAction(collector, madeBy(withWrittenText(act, call.program, spot.input), run))
  const innerSpot = proven ? own : withoutStatus(own)
  const [only] = call.inner.map(inner => runInnerCommand(collector, scope, call, inner, innerSpot))
  applyToShell(command, simple)
  return (call.inner.length === 1 && only) || run
}

/** A simple command, its program and how that program reads its words. */
interface DescribedCommand {
  readonly call: ProgramCall
  /** the program as written; null if unknown */
  readonly program: string | null
  readonly name: string | null
  readonly description: ProgramDescription | undefined
  readonly kinds: OptionKinds | undefined
  /** the assignments of a declaration builtin */
  readonly declared: Assignments | undefined
}

function describeCommand(simple: SimpleCommand, scope: ShellScope, spot: PipelinePosition): DescribedCommand {
  const args = expandZshEquals(simple.args)
  const first = args[0]
  const program = first === undefined || first.glob ? null : first.text
  const name = program === null ? null : basename(program)
  const description = name === null ? undefined : (PROGRAM_DESCRIPTIONS.get(name) ?? describeByNameForm(name))
  const kinds = description === undefined ? undefined : optionKindsOf(description)
  const declared = name !== null && DECLARATION_BUILTINS.has(name) ? declaredAssignments(args) : undefined
  const call: ProgramCall = {
    program: name ?? '',
    args,
    line: parseCommandLine(args, kinds, description?.inner),
    assigns: declared === undefined ? simple.assigns : { ...simple.assigns, ...declared },
    scope,
    via: simple.via,
    stdin: spot.stdin,
    piped: spot.piped === true,
    own: undefined,
    idle: false,
    onlyReads: false,
    altered: false,
    code: undefined,
    obscured: false,
    acts: [],
    inner: [],
  }
  return { call, program, name, description, kinds, declared }
}

/** Adds to the call what its program's description says. */
function applyProgram({ call, name, description }: DescribedCommand, collector: EffectCollector): void {
  if (name !== null && mayAskHelp(call) && isKnownAsHelp(call)) {
    call.onlyReads = true
    call.idle = true
    return
  }
  if (description !== undefined) applyDescription(call, description)
  if (!call.onlyReads && READ_ONLY_PROGRAMS.has(call.program) && isKnownAsReading(call)) call.onlyReads = true
  if (
    name !== null &&
    (description === undefined || (call.inner.length === 0 && (description.guesses || isPackageRunner(call))))
  )
    collector.guesses += readUnknownWrapper(call, MAX_UNKNOWN_WRAPPERS - collector.guesses)
  if (name !== null && (call.program === 'make' || call.args.some(arg => NAMES_COMMAND.test(arg.head))))
    readCommandOptions(call)
  if (WRAPPER_SCRIPTS.has(call.program) && setsVariables(call)) call.onlyReads = false
  if (EVALUATING_BUILTINS.has(call.program) && mayEvaluateTainted(call)) runUnknownCode(call)
  const text = [call.via, ...call.args.map(arg => arg.text ?? arg.head)].join('\n')
  if (text.includes('mapfile')) addMappedFiles(call, text)
}

/** Whether the exit status of the command proves what the command did. */
function provesSuccess({ call, kinds }: DescribedCommand): boolean {
  const { line, args, own } = call
  const isProof = isSuccessProof(call, own === undefined ? line : parseCommandLine(args.slice(0, own), kinds))
  return isProof && !hasTwoFolderChanges(call)
}

/** The `run` action of the command. */
function runActionOf(
  { call, program, name }: DescribedCommand,
  { assigns, risk, proven, spot }: RunContext,
): ActionDraft {
  const { args, line, scope } = call
  const altered =
    risk !== 'plain' || call.altered || scope.tainted || (program !== null && scope.functions.has(program))
  const trusted = !altered && program !== null && isSystemProgram(program)
  const words = name === null ? line.words : markNarrowingWords(name, args, line.words)
  const act: ActionDraft = {
    ...{ action: 'run', via: call.via },
    words: args[0]?.glob ? [{ text: null, role: 'plain' }, ...words.slice(1)] : words,
  }
  if (assigns !== undefined) act.assigns = assigns
  if (spot.implied && !scope.voided && risk === 'plain' && !scope.tainted && proven) act.implied = true
  if (spot.decides && !scope.voided) act.decides = true
  if ((call.onlyReads && trusted) || (args.length === 0 && risk === 'plain' && !scope.tainted)) act.onlyReads = true
  if (altered) act.altered = true
  const folder = commandFolderOf(call)
  if (folder !== '') act.folder = folder
  return act
}

/** What the command changes in the shell that runs it: a builtin's effects, and assignments that persist. */
function applyToShell({ call, name, declared }: DescribedCommand, simple: SimpleCommand): void {
  const { args, scope } = call
  if (name !== null) {
    if (CHANGING_BUILTINS.has(name) || scope.functions.has(name)) applyBuiltin(name, args, scope, call.assigns)
  } else if (args.length > 0) {
    scope.voided = true
    forgetVariables(scope)
  }
  if (args.length === 0 || declared !== undefined || POSIX_SPECIAL_BUILTINS.has(name ?? ''))
    applyAssignments(call, simple, declared)
}

function runInnerCommand(
  collector: EffectCollector,
  outer: ShellScope,
  call: ProgramCall,
  inner: InnerCommand,
  spot: PipelinePosition,
): Action | undefined {
  const { run, place } = inner
  if (inner.aside) return runAside(collector, outer, call, run)
  const scope = createScopeIn(place, outer)
  const since = marksOf(collector)
  if (collector.depth >= MAX_DEPTH || ('script' in run && run.script === null)) {
    scope.voided ||= inner.shares === true
    addAction(collector, opaqueAction(call.via))
    return undefined
  }
  let works: Action | undefined
  const own = inner.keeps ? spot : withoutStatus(spot)
  collector.depth += 1
  if (!('script' in run)) {
    const simple = { args: run, assigns: call.assigns, via: call.via, unsure: true }
    const at = collector.acts.length
    works = runSimpleCommand(collector, inner.shares ? scope : { ...scope }, simple, own)
    if (inner.attested && !scope.away)
      collectAttestedCommand(collector, run, at, alone => {
        runSimpleCommand(alone, { ...scope }, simple, { ...own, ...WHOLE_LINE })
      })
  } else if (run.script !== null) {
    const inside = inner.shares ? scope : createInnerShell(scope, call.assigns)
    if (inner.shares) assignForScript(scope, call.assigns)
    applyStartOptions(inside, run)
    // a value that differs by shell may have reached the script through any word or variable
    if (collector.differsByShell) {
      scope.voided ||= inner.shares === true
      addAction(collector, opaqueAction(call.via))
    }
    const before = { ...inside }
    if (inner.later) assumeAnyAssignment(inside)
    collector.walkText(collector, run.script, inside, own)
    if (inner.later) mergeVariables(scope, inside)
    // in zsh an error ends only the evaluated text, not the line; the folder depends on the exit status, as for any command
    if (inner.shares) mergeScopes(scope, { ...before, cwds: scope.cwds })
  }
  collector.depth -= 1
  if (place === 'elsewhere') moveElsewhere(collector, since)
  return works
}

/** A command beside a doubt: if it cannot be read either, all else of the line stays as it is. */
function runAside(
  collector: EffectCollector,
  scope: ShellScope,
  call: ProgramCall,
  run: InnerCommand['run'],
): undefined {
  if (collector.depth >= MAX_DEPTH) return
  const { attested: _, ...rest } = collector
  const own: EffectCollector = { ...rest, acts: [] }
  try {
    runInnerCommand(own, createChildShell(scope), { ...call, assigns: undefined }, { run }, STATUS_IGNORED)
  } catch {
    return
  } finally {
    collector.parsed = own.parsed
    collector.guesses = own.guesses
  }
  for (const act of own.acts) addAction(collector, act)
}
