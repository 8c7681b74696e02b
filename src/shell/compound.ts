import type { AndOr, CommandNode, CompoundList, PipelineNode, Redirected, Statement, SyntaxNode, Word } from 'unbash'
import type { Act } from '../core/index.ts'
import { type Arg, UNKNOWN } from './arg.ts'
import { sawRedirections } from './cross-check.ts'
import { enter } from './descriptor.ts'
import { clear, cloud, holdsText, isFoggySum, isFoggyTest, isNumber, noteName } from './fog.ts'
import { isSettled, join, joinNames, meetEver } from './join.ts'
import { comparedFiles, sumRuns, testRuns } from './plain-shell.ts'
import { programOf } from './programs/index.ts'
import { around, charge, opaque, push, type Reading, Unreadable } from './reading.ts'
import { mayFail, readRedirects } from './redirect.ts'
import {
  applyArithmetic,
  assign,
  eitherFolder,
  forgetVars,
  fork,
  heldBy,
  newLoop,
  noteHeld,
  type Scope,
} from './scope.ts'
import { NOWHERE, type Spot, unheard } from './spot.ts'
import { readWord } from './word.ts'

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
      walkFor(reading, node, scope, () => walk(node.body))
      return
    case 'ArithmeticFor':
    case 'ArithmeticCommand':
    case 'TestCommand':
      walkExpressions(reading, node, scope, into, walk)
      return
    case 'Function': {
      const text = reading.source.slice(node.pos, node.end)
      const inside: Scope = { ...fork(scope), certain: false, loop: scope.loop ?? newLoop(text) }
      forgetVars(inside)
      meetEver(inside)
      const walkBody = (): void => walkCompound(reading, node.body, inside, NOWHERE, into)
      // it may be called more than once
      if (scope.loop === undefined) untilSettled(reading, text, inside, walkBody)
      else walkBody()
      scope.functions.set(node.name.value, inside.cwds !== scope.cwds)
      scope.voided = true
      joinNames(scope, inside)
      return
    }
    case 'Coproc': {
      const inside = { ...fork(scope), away: true }
      if (node.body.type === 'Command') into.walkNode(reading, node.body, inside, NOWHERE)
      else walkCompound(reading, node.body, inside, NOWHERE, into)
    }
  }
}

/** `1`, `a.ts`, `$(seq 3)`: no text from elsewhere, as the names of files are, and no name of a variable that holds such text. */
const isListed = (word: Word): boolean =>
  isNumber(word) || (/^[\w.,:@%/{}'" -]*$/.test(word.text) && !holdsText(word.text) && !/--|^-?$/.test(word.text))

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
    const runs = testRuns(text, source.slice(0, node.pos), scope, around(reading))
    if (runs || isFoggyTest(node.expression, scope)) lose(reading, node, scope)
    into.walkWords(reading, [node.expression], scope)
    noteCompared(reading, text, scope)
    return
  }
  if (node.type === 'ArithmeticCommand') {
    if (sumRuns(node.body, scope, around(reading))) lose(reading, node, scope)
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
  for (const act of comparedFiles(text, scope, around(reading))) push(reading, act)
}

/** Something runs here that nobody can read. */
function lose(reading: Reading, { pos, end }: Expressions, scope: Scope): void {
  push(reading, opaque(reading.source.slice(pos, end)))
  scope.tainted = true
}

/** Code that may not run: what it sets is not certain after it. */
function perhaps(scope: Scope, walk: () => void): void {
  const { cwds, certain, errexit, pipefail } = scope
  scope.certain = false
  walk()
  scope.certain = certain
  scope.errexit &&= errexit
  scope.pipefail &&= pipefail
  scope.cwds = eitherFolder(scope.cwds, cwds)
}

/** Code that may run more than once: what a later turn sees may have been set by an earlier one. */
function again(reading: Reading, node: { pos: number; end: number }, scope: Scope, walk: () => void): void {
  const { loop } = scope
  const text = reading.source.slice(node.pos, node.end)
  if (loop === undefined) {
    scope.loop = newLoop(text)
    if (/\b(cd|pushd|popd)\b/.test(text)) scope.cwds = eitherFolder(scope.cwds, [null])
    untilSettled(reading, text, scope, () => perhaps(scope, walk))
    // a loop inside another is walked again with it
  } else perhaps(scope, walk)
  scope.loop = loop
}

const MOST_TURNS = 4

/** Walks the code until the shell is after it as it was before; only what the last walk found counts. */
function untilSettled(reading: Reading, text: string, scope: Scope, walk: () => void): void {
  const { check, acts, witnessed = [] } = reading
  const counts = [acts, witnessed, scope.finds].map(list => list.length)
  for (let turn = 1; ; turn += 1) {
    const before = { ...scope }
    walk()
    if (isSettled(before, scope)) break
    if (turn === MOST_TURNS) throw new Unreadable('never settles')
    charge(reading, text)
    for (const [at, list] of [acts, witnessed, scope.finds].entries()) list.length = counts[at] ?? 0
    // the first walk has compared it with the text
    reading.check = undefined
  }
  reading.check = check
}

/** The words that one of the list becomes. What it runs is walked elsewhere. */
function wordsOf(word: Word, scope: Scope): readonly Arg[] {
  const args: Arg[] = []
  readWord(word, fork(scope), args, [])
  return args
}

const allPositions = (scope: Scope): Arg => ({ ...UNKNOWN, patterns: heldBy(scope, '@') })

type For = Extract<Compound, { type: 'For' | 'Select' }>

function walkFor(reading: Reading, node: For, scope: Scope, walk: () => void): void {
  const name = node.name.value
  const wasFoggy = scope.fog.has(name) || scope.fog.has('*')
  const { wordlist = [] } = node
  assign(scope, name, null)
  if (node.wordlist !== undefined && wordlist.every(isListed)) clear(scope, name)
  noteName(scope, name)
  noteHeld(
    scope,
    name,
    node.wordlist === undefined ? [allPositions(scope)] : wordlist.flatMap(word => wordsOf(word, scope)),
  )
  again(reading, node, scope, walk)
  // without words the variable stays as it was, as it does where the loop is not reached
  const isSet = scope.certain && scope.chained === undefined && wordlist.some(({ parts }) => parts === undefined)
  if (wasFoggy && !isSet) cloud(scope, name)
}

function walkRedirected(reading: Reading, node: Redirected, scope: Scope, spot: Spot, into: Into): void {
  const files: Act[] = []
  const pending: SyntaxNode[] = []
  const via = reading.source.slice(node.pos, node.end)
  sawRedirections(reading.check, node.redirects)
  const { stdin, descriptors } = readRedirects(node.redirects, scope, via, files, pending)
  const leave = enter(scope, descriptors, 'no')
  const before = { ...scope }
  // several commands may share the input, so none is known to get all of it
  walkCompound(reading, node.command, scope, stdin === undefined ? spot : { ...spot, stdin: null, piped: true }, into)
  // where a file cannot be opened, nothing of it runs
  if (node.redirects.some(mayFail)) join(scope, before)
  leave()
  into.walkWords(reading, pending, scope)
  for (const act of files) push(reading, act)
}
