import { forEachChild, type SyntaxNode } from 'unbash'
import { applyArithmeticAssignments, assignVariable, type ShellScope } from '../scope/scope.ts'
import { isTaintedExpansion, isTaintedList, isTaintedSum } from '../scope/taint.ts'

/**
 * What stands inside words and is evaluated along with them, however deep: in the operand of `${…}`, the list of a loop, a
 * pattern, an array, the body of a heredoc. Notes what it sets; true where it evaluates text that nobody can read. Commands in
 * it are walked on their own.
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

/** What was heeded further out, as all of the text was looked at there: nothing, a number, or a sum with what it sets. */
type EvaluationLevel = 0 | 1 | 2
const UNEVALUATED: EvaluationLevel = 0
const EVALUATED_NUMBER: EvaluationLevel = 1
const EVALUATED_SUM: EvaluationLevel = 2

/** Not even looked into: they are parsed when they are. */
const COMMAND_NODES: ReadonlySet<string> = new Set(['Script', 'CommandExpansion', 'ProcessSubstitution'])

function applyNodeEvaluation(node: SyntaxNode, seen: EvaluationLevel, scope: ShellScope): boolean {
  if (node.type === 'ArrayValue') return isTaintedList(node.elements, scope)
  if (node.type === 'ArithmeticExpansion') {
    const foggy = seen === UNEVALUATED && isTaintedSum(node.expression, scope)
    if (seen !== EVALUATED_SUM) applyArithmeticAssignments(scope, node.text)
    return foggy
  }
  if (node.type !== 'ParameterExpansion') return false
  const foggy = seen === UNEVALUATED && isTaintedExpansion(node, scope)
  const { operation, parameter } = node
  if (operation?.type === 'Default' && operation.operator.endsWith('=')) assignVariable(scope, parameter, null)
  return foggy
}

/** Whether the child of an expansion, or of what is done to it, is a number: `${x[child]}`, `${x:child}`. */
const isNumberPosition = (node: SyntaxNode, child: SyntaxNode): boolean =>
  node.type === 'Slice' || (node.type === 'ParameterExpansion' && node.index === child)

/** Leaves what a part runs for later, and heeds at once what it evaluates. */
export function deferEvaluation(node: SyntaxNode, scope: ShellScope, pending: SyntaxNode[]): void {
  pending.push(node)
  if (applyWordEvaluation(node, scope)) scope.tainted = true
}
