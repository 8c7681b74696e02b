import { forEachChild, type SyntaxNode } from 'unbash'
import { isFoggyExpansion, isFoggyList, isFoggySum } from './fog.ts'
import { applyArithmetic, assign, type Scope } from './scope.ts'

/**
 * What stands inside words and is evaluated along with them, however deep: in the operand of `${…}`, the list of a loop, a
 * pattern, an array, the body of a heredoc. Notes what it sets; true where it evaluates text that nobody can read. Commands in
 * it are walked on their own.
 */
export function evaluates(node: SyntaxNode, scope: Scope): boolean {
  let found = false
  const rest: [SyntaxNode, Seen][] = [[node, NOTHING]]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [one, seen] = next
    if (RUN.has(one.type)) continue
    if (heeds(one, seen, scope)) found = true
    forEachChild(one, child => {
      const inside = one.type === 'ArithmeticExpansion' ? SUM : isNumber(one, child) ? NUMBER : NOTHING
      rest.push([child, Math.max(seen, inside) as Seen])
    })
  }
  return found
}

/** What was heeded further out, as all of the text was looked at there: nothing, a number, or a sum with what it sets. */
type Seen = 0 | 1 | 2
const NOTHING: Seen = 0
const NUMBER: Seen = 1
const SUM: Seen = 2

/** Not even looked into: they are parsed when they are. */
const RUN: ReadonlySet<string> = new Set(['Script', 'CommandExpansion', 'ProcessSubstitution'])

function heeds(node: SyntaxNode, seen: Seen, scope: Scope): boolean {
  if (node.type === 'ArrayValue') return isFoggyList(node.elements, scope)
  if (node.type === 'ArithmeticExpansion') {
    const foggy = seen === NOTHING && isFoggySum(node.expression, scope)
    if (seen !== SUM) applyArithmetic(scope, node.text)
    return foggy
  }
  if (node.type !== 'ParameterExpansion') return false
  const foggy = seen === NOTHING && isFoggyExpansion(node, scope)
  const { operation, parameter } = node
  if (operation?.type === 'Default' && operation.operator.endsWith('=')) assign(scope, parameter, null)
  return foggy
}

/** Whether the child of an expansion, or of what is done to it, is a number: `${x[child]}`, `${x:child}`. */
const isNumber = (node: SyntaxNode, child: SyntaxNode): boolean =>
  node.type === 'Slice' || (node.type === 'ParameterExpansion' && node.index === child)

/** Leaves what a part runs for later, and heeds at once what it evaluates. */
export function defer(node: SyntaxNode, scope: Scope, pending: SyntaxNode[]): void {
  pending.push(node)
  if (evaluates(node, scope)) scope.tainted = true
}
