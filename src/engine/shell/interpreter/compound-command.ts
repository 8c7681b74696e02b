import type { AndOr, CommandNode, CompoundList, PipelineNode, Redirected, Statement, SyntaxNode, Word } from 'unbash'
import type { Action } from '../../model/event.ts'
import { type Arg, UNKNOWN_ARG } from '../calls/argument.ts'
import { asDownload, hasFetch } from '../calls/program-call.ts'
import { isDescribed } from '../programs/index.ts'
import { enterRedirections } from '../scope/file-descriptors.ts'
import { assumeAnyAssignment, mergeScopes, mergeVariables } from '../scope/merge-scopes.ts'
import { walkConditionally, walkRepeatedly, walkToFixpoint } from '../scope/repeated-walk.ts'
import {
  applyArithmeticAssignments,
  assignVariable,
  createLoopScope,
  forgetVariables,
  forkScope,
  notePossibleValues,
  possibleValuesOf,
} from '../scope/scope.ts'
import type { ShellScope } from '../scope/shell-scope.ts'
import {
  hasShellSetVariable,
  isNumericWord,
  isTaintedArithmeticTree,
  isTaintedTest,
  noteNameValue,
  taintVariable,
  untaintVariable,
} from '../scope/taint.ts'
import { mayArithmeticRun, mayTestRun, writesOfDashComparisons } from './dash-differences.ts'
import {
  addAction,
  around,
  crossCheckRedirections,
  type EffectCollector,
  madeBy,
  opaqueAction,
} from './effect-collector.ts'
import { isOutputFileNamedAgain, type PipelinePosition, STATUS_IGNORED, withoutStatus } from './pipeline-position.ts'
import { interpretRedirections, mayRedirectionFail } from './redirections.ts'
import { expandWord } from './word-expansion.ts'

/** Walkers from `walk-script.ts` and `simple-command.ts`, passed in to avoid a circular import. */
export interface Walkers {
  readonly walkStatements: (
    collector: EffectCollector,
    statements: readonly Statement[],
    scope: ShellScope,
    spot: PipelinePosition,
  ) => void
  readonly walkNode: (
    collector: EffectCollector,
    node: PipelineNode | AndOr,
    scope: ShellScope,
    spot: PipelinePosition,
  ) => void
  readonly walkWords: (collector: EffectCollector, nodes: readonly SyntaxNode[], scope: ShellScope) => void
}

type Compound = Exclude<CommandNode, { type: 'Command' }> | CompoundList

export function walkCompound(
  collector: EffectCollector,
  node: Compound,
  scope: ShellScope,
  spot: PipelinePosition,
  into: Walkers,
): void {
  const quiet = withoutStatus(spot)
  const walk = (list: CompoundList | undefined): void => {
    if (list !== undefined) into.walkStatements(collector, list.commands, scope, quiet)
  }
  switch (node.type) {
    case 'CompoundList':
    case 'BraceGroup':
      into.walkStatements(collector, node.type === 'BraceGroup' ? node.body.commands : node.commands, scope, spot)
      return
    case 'Subshell':
      into.walkStatements(collector, node.body.commands, forkScope(scope), spot)
      return
    case 'Redirected':
      walkRedirected(collector, node, scope, spot, into)
      return
    case 'If':
      walkConditionally(scope, () => {
        walk(node.clause)
        walk(node.then)
        for (const branch of node.elif) {
          walk(branch.clause)
          walk(branch.then)
        }
        walk(node.else)
      })
      return
    case 'Case':
      walkConditionally(scope, () => {
        into.walkWords(collector, [node.word], scope)
        for (const item of node.items) {
          into.walkWords(collector, item.pattern, scope)
          walk(item.body)
        }
      })
      return
    case 'While':
      walkRepeatedly(collector, node, scope, () => {
        walk(node.clause)
        walk(node.body)
      })
      return
    case 'For':
    case 'Select':
      walkFedWords(collector, node.wordlist ?? [], scope, into)
      walkFor(collector, node, scope, () => walk(node.body))
      return
    case 'ArithmeticFor':
    case 'ArithmeticCommand':
    case 'TestCommand':
      walkExpressions(collector, node, scope, into, walk)
      return
    case 'Function':
      walkFunction(collector, node, scope, into)
      return
    case 'Coproc': {
      const inside = { ...forkScope(scope), away: true }
      if (node.body.type === 'Command') into.walkNode(collector, node.body, inside, STATUS_IGNORED)
      else walkCompound(collector, node.body, inside, STATUS_IGNORED, into)
    }
  }
}

