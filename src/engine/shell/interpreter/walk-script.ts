import type { AndOr, CommandNode, Pipeline, PipelineNode, Script, Statement } from 'unbash'
import { parse } from 'unbash'
import { hasFetch } from '../calls/program-call.ts'
import { openPipe } from '../scope/file-descriptors.ts'
import { beginStatementUnit, endStatementUnit, mergeVariables, type StatementUnit } from '../scope/merge-scopes.ts'
import { forgetVariables, forkScope, mergeFolders, untrackVariable } from '../scope/scope.ts'
import type { ShellScope } from '../scope/shell-scope.ts'
import { walkCompound } from './compound-command.ts'
import {
  addAction,
  around,
  assertParsableSize,
  chargeParsing,
  createCrossCheck,
  type EffectCollector,
  isCrossCheckComplete,
  opaqueAction,
  UnreadableLineError,
} from './effect-collector.ts'
import { literalOutput, printedText } from './literal-output.ts'
import { isPassedOn, type PipelinePosition, STATUS_IGNORED, withoutStatus } from './pipeline-position.ts'
import { interpretCommand, walkWords } from './simple-command.ts'

export function walkText(collector: EffectCollector, text: string, scope: ShellScope, spot: PipelinePosition): void {
  assertParsableSize(text)
  chargeParsing(collector, text)
  const script = parse(text)
  if (script.errors !== undefined && script.errors.length > 0) throw new UnreadableLineError('syntax')
  walkCrossChecked(collector, text, scope, () =>
    walkStatements(collector, script.commands, scope, spot, firstUnitOf(script, scope)),
  )
}

/** A single statement has none behind it, so nobody asks what it left uncertain. */
const firstUnitOf = ({ commands }: Script, scope: ShellScope): StatementUnit | undefined =>
  commands.length > 1 ? beginStatementUnit(scope) : undefined

/** Walks the syntax tree of a text, and compares the walked nodes with an independent scan of the text. */
function walkCrossChecked(collector: EffectCollector, text: string, scope: ShellScope, walk: () => void): void {
  const { source, check } = collector
  collector.source = text
  const own = createCrossCheck(text, () => around(collector))
  if (own === undefined || own.layout.qualified) addAction(collector, opaqueAction(text))
  scope.tainted ||= own === undefined
  collector.differsByShell ||= own?.layout.differsByShell === true
  collector.check = own
  walk()
  if (own !== undefined && !isCrossCheckComplete(own)) collector.unseen = true
  collector.source = source
  collector.check = check
}

/** Walks a substitution. Its exit status does not affect the line. */
export function walkSubstitution(
  collector: EffectCollector,
  script: Script & { errors?: readonly unknown[] | undefined },
  scope: ShellScope,
): void {
  if (script.errors !== undefined && script.errors.length > 0) throw new UnreadableLineError('syntax')
  const walk = (): void => walkStatements(collector, script.commands, scope, STATUS_IGNORED, firstUnitOf(script, scope))
  const { source } = script
  if (source === undefined || source === collector.source) walk()
  else walkCrossChecked(collector, source, scope, walk)
}

/** `unit` is set only for several top-level statements of a text, not for statements inside a compound command. */
export function walkStatements(
  collector: EffectCollector,
  statements: readonly Statement[],
  scope: ShellScope,
  spot: PipelinePosition,
  unit?: StatementUnit | undefined,
): void {
  const count = statements.length
  for (let at = 0; at < count; at += 1) {
    const statement = statements[at]
    if (statement === undefined) continue
    if (unit !== undefined && at > 0)
      endStatementUnit(unit, collector.source, statements[at - 1]?.end ?? 0, statement.pos, scope)
    const { command } = statement
    if (statement.background) {
      const there = { ...forkScope(scope), away: true }
      walkNode(collector, command, there, STATUS_IGNORED)
      // zsh forks only for the last command of `a && b &`
      if (command.type === 'AndOr') mergeLastPipelineScope(there, scope)
      continue
    }
    if (at === count - 1) {
      walkNode(collector, command, scope, count === 1 ? spot : { ...spot, decides: false })
      return
    }
    const before = scope.cwds
    const stops = scope.errexit && spot.strict && (command.type === 'Command' || command.type === 'Pipeline')
    walkNode(collector, command, scope, stops ? { ...spot, decides: false } : withoutStatus(spot))
    // without `errexit`, the next statement runs even if a `cd` failed
    if (scope.cwds !== before && !stops && !isExitOnFailure(command)) scope.cwds = mergeFolders(scope.cwds, before)
  }
}

