import { forEachChild, type SyntaxNode } from 'unbash'
import { applyArithmeticAssignments, assignVariable } from '../scope/scope.ts'
import type { ShellScope } from '../scope/shell-scope.ts'
import { isTaintedArithmeticTree, isTaintedExpansion, isTaintedList } from '../scope/taint.ts'

/**
 * Applies everything that is evaluated inside a word, at any depth: the operand of `${…}`, a loop's list, a pattern, an array,
 * a heredoc body. Records the assignments it makes. Returns true if it evaluates text that cannot be read. Commands inside are
 * walked separately.
 */
export function applyWordEvaluation(node: SyntaxNode, scope: ShellScope): boolean {
  let found = false
  const rest: [SyntaxNode, EvaluationLevel][] = [[node, UNEVALUATED]]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [one, seen] = next
    if (COMMAND_NODES.has(one.type)) continue
    if (applyNodeEvaluation(one, seen, scope)) found = true
    forEachChild(one, child => {
      const inside =
        one.type === 'ArithmeticExpansion'
          ? EVALUATED_SUM
          : isNumberPosition(one, child)
            ? EVALUATED_NUMBER
            : UNEVALUATED
      rest.push([child, Math.max(seen, inside) as EvaluationLevel])
    })
  }
  return found
}

/** How an outer node was already checked, including this node's text: not at all, as a number, or as arithmetic with assignments. */
type EvaluationLevel = 0 | 1 | 2
const UNEVALUATED: EvaluationLevel = 0
const EVALUATED_NUMBER: EvaluationLevel = 1
const EVALUATED_SUM: EvaluationLevel = 2

/** Skipped here: unbash parses their content on first access. */
const COMMAND_NODES: ReadonlySet<string> = new Set(['Script', 'CommandExpansion', 'ProcessSubstitution'])

function applyNodeEvaluation(node: SyntaxNode, seen: EvaluationLevel, scope: ShellScope): boolean {
  if (node.type === 'ArrayValue') return isTaintedList(node.elements, scope)
  if (node.type === 'ArithmeticExpansion') {
    const isTainted = seen === UNEVALUATED && isTaintedArithmeticTree(node.expression, scope)
    if (seen !== EVALUATED_SUM) applyArithmeticAssignments(scope, node.text)
    return isTainted
  }
  if (node.type !== 'ParameterExpansion') return false
  const isTainted = seen === UNEVALUATED && isTaintedExpansion(node, scope)
  const { operation, parameter } = node
  if (operation?.type === 'Default' && operation.operator.endsWith('=')) assignVariable(scope, parameter, null)
  return isTainted
}

/** True if the child of an expansion or slice is evaluated as a number: `${x[child]}`, `${x:child}`. */
const isNumberPosition = (node: SyntaxNode, child: SyntaxNode): boolean =>
  node.type === 'Slice' || (node.type === 'ParameterExpansion' && node.index === child)

/** Queues the part so that its commands are walked later, and applies its evaluation effects now. */
export function deferEvaluation(node: SyntaxNode, scope: ShellScope, pending: SyntaxNode[]): void {
  pending.push(node)
  if (applyWordEvaluation(node, scope)) scope.tainted = true
}
