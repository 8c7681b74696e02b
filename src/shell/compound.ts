import type { AndOr, CommandNode, CompoundList, PipelineNode, Redirected, Statement, SyntaxNode, Word } from 'unbash'
import type { Act } from '../core/index.ts'
import { sawRedirections } from './cross-check.ts'
import { enter } from './descriptor.ts'
import { clear, isFoggySum, isFoggyTest, isNumber, isRaw, noteName } from './fog.ts'
import { comparedFiles, sumRuns, testRuns } from './plain-shell.ts'
import { programOf } from './programs/index.ts'
import { opaque, push, type Reading } from './reading.ts'
import { readRedirects } from './redirect.ts'
import { applyArithmetic, assign, eitherFolder, forgetVars, fork, newLoop, type Scope } from './scope.ts'
import { NOWHERE, type Spot, unheard } from './spot.ts'

/** The walkers of the files above this one. */
export interface Into {
  readonly walkStatements: (reading: Reading, statements: readonly Statement[], scope: Scope, spot: Spot) => void
  readonly walkNode: (reading: Reading, node: PipelineNode | AndOr, scope: Scope, spot: Spot) => void
  readonly walkWords: (reading: Reading, nodes: readonly SyntaxNode[], scope: Scope) => void
}

type Compound = Exclude<CommandNode, { type: 'Command' }> | CompoundList