/** A function may be called later, more than once, or never. */
function walkFunction(
  collector: EffectCollector,
  node: Extract<Compound, { type: 'Function' }>,
  scope: ShellScope,
  into: Walkers,
): void {
  const text = collector.source.slice(node.pos, node.end)
  const inside: ShellScope = { ...forkScope(scope), certain: false, loop: scope.loop ?? createLoopScope(text) }
  forgetVariables(inside)
  assumeAnyAssignment(inside)
  const walkBody = (): void => walkCompound(collector, node.body, inside, STATUS_IGNORED, into)
  if (scope.loop === undefined) walkToFixpoint(collector, text, inside, walkBody)
  else walkBody()
  scope.functions.set(node.name.value, inside.cwds !== scope.cwds)
  scope.voided = true
  mergeVariables(scope, inside)
}

/** `1`, `a.ts`, `$(seq 3)`: the word holds no outside text such as file names, and no name of a shell variable that holds such text. */
const isHarmlessLoopWord = (word: Word): boolean =>
  isNumericWord(word) ||
  (/^[\w.,:@%/{}'" -]*$/.test(word.text) && !hasShellSetVariable(word.text) && !/--|^-?$/.test(word.text))

const TWO_WORDS = /^\s*[\w./'"\\$-]+\s+[\w./'"\\$-]/

const FIRST_WORD = /^\s*([A-Za-z_]\w+)\s*(?:[<>]|$)/

/** A shell without arithmetic reads `((git push))` as two nested subshells. Two words in a row are never arithmetic. */
function mayBeSubshells(body: string): boolean {
  const text = body.replace(/[()]/g, ' ')
  const name = FIRST_WORD.exec(text)?.[1]
  return (
    // no arithmetic expression begins with `<` or `>`; that shell reads it as a redirection
    /^\s*[<>]/.test(text) ||
    TWO_WORDS.test(text) ||
    (name !== undefined && ((name === text.trim() && /^[a-z]+$/.test(name)) || isDescribed(name)))
  )
}

type ExpressionNode = Extract<Compound, { type: 'ArithmeticFor' | 'ArithmeticCommand' | 'TestCommand' }>

function walkExpressions(
  collector: EffectCollector,
  node: ExpressionNode,
  scope: ShellScope,
  into: Walkers,
  walk: (list: CompoundList) => void,
): void {
  const { source } = collector
  if (node.type === 'TestCommand') {
    const text = source.slice(node.pos + 2, node.end - 2)
    const runs = mayTestRun(text, source.slice(0, node.pos), scope, around(collector))
    if (runs || isTaintedTest(node.expression, scope)) addOpaqueExpression(collector, node, scope)
    into.walkWords(collector, [node.expression], scope)
    addComparedFiles(collector, text, scope)
    return
  }
  if (node.type === 'ArithmeticCommand') {
    if (mayArithmeticRun(node.body, scope, around(collector))) addOpaqueExpression(collector, node, scope)
    addComparedFiles(collector, node.body, scope)
  }
  if (node.type === 'ArithmeticCommand' && mayBeSubshells(node.body))
    collector.walkText(collector, node.body, forkScope(scope), STATUS_IGNORED)
  forgetVariables(scope)
  applyArithmeticAssignments(scope, source.slice(node.pos, node.type === 'ArithmeticFor' ? node.body.pos : node.end))
  const parts = node.type === 'ArithmeticCommand' ? [node.expression] : [node.initialize, node.test, node.update]
  if (parts.some(part => isTaintedArithmeticTree(part, scope))) addOpaqueExpression(collector, node, scope)
  into.walkWords(
    collector,
    parts.filter(part => part !== undefined),
    scope,
  )
  if (node.type === 'ArithmeticFor') walkRepeatedly(collector, node, scope, () => walk(node.body))
}

function addComparedFiles(collector: EffectCollector, text: string, scope: ShellScope): void {
  for (const act of writesOfDashComparisons(text, scope, around(collector))) addAction(collector, act)
}

/** Adds an opaque action: this expression may run code that cannot be read. */
function addOpaqueExpression(collector: EffectCollector, { pos, end }: ExpressionNode, scope: ShellScope): void {
  addAction(collector, opaqueAction(collector.source.slice(pos, end)))
  scope.tainted = true
}

/** The arguments that one word of the list expands to. Commands inside the word are walked elsewhere. */
function expandLoopWord(word: Word, scope: ShellScope): readonly Arg[] {
  const args: Arg[] = []
  expandWord(word, forkScope(scope), args, [])
  return args
}

const positionalArgs = (scope: ShellScope): Arg => ({ ...UNKNOWN_ARG, patterns: possibleValuesOf(scope, '@') })

type ForNode = Extract<Compound, { type: 'For' | 'Select' }>

function walkFor(collector: EffectCollector, node: ForNode, scope: ShellScope, walk: () => void): void {
  const name = node.name.value
  const wasTainted = scope.taints.has(name) || scope.taints.has('*')
  const { wordlist = [] } = node
  assignVariable(scope, name, null)
  if (node.wordlist !== undefined && wordlist.every(isHarmlessLoopWord)) untaintVariable(scope, name)
  noteNameValue(scope, name)
  notePossibleValues(
    scope,
    name,
    node.wordlist === undefined ? [positionalArgs(scope)] : wordlist.flatMap(word => expandLoopWord(word, scope)),
  )
  walkRepeatedly(collector, node, scope, walk)
  // with an empty list, or if the loop is not reached, the variable keeps its old value
  const isSet = scope.certain && scope.chained === undefined && wordlist.some(({ parts }) => parts === undefined)
  if (wasTainted && !isSet) taintVariable(scope, name)
}

/** `for f in $(ls -A)`, `while read f; do …; done < <(ls -A)`: the output becomes values of variables, and so words of commands. */
function walkFedWords(
  collector: EffectCollector,
  nodes: readonly SyntaxNode[],
  scope: ShellScope,
  into: Walkers,
): void {
  const wasFed = scope.fed
  scope.fed = true
  into.walkWords(collector, nodes, scope)
  scope.fed = wasFed
}

function walkRedirected(
  collector: EffectCollector,
  node: Redirected,
  scope: ShellScope,
  spot: PipelinePosition,
  into: Walkers,
): void {
  const files: Action[] = []
  const pending: SyntaxNode[] = []
  const via = collector.source.slice(node.pos, node.end)
  crossCheckRedirections(collector.check, node.redirects)
  const { stdin, descriptors } = interpretRedirections(node.redirects, scope, via, files, pending)
  const leave = enterRedirections(scope, descriptors, 'no')
  const before = { ...scope }
  // several commands may share the input, so no single command is known to get all of it
  const wasFed = scope.fed
  scope.fed ||= isOutputFileNamedAgain(node.redirects, collector.line)
  const from = collector.acts.length
  const inside = stdin === undefined ? spot : { ...spot, stdin: null, input: undefined, piped: true, fetched: false }
  walkCompound(collector, node.command, scope, inside, into)
  // if a redirection fails to open its file, the command does not run
  if (node.redirects.some(mayRedirectionFail)) mergeScopes(scope, before)
  leave()
  scope.fed = wasFed
  walkFedWords(collector, pending, scope, into)
  const isDownload = inside.fetched || hasFetch(collector.acts, from)
  for (const act of files) addAction(collector, madeBy(isDownload ? asDownload(act) : act, UNKNOWN_COMMAND))
}

/** `{ a; b; } > f`: any command inside may write the file. */
const UNKNOWN_COMMAND: Action = { action: 'run', words: [{ text: null, role: 'plain' }] }