/** `… || exit` */
function isExitOnFailure(node: PipelineNode | AndOr): boolean {
  if (node.type !== 'AndOr' || node.operators.at(-1) !== '||') return false
  const last = node.commands.at(-1)
  return last?.type === 'Command' && (last.name?.value === 'exit' || last.name?.value === 'return')
}

function walkNode(
  collector: EffectCollector,
  node: PipelineNode | AndOr,
  scope: ShellScope,
  spot: PipelinePosition,
): void {
  if (node.type === 'Command') interpretCommand(collector, node, scope, spot, false)
  else if (node.type === 'AndOr') walkAndOr(collector, node, scope, spot)
  else if (node.type === 'Pipeline') walkPipeline(collector, node, scope, spot)
  else walkCompound(collector, node, scope, spot, WALKERS)
}

const WALKERS = { walkStatements, walkNode, walkWords }

function walkAndOr(collector: EffectCollector, node: AndOr, scope: ShellScope, spot: PipelinePosition): void {
  const chain = node.operators.every(operator => operator === '&&')
  const inside: PipelinePosition = chain ? { ...spot, decides: false, strict: false } : withoutStatus(spot)
  const outer = scope.chained
  const names: string[] = []
  // folders the shell may be in if an earlier command failed
  let failed = scope.cwds
  node.commands.forEach((command, at) => {
    if (at > 0) scope.chained = names
    const before = scope.cwds
    if (at === 0 || node.operators[at - 1] === '&&') {
      failed = mergeFolders(failed, before)
      walkNode(collector, command, scope, inside)
      return
    }
    const certain = scope.certain
    // a failed command may have prevented these assignments
    for (const name of names.splice(0)) untrackVariable(scope, name)
    scope.certain = false
    scope.cwds = failed
    walkNode(collector, command, scope, inside)
    scope.certain = certain
    const ends = at === node.commands.length - 1 && isExitOnFailure(node)
    scope.cwds = ends ? before : mergeFolders(before, scope.cwds)
  })
  scope.chained = outer
  for (const name of names) untrackVariable(scope, name)
}

function walkPipeline(collector: EffectCollector, node: Pipeline, scope: ShellScope, spot: PipelinePosition): void {
  const negated = node.prefixes.some(prefix => prefix.type === 'Negation')
  const timed = node.prefixes.some(prefix => prefix.type === 'Time')
  const own = negated ? withoutStatus(spot) : spot
  const [only] = node.commands
  if (node.commands.length === 1 && only !== undefined) {
    walkTimedCommand(collector, only, scope, own, timed)
    return
  }
  let { stdin, input } = spot
  let piped = spot.piped === true
  let fetched = spot.fetched === true
  node.commands.forEach((command, at) => {
    const isStatusUsed = at === node.commands.length - 1 || scope.pipefail
    const base: PipelinePosition = isStatusUsed ? { ...own, decides: false, strict: false } : STATUS_IGNORED
    const inside: PipelinePosition = stdin === undefined ? base : { ...base, stdin, input, piped, fetched }
    const from = collector.acts.length
    const there = forkScope(scope)
    there.fed = isPassedOn(node.commands.slice(at + 1), scope.fed, collector.line)
    if (at > 0) there.descriptors = openPipe(there.descriptors, 0)
    walkTimedCommand(collector, command, there, inside, timed && at === 0)
    if (at === node.commands.length - 1) mergeLastPipelineScope(there, scope)
    stdin = literalOutput(command, stdin)
    input = printedText(command, input)
    piped = true
    fetched ||= hasFetch(collector.acts, from)
  })
}

/** Zsh runs the last command of a pipeline in the current shell, so its assignments and `cd` may persist. */
function mergeLastPipelineScope(inside: ShellScope, scope: ShellScope): void {
  mergeVariables(scope, inside)
  scope.cwds = mergeFolders(scope.cwds, inside.cwds)
  if (inside.wildCwds.size > scope.wildCwds.size) scope.wildCwds = inside.wildCwds
  if (inside.vars !== scope.vars) forgetVariables(scope)
}

function walkTimedCommand(
  collector: EffectCollector,
  node: CommandNode,
  scope: ShellScope,
  spot: PipelinePosition,
  timed: boolean,
): void {
  if (node.type === 'Command') {
    interpretCommand(collector, node, scope, spot, timed)
    return
  }
  if (timed)
    addAction(collector, { action: 'run', words: [{ text: 'time', role: 'plain' }], onlyReads: true, via: 'time' })
  walkNode(collector, node, scope, spot)
}
