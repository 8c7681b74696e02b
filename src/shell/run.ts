import type { Act } from '../core/index.ts'
import { isSystem } from '../pattern/index.ts'
import { type Arg, basename, literal, UNKNOWN } from './arg.ts'
import { applyBuiltin, DECLARES } from './builtin.ts'
import { type Assigns, type Call, type Inner, obscure, touch } from './call.ts'
import { describeCall } from './describe.ts'
import { kindsOf } from './description.ts'
import { cloud, holdsText, isRaw, noteName } from './fog.ts'
import { hidesCode } from './hidden.ts'
import { join, joinNames, meetEver } from './join.ts'
import { readLine } from './options.ts'
import { markNarrowing } from './partial-check.ts'
import { evaluate } from './programs/builtins.ts'
import { evaluatesFog } from './programs/foggy-words.ts'
import { programOf } from './programs/index.ts'
import { folderOf, movesTwice, proves } from './proof.ts'
import { isQuestion, isSteeredScript } from './question.ts'
import { MAX_DEPTH, opaque, push, type Reading } from './reading.ts'
import { assign, counts, forgetVars, freshShell, perhapsAssign, type Scope } from './scope.ts'
import { setBy } from './settings.ts'
import { type Spot, unheard, WHOLE } from './spot.ts'
import { heaviest, isForShow, namesOutput } from './variable.ts'

/** A simple command whose words are known as far as they can be. */
export interface Simple {
  readonly args: readonly Arg[]
  readonly assigns: Assigns | undefined
  readonly via: string
  /** those of `assigns` that are numbers, whichever */
  readonly numbers?: ReadonlySet<string>
  /** not every shell makes the assignments */
  readonly unsure?: boolean
}

