import type { AndOr, CommandNode, Pipeline, PipelineNode, Script, Statement } from 'unbash'
import { parse } from 'unbash'
import { readCommand, walkWords } from './command.ts'
import { walkCompound } from './compound.ts'
import { isComplete, newCheck } from './cross-check.ts'
import { openPipe } from './descriptor.ts'
import { joinNames } from './join.ts'
import { literalOutput } from './output.ts'
import { around, charge, checkSize, opaque, push, type Reading, Unreadable } from './reading.ts'
import { eitherFolder, forgetVars, fork, type Scope, untrack } from './scope.ts'
import { NOWHERE, type Spot, unheard } from './spot.ts'
import { endUnit, newUnit, type Unit } from './unit.ts'

export function walkText(reading: Reading, text: string, scope: Scope, spot: Spot): void {
  checkSize(text)
  charge(reading, text)
  const script = parse(text)
  if (script.errors !== undefined && script.errors.length > 0) throw new Unreadable('syntax')
  checked(reading, text, scope, () => walkStatements(reading, script.commands, scope, spot, newUnit(scope)))
}

/** Walks the tree of a text, and compares what was walked with what the text holds. */
function checked(reading: Reading, text: string, scope: Scope, walk: () => void): void {
  const { source, check } = reading
  reading.source = text
  const own = newCheck(text, () => around(reading))
  if (own === undefined || own.layout.qualified) push(reading, opaque(text))
  scope.tainted ||= own === undefined
  reading.differsByShell ||= own?.layout.differsByShell === true
  reading.check = own
  walk()
  if (own !== undefined && !isComplete(own)) reading.unseen = true
  reading.source = source
  reading.check = check
}

/** A substitution: its status is nobody's. */
export function walkNested(
  reading: Reading,
  script: Script & { errors?: readonly unknown[] | undefined },
  scope: Scope,
): void {
  if (script.errors !== undefined && script.errors.length > 0) throw new Unreadable('syntax')
  const walk = (): void => walkStatements(reading, script.commands, scope, NOWHERE, newUnit(scope))
  const { source } = script
  if (source === undefined || source === reading.source) walk()
  else checked(reading, source, scope, walk)
}

/** `unit` where the statements are those of a text, and of no command in it. */
export function walkStatements(
  reading: Reading,
  statements: readonly Statement[],
  scope: Scope,
  spot: Spot,
  unit?: Unit,
): void {
  const count = statements.length
  for (let at = 0; at < count; at += 1) {
    const statement = statements[at]
    if (statement === undefined) continue
    if (unit !== undefined && at > 0) endUnit(unit, reading.source, statements[at - 1]?.end ?? 0, statement.pos, scope)
    const { command } = statement
    if (statement.background) {
      const there = { ...fork(scope), away: true }
      walkNode(reading, command, there, NOWHERE)
      // zsh forks only for the last command of `a && b &`
      if (command.type === 'AndOr') perhapsHere(there, scope)
      continue
    }
    if (at === count - 1) {
      walkNode(reading, command, scope, count === 1 ? spot : { ...spot, decides: false })
      return
    }
    const before = scope.cwds
    const stops = scope.errexit && spot.strict && (command.type === 'Command' || command.type === 'Pipeline')
    walkNode(reading, command, scope, stops ? { ...spot, decides: false } : unheard(spot))
    // the next statement runs even where a `cd` failed
    if (scope.cwds !== before && !stops && !endsOnFailure(command)) scope.cwds = eitherFolder(scope.cwds, before)
  }
}

/** `… || exit` */
function endsOnFailure(node: PipelineNode | AndOr): boolean {
  if (node.type !== 'AndOr' || node.operators.at(-1) !== '||') return false
  const last = node.commands.at(-1)
  return last?.type === 'Command' && (last.name?.value === 'exit' || last.name?.value === 'return')
}

function walkNode(reading: Reading, node: PipelineNode | AndOr, scope: Scope, spot: Spot): void {
  if (node.type === 'Command') readCommand(reading, node, scope, spot, false)
  else if (node.type === 'AndOr') walkAndOr(reading, node, scope, spot)
  else if (node.type === 'Pipeline') walkPipeline(reading, node, scope, spot)
  else walkCompound(reading, node, scope, spot, INTO)
}

const INTO = { walkStatements, walkNode, walkWords }

function walkAndOr(reading: Reading, node: AndOr, scope: Scope, spot: Spot): void {
  const chain = node.operators.every(operator => operator === '&&')
  const inside: Spot = chain ? { ...spot, decides: false, strict: false } : unheard(spot)
  const outer = scope.chained
  const names: string[] = []
  // where the shell may be when something so far has failed
  let failed = scope.cwds
  node.commands.forEach((command, at) => {
    if (at > 0) scope.chained = names
    const before = scope.cwds
    if (at === 0 || node.operators[at - 1] === '&&') {
      failed = eitherFolder(failed, before)
      walkNode(reading, command, scope, inside)
      return
    }
    const certain = scope.certain
    // one that failed may have kept these from being set
    for (const name of names.splice(0)) untrack(scope, name)
    scope.certain = false
    scope.cwds = failed
    walkNode(reading, command, scope, inside)
    scope.certain = certain
    const ends = at === node.commands.length - 1 && endsOnFailure(node)
    scope.cwds = ends ? before : eitherFolder(before, scope.cwds)
  })
  scope.chained = outer
  for (const name of names) untrack(scope, name)
}

function walkPipeline(reading: Reading, node: Pipeline, scope: Scope, spot: Spot): void {
  const negated = node.prefixes.some(prefix => prefix.type === 'Negation')
  const timed = node.prefixes.some(prefix => prefix.type === 'Time')
  const own = negated ? unheard(spot) : spot
  const [only] = node.commands
  if (node.commands.length === 1 && only !== undefined) {
    walkTimed(reading, only, scope, own, timed)
    return
  }
  let stdin = spot.stdin
  let piped = spot.piped === true
  node.commands.forEach((command, at) => {
    const heard = at === node.commands.length - 1 || scope.pipefail
    const base: Spot = heard ? { ...own, decides: false, strict: false } : NOWHERE
    const inside: Spot = stdin === undefined ? base : { ...base, stdin, piped }
    const there = fork(scope)
    if (at > 0) there.descriptors = openPipe(there.descriptors, 0)
    walkTimed(reading, command, there, inside, timed && at === 0)
    if (at === node.commands.length - 1) perhapsHere(there, scope)
    stdin = literalOutput(command)
    piped = true
  })
}

/** Zsh runs the last command of a pipeline in the shell itself, so what it sets may last. */
function perhapsHere(inside: Scope, scope: Scope): void {
  joinNames(scope, inside)
  scope.cwds = eitherFolder(scope.cwds, inside.cwds)
  if (inside.wildCwds.size > scope.wildCwds.size) scope.wildCwds = inside.wildCwds
  if (inside.vars !== scope.vars) forgetVars(scope)
}

function walkTimed(reading: Reading, node: CommandNode, scope: Scope, spot: Spot, timed: boolean): void {
  if (node.type === 'Command') {
    readCommand(reading, node, scope, spot, timed)
    return
  }
  if (timed) push(reading, { action: 'run', words: [{ text: 'time', role: 'plain' }], onlyReads: true, via: 'time' })
  walkNode(reading, node, scope, spot)
}
