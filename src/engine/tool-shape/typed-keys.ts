/** Converts what is typed into a terminal to the line that arrives there. */
export const lineFromTypedKeys = (text: string): string => withoutTaken(text.replace(SPACE, ' ').replace(KEYS, '\n'))

/** Names of keys, as terminal tools write them. */
const KEYS = /\{(enter|return|tab)\}|<(enter|return|cr)>|\bC-m\b|\r|\\[nr]$/gi
const SPACE = /\{space\}|<space>/gi
const BACKSPACE = /\{(?:backspace|bs|back)\}|<(?:backspace|bs)>|[\b\u007f]/gi

/** `gix{backspace}t`: the key removes the character before it. */
function withoutTaken(text: string): string {
  const [first = '', ...rest] = text.split(BACKSPACE)
  const line = [...first]
  for (const piece of rest) {
    line.pop()
    for (const character of piece) line.push(character)
  }
  return line.join('')
}
