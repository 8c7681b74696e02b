import { displayWidth } from '../../../lib/text-width.ts'

const MIN_WIDTH = 20
const NARROW_WIDTH = 60

interface WrappedTerminal {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly width: number
  readonly window?: { readonly out: boolean; readonly err: boolean }
}

/** Wraps text at the window's width, between words. Output that is not a window keeps whole lines. */
export function wrapOutput<T extends WrappedTerminal>(terminal: T): T {
  const { window, width } = terminal
  if (!window) return terminal
  const shown = (write: (text: string) => void, isWindow: boolean) => ({
    value: isWindow ? (text: string) => write(wrapText(text, width)) : write,
  })
  // not a copy: `isPerson` and `doubt` are getters that must stay lazy
  return Object.create(terminal, { out: shown(terminal.out, window.out), err: shown(terminal.err, window.err) })
}

export const wrapText = (text: string, width: number): string =>
  text
    .split('\n')
    .flatMap(line => wrapLine(line, Math.max(width, MIN_WIDTH)))
    .join('\n')

/** A quoted policy line is not wrapped: the mark under it points at a column. */
const QUOTED = /^ *\d+ \| /

function wrapLine(line: string, width: number): readonly string[] {
  if (displayWidth(line) <= width || QUOTED.test(line)) return [line]
  const lines: string[] = []
  const indent = treeTrunkOf(line, width) ?? ' '.repeat(indentOf(line, width))
  for (const [, gap = '', word = ''] of line.matchAll(/( *)(\S+)/g)) {
    const last = lines.at(-1)
    if (last === undefined) lines.push(gap + word)
    else if (displayWidth(last) + gap.length + displayWidth(word) <= width) lines[lines.length - 1] = last + gap + word
    else lines.push(indent + word)
  }
  return lines
}

/** The indent of a wrapped line in a drawn tree, which continues the tree's trunk. */
function treeTrunkOf(line: string, width: number): string | undefined {
  const [, trunk, fork] = /^((?:\| {2}| {3})*)(\|- |`- )/.exec(line) ?? []
  if (trunk === undefined || trunk.length + TREE_INDENT > width / 2) return undefined
  return `${trunk}${fork === '|- ' ? '|' : ' '}    `
}

/** `|    ` */
const TREE_INDENT = 5

/** Indents to the second column if there is one, else a little further than the line itself. */
function indentOf(line: string, width: number): number {
  const first = /^ *\S+(?: \S+)* {2,}(?=\S)/.exec(line)?.[0] ?? ''
  const second = displayWidth(first)
  const own = /^ */.exec(line)?.[0].length ?? 0
  const little = Math.min(own + 2, width / 2)
  // in a narrow window a word may not fit at the second column but fit further left
  const isHelped =
    width < NARROW_WIDTH &&
    line
      .slice(first.length)
      .split(' ')
      .map(displayWidth)
      .some(length => second + length > width && little + length <= width)
  return second > own && second <= width / 2 && !isHelped ? second : little
}
