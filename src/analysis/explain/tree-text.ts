export interface TreeBranch {
  readonly text: string
  readonly below?: readonly TreeBranch[]
}

/** Draws branches with ASCII lines, one line each. */
export function drawTree(branches: readonly TreeBranch[], indent: string): readonly string[] {
  return branches.flatMap(({ text, below = [] }, nth) => {
    const isLast = nth === branches.length - 1
    return [`${indent}${isLast ? '`-' : '|-'} ${text}`, ...drawTree(below, `${indent}${isLast ? '   ' : '|  '}`)]
  })
}