/** Emits the run act, then what the program does, then what it runs in turn. `between` emits what its words run. */
export function runSimple(reading: Reading, scope: Scope, simple: Simple, spot: Spot, between?: () => void): void {
  const { args, via } = simple
  const first = args[0]
  const program = first === undefined || first.glob ? null : first.text
  const name = program === null ? null : basename(program)
  const description = name === null ? undefined : programOf(name)
  const kinds = description === undefined ? undefined : kindsOf(description)
  const line = readLine(args, kinds, description?.inner)
  const declared = name !== null && DECLARES.has(name) ? declaredBy(args) : undefined
  const call: Call = {
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
  if (description !== undefined) describeCall(call, description)
  if (!call.onlyReads && isQuestion(call)) call.onlyReads = true
  if (isSteeredScript(call)) call.onlyReads = false
  if (evaluatesFog(call)) evaluate(call)
  // put together from pieces, where the line itself did not show it
  if (!scope.tainted && (args.some(({ text }) => hides(text)) || Object.values(call.assigns ?? {}).some(hides))) {
    obscure(call)
    scope.tainted = true
  }
  const set = setBy(call.program, args, via)
  const all = set === undefined ? call.assigns : { ...set, ...call.assigns }
  heedValues(call, all)
  const weight = heaviest(call.assigns)
  const altered =
    weight !== 'plain' || call.altered || scope.tainted || (program !== null && scope.functions.has(program))
  const trusted = !altered && program !== null && isSystem(program)
  const proven =
    proves(call, call.own === undefined ? line : readLine(args.slice(0, call.own), kinds)) && !movesTwice(call)
  const words = name === null ? line.words : markNarrowing(name, args, line.words)
  const act: Draft = { action: 'run', words: first?.glob ? [{ text: null, role: 'plain' }, ...words.slice(1)] : words }
  if (all !== undefined) act.assigns = all
  if (spot.implied && !scope.voided && weight === 'plain' && !scope.tainted && proven) act.implied = true
  if (spot.decides && !scope.voided) act.decides = true
  if ((call.onlyReads && trusted) || (args.length === 0 && weight === 'plain' && !scope.tainted)) act.onlyReads = true
  if (altered) act.altered = true
  const folder = folderOf(call)
  if (folder !== '') act.folder = folder
  act.via = via
  push(reading, act)
  between?.()
  const unknown = weight === 'runs' || (name === null && args.length > 0)
  if (unknown && !call.obscured) push(reading, opaque(via))
  for (const other of call.acts) push(reading, other)
  for (const inner of call.inner) runInner(reading, scope, call, inner, proven ? spot : unheard(spot))
  if (name !== null) applyBuiltin(name, args, scope)
  else if (args.length > 0) {
    scope.voided = true
    forgetVars(scope)
  }
  if (args.length === 0 || declared !== undefined || LASTING.has(name ?? '')) keepAssigns(call, simple, declared)
}

/** In front of these an assignment lasts in dash, as POSIX says, and ends with them in bash. */
const LASTING = new Set(
  ': . break continue eval exec exit export readonly return set shift times trap unset'.split(' '),
)
/** Dash knows no other names for it. */
const DECLARE_EVERYWHERE = new Set(['export', 'readonly'])

function keepAssigns(
  { program, scope, assigns }: Call,
  { args, numbers, unsure }: Simple,
  declared: Assigns | undefined,
): void {
  const isPlain = DECLARE_EVERYWHERE.has(program) && !args.some(({ head }) => /^[-+]/.test(head))
  for (const name in assigns) {
    const isSure = !unsure && (args.length === 0 || (isPlain && Object.hasOwn(declared ?? {}, name)))
    const set = isSure ? assign : perhapsAssign
    set(scope, name, assigns[name] ?? null, numbers?.has(name))
  }
}

/** What setting the variables does at once: a number is evaluated, and a program of the line may write the file that one names. */
function heedValues(call: Call, assigns: Assigns | undefined): void {
  for (const name in assigns) {
    const value = assigns[name] ?? null
    if (counts(call.scope, name, value)) obscure(call)
    if (namesOutput(name, value)) touch(call, 'write', value === null ? UNKNOWN : literal(value))
  }
}

/** `export A=b`, also behind `command`, where the words are no assignments to the parser. */
function declaredBy(args: readonly Arg[]): Record<string, string | null> | undefined {
  const declared: Record<string, string | null> = {}
  for (const { text, head } of args) {
    const found = /^([A-Za-z_]\w*)(\[|\+?=)/.exec(head)
    if (found?.[1] !== undefined)
      declared[found[1]] = text === null || found[2] !== '=' ? null : text.slice(found[0].length)
  }
  return declared
}

const hides = (text: string | null): boolean => text?.includes('[') === true && hidesCode(text)

type Draft = { -readonly [K in keyof Act]: Act[K] }

function runInner(reading: Reading, scope: Scope, call: Call, inner: Inner, spot: Spot): void {
  const { run } = inner
  if (reading.depth >= MAX_DEPTH || ('script' in run && run.script === null)) {
    scope.voided ||= inner.shares === true
    push(reading, opaque(call.via))
    return
  }
  const own = inner.keeps ? spot : unheard(spot)
  reading.depth += 1
  if (!('script' in run)) {
    const simple = { args: run, assigns: call.assigns, via: call.via, unsure: true }
    const at = reading.acts.length
    runSimple(reading, inner.shares ? scope : { ...scope }, simple, own)
    if (inner.witnessed) witness(reading, scope, simple, own, at)
  } else if (run.script !== null) {
    const inside = inner.shares ? scope : newShell(scope, call.assigns)
    if (inner.shares) setForScript(scope, call.assigns)
    inside.errexit ||= run.errexit === true
    inside.pipefail ||= run.pipefail === true
    // a value that differs by shell may have come here by any word or variable
    if (reading.differsByShell) {
      scope.voided ||= inner.shares === true
      push(reading, opaque(call.via))
    }
    const before = { ...inside }
    if (inner.later) meetEver(inside)
    reading.walkText(reading, run.script, inside, own)
    if (inner.later) joinNames(scope, inside)
    // to zsh an error ends the text, and not the line; where the shell is then is told by its status, as of any command
    if (inner.shares) join(scope, { ...before, cwds: scope.cwds })
  }
  reading.depth -= 1
}

/** Read once more, as if it were the whole line: that is what its own status tells of. */
function witness(reading: Reading, scope: Scope, simple: Simple, spot: Spot, at: number): void {
  const argv = simple.args.flatMap(({ text, glob }) => (text === null || glob ? [] : [text]))
  if (!reading.witnessed || scope.away || argv.length < simple.args.length) return
  const { witnessed, ...alone } = reading
  const acts: Act[] = []
  runSimple({ ...alone, acts }, { ...scope }, simple, { ...spot, ...WHOLE })
  if (acts.length === reading.acts.length - at) witnessed.push({ argv, at, acts })
}

/** `A=b eval 'line'`: the whole of the line sees it, and so does every program in it. */
function setForScript(scope: Scope, assigns: Assigns | undefined): void {
  for (const name in assigns) {
    perhapsAssign(scope, name, assigns[name] ?? null)
    scope.exported ||= !isForShow(name)
  }
}

function newShell(scope: Scope, assigns: Assigns | undefined): Scope {
  const inside = freshShell(scope)
  inside.tainted ||= heaviest(assigns) !== 'plain'
  for (const [name, value] of Object.entries(assigns ?? {})) {
    if (isRaw(value) || holdsText(value)) cloud(inside, name)
    if (/[A-Za-z_]/.test(value ?? '')) noteName(inside, name)
  }
  const known = Object.entries(assigns ?? {}).filter((entry): entry is [string, string] => entry[1] !== null)
  if (known.length > 0) inside.vars = new Map(known.slice(0, 64))
  return inside
}