export function walkCompound(reading: Reading, node: Compound, scope: Scope, spot: Spot, into: Into): void {
  const quiet = unheard(spot)
  const walk = (list: CompoundList | undefined): void => {
    if (list !== undefined) into.walkStatements(reading, list.commands, scope, quiet)
  }
  switch (node.type) {
    case 'CompoundList':
    case 'BraceGroup':
      into.walkStatements(reading, node.type === 'BraceGroup' ? node.body.commands : node.commands, scope, spot)
      return
    case 'Subshell':
      into.walkStatements(reading, node.body.commands, fork(scope), spot)
      return
    case 'Redirected':
      walkRedirected(reading, node, scope, spot, into)
      return
    case 'If':
      perhaps(scope, () => {
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
      perhaps(scope, () => {
        into.walkWords(reading, [node.word], scope)
        for (const item of node.items) {
          into.walkWords(reading, item.pattern, scope)
          walk(item.body)
        }
      })
      return
    case 'While':
      again(reading, node, scope, () => {
        walk(node.clause)
        walk(node.body)
      })
      return
    case 'For':
    case 'Select':
      into.walkWords(reading, node.wordlist ?? [], scope)
      assign(scope, node.name.value, null)
      if (node.wordlist?.every(isListed)) clear(scope, node.name.value)
      noteName(scope, node.name.value)
      again(reading, node, scope, () => walk(node.body))
      return
    case 'ArithmeticFor':
    case 'ArithmeticCommand':
    case 'TestCommand':
      walkExpressions(reading, node, scope, into, walk)
      return
    case 'Function': {
      const inside: Scope = { ...fork(scope), certain: false }
      forgetVars(inside)
      walkCompound(reading, node.body, inside, NOWHERE, into)
      scope.functions.set(node.name.value, inside.cwds !== scope.cwds)
      scope.voided = true
      scope.tainted ||= inside.tainted
      return
    }
    case 'Coproc': {
      const inside = { ...fork(scope), away: true }
      if (node.body.type === 'Command') into.walkNode(reading, node.body, inside, NOWHERE)
      else walkCompound(reading, node.body, inside, NOWHERE, into)
    }
  }
}

/** `1`, `a.ts`, `$(seq 3)`: no text from elsewhere, as the names of files are. */
const isListed = (word: Word): boolean => isNumber(word) || (!isRaw(word.text) && !/[*?~]/.test(word.text))

const TWO_WORDS = /^\s*[\w./'"\\$-]+\s+[\w./'"\\$-]/

const FIRST_WORD = /^\s*([A-Za-z_]\w+)\s*(?:[<>]|$)/

/** A shell without arithmetic takes `((git push))` for two subshells, and no arithmetic has two words in a row. */
function mayBeCommand(body: string): boolean {
  const text = body.replace(/[()]/g, ' ')
  const name = FIRST_WORD.exec(text)?.[1]
  return (
    // no sum begins so, and to that shell it is a redirection
    /^\s*[<>]/.test(text) ||
    TWO_WORDS.test(text) ||
    (name !== undefined && ((name === text.trim() && /^[a-z]+$/.test(name)) || programOf(name) !== undefined))
  )
}

type Expressions = Extract<Compound, { type: 'ArithmeticFor' | 'ArithmeticCommand' | 'TestCommand' }>

function walkExpressions(
  reading: Reading,
  node: Expressions,
  scope: Scope,
  into: Into,
  walk: (list: CompoundList) => void,
): void {
  const { source } = reading
  if (node.type === 'TestCommand') {
    const text = source.slice(node.pos + 2, node.end - 2)
    const runs = testRuns(text, source.slice(0, node.pos), scope, source)
    if (runs || isFoggyTest(node.expression, scope)) lose(reading, node, scope)
    into.walkWords(reading, [node.expression], scope)
    noteCompared(reading, text, scope)
    return
  }
  if (node.type === 'ArithmeticCommand') {
    if (sumRuns(node.body, scope, source)) lose(reading, node, scope)
    noteCompared(reading, node.body, scope)
  }
  if (node.type === 'ArithmeticCommand' && mayBeCommand(node.body))
    reading.walkText(reading, node.body, fork(scope), NOWHERE)
  forgetVars(scope)
  applyArithmetic(scope, source.slice(node.pos, node.type === 'ArithmeticFor' ? node.body.pos : node.end))
  const parts = node.type === 'ArithmeticCommand' ? [node.expression] : [node.initialize, node.test, node.update]
  if (parts.some(part => isFoggySum(part, scope))) lose(reading, node, scope)
  into.walkWords(
    reading,
    parts.filter(part => part !== undefined),
    scope,
  )
  if (node.type === 'ArithmeticFor') again(reading, node, scope, () => walk(node.body))
}

function noteCompared(reading: Reading, text: string, scope: Scope): void {
  for (const act of comparedFiles(text, scope, reading.source)) push(reading, act)
}

/** Something runs here that nobody can read. */
function lose(reading: Reading, { pos, end }: Expressions, scope: Scope): void {
  push(reading, opaque(reading.source.slice(pos, end)))
  scope.tainted = true
}

/** Code that may not run: what it sets is not certain after it. */
function perhaps(scope: Scope, walk: () => void): void {
  const { cwds, certain } = scope
  scope.certain = false
  walk()
  scope.certain = certain
  scope.cwds = eitherFolder(scope.cwds, cwds)
}

/** Code that may run more than once: what a later turn sees may have been set by an earlier one. */
function again(reading: Reading, node: { pos: number; end: number }, scope: Scope, walk: () => void): void {
  const { loop } = scope
  const text = reading.source.slice(node.pos, node.end)
  scope.loop = loop ?? newLoop(text)
  if (loop === undefined && /\b(cd|pushd|popd)\b/.test(text)) scope.cwds = eitherFolder(scope.cwds, [null])
  perhaps(scope, walk)
  scope.loop = loop
}

function walkRedirected(reading: Reading, node: Redirected, scope: Scope, spot: Spot, into: Into): void {
  const files: Act[] = []
  const pending: SyntaxNode[] = []
  const via = reading.source.slice(node.pos, node.end)
  sawRedirections(reading.check, node.redirects)
  const { stdin, descriptors } = readRedirects(node.redirects, scope, via, files, pending)
  const leave = enter(scope, descriptors, 'no')
  // several commands may share the input, so none is known to get all of it
  walkCompound(reading, node.command, scope, stdin === undefined ? spot : { ...spot, stdin: null, piped: true }, into)
  leave()
  into.walkWords(reading, pending, scope)
  for (const act of files) push(reading, act)
}
