import type { CommandNode, Word } from 'unbash'

/** The text that a command certainly prints (`echo 'rm x'`, `cat <<EOF`), or null if unknown. */
export function literalOutput(node: CommandNode): string | null {
  if (node.type !== 'Command' || node.name === undefined) return null
  const name = node.name.value
  if (name === 'cat') return heredocText(node)
  if (name !== 'echo' && name !== 'printf') return null
  const words: string[] = []
  for (const item of node.suffix) {
    const text = item.type === 'Word' ? staticText(item) : null
    if (text === null) return null
    words.push(text)
  }
  if (words[0] === '-n') words.shift()
  if ((name === 'echo' ? /^-[neE]+$/ : /^-/).test(words[0] ?? '') || words.some(word => word.includes('\\')))
    return null
  if (name === 'echo') return words.join(' ')
  if (words[0]?.includes('%')) return words.length === 2 && words[0] === '%s' ? (words[1] ?? null) : null
  return words[0] ?? null
}

type SimpleCommandNode = Extract<CommandNode, { type: 'Command' }>

function heredocText(node: SimpleCommandNode): string | null {
  const [heredoc] = node.redirects
  if (node.args.length > 0 || node.redirects.length !== 1 || heredoc?.type !== 'HereDoc') return null
  const { parts, text } = heredoc.body
  return parts === undefined || parts.every(part => part.type === 'Literal') ? text : null
}

function staticText(word: Word): string | null {
  const { parts } = word
  const fixed = parts?.every(
    part =>
      part.type === 'Literal' ||
      part.type === 'SingleQuoted' ||
      part.type === 'AnsiCQuoted' ||
      (part.type === 'DoubleQuoted' && part.parts.every(child => child.type === 'Literal')),
  )
  return fixed === false ? null : word.value
}
