import type { Act } from '../core/index.ts'
import { isSystem } from '../pattern/index.ts'
import { type Arg, basename } from './arg.ts'
import { applyBuiltin } from './builtin.ts'
import type { Assigns, Call, Inner } from './call.ts'
import { describeCall } from './describe.ts'
import { kindsOf } from './description.ts'
import { readLine } from './options.ts'
import { PROGRAMS } from './programs/index.ts'
import { folderOf, proves } from './proof.ts'
import { MAX_DEPTH, opaque, push, type Reading } from './reading.ts'
import { forgetVars, freshShell, type Scope } from './scope.ts'
import { type Spot, unheard } from './spot.ts'
import { weigh } from './variable.ts'

/** A simple command whose words are known as far as they can be. */
export interface Simple {
  readonly args: readonly Arg[]
  readonly assigns: Assigns | undefined
  readonly via: string
}

/** Emits the run act, then what the program does, then what it runs in turn. `between` emits what its words run. */
export function runSimple(reading: Reading, scope: Scope, simple: Simple, spot: Spot, between?: () => void): void {
  const { args, via } = simple
  const first = args[0]
  const program = first === undefined || first.glob ? null : first.text
  const name = program === null ? null : basename(program)
  const description = name === null ? undefined : PROGRAMS.get(name)
  const line = readLine(args, description === undefined ? undefined : kindsOf(description), description?.inner)
  const call: Call = {
    program: name ?? '',
    args,
    line,
    assigns: simple.assigns,
    scope,
    via,
    stdin: spot.stdin,
    piped: spot.piped === true,
    onlyReads: false,
    obscured: false,
    acts: [],
    inner: [],
  }
  if (description !== undefined) describeCall(call, description)
  const weight = heaviest(call.assigns)
  const trusted =
    weight === 'plain' && !scope.tainted && program !== null && isSystem(program) && !scope.functions.has(program)
  const act: Draft = {
    action: 'run',
    words: first?.glob ? [{ text: null, role: 'plain' }, ...line.words.slice(1)] : line.words,
  }
  if (call.assigns !== undefined) act.assigns = call.assigns
  if (spot.implied && !scope.voided && weight === 'plain' && !scope.tainted && proves(call)) act.implied = true
  if (spot.decides && !scope.voided) act.decides = true
  if ((call.onlyReads && trusted) || (args.length === 0 && weight === 'plain')) act.onlyReads = true
  const folder = folderOf(call)
  if (folder !== '') act.folder = folder
  act.via = via
  push(reading, act)
  between?.()
  if (weight !== 'plain' && (name === null || name === 'export' || name === 'declare' || name === 'typeset'))
    scope.tainted = true
  const unknown = weight === 'runs' || (name === null && args.length > 0)
  if (unknown && !call.obscured) push(reading, opaque(via))
  for (const other of call.acts) push(reading, other)
  for (const inner of call.inner) runInner(reading, scope, call, inner, spot)
  if (name !== null) applyBuiltin(name, args, scope)
  else if (args.length > 0) {
    scope.voided = true
    forgetVars(scope)
  }
}

type Draft = { -readonly [K in keyof Act]: Act[K] }

function heaviest(assigns: Assigns | undefined): 'plain' | 'changes' | 'runs' {
  let weight: 'plain' | 'changes' | 'runs' = 'plain'
  for (const name in assigns) {
    const own = weigh(name, assigns[name] ?? null)
    if (own === 'runs') return own
    if (own === 'changes') weight = own
  }
  return weight
}

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
    runSimple(reading, inner.shares ? scope : { ...scope }, { args: run, assigns: call.assigns, via: call.via }, own)
  } else if (run.script !== null) {
    const inside = inner.shares ? scope : newShell(scope, call.assigns)
    inside.errexit ||= run.errexit === true
    inside.pipefail ||= run.pipefail === true
    reading.walkText(reading, run.script, inside, own)
  }
  reading.depth -= 1
}

function newShell(scope: Scope, assigns: Assigns | undefined): Scope {
  const inside = freshShell(scope)
  const known = Object.entries(assigns ?? {}).filter((entry): entry is [string, string] => entry[1] !== null)
  if (known.length > 0) inside.vars = new Map(known.slice(0, 64))
  return inside
}
