import stringWidth from 'string-width'

const PLAIN = /^[\x20-\x7e]*$/

/** How many terminal columns the text takes: two for emoji and East Asian letters, none for colours. */
export const displayWidth = (text: string): number => (PLAIN.test(text) ? text.length : stringWidth(text))

/** What a reader takes for one character: an emoji of several code points must not be cut. */
const charactersOf = (text: string): readonly string[] =>
  PLAIN.test(text) ? [...text] : Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)

/** Cuts a text in the middle: the beginning and the end of a command say most. `share`: how much of the rest is for the end. */
export function cutMiddle(text: string, width: number, share = 1 / 3): string {
  if (displayWidth(text) <= width) return text
  if (width < 3) return '…'.slice(0, Math.max(width, 0))
  const signs = charactersOf(text)
  const end = takeColumns([...signs].reverse(), Math.floor((width - 1) * share))
  const begin = takeColumns(signs, width - 1 - displayWidth(end.join('')))
  return `${begin.join('')}…${end.reverse().join('')}`
}

export function cutEnd(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  return width < 2 ? '…'.slice(0, Math.max(width, 0)) : `${takeColumns(charactersOf(text), width - 1).join('')}…`
}

export const padTo = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - displayWidth(text)))

/** The width of the widest text. */
export const widestOf = (texts: readonly string[]): number => Math.max(0, ...texts.map(displayWidth))

function takeColumns(signs: readonly string[], width: number): string[] {
  const taken: string[] = []
  let columns = 0
  for (const sign of signs) {
    columns += displayWidth(sign)
    if (columns > width) break
    taken.push(sign)
  }
  return taken
}
