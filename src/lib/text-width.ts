const COMBINING = /\p{Mark}/u
/** Emoji and East Asian scripts: two columns each. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

const columnsOfChar = (sign: string): number =>
  sign < '\u0300' ? 1 : COMBINING.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1

/** How many terminal columns the text takes. */
export function displayWidth(text: string): number {
  let columns = 0
  for (const sign of text) columns += columnsOfChar(sign)
  return columns
}

/** Cuts a text in the middle: the beginning and the end of a command say most. */
export function cutMiddle(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  if (width < 3) return '…'.slice(0, Math.max(width, 0))
  const signs = [...text]
  const end = takeColumns(signs.toReversed?.() ?? [...signs].reverse(), Math.floor((width - 1) / 3))
  const begin = takeColumns(signs, width - 1 - displayWidth(end.join('')))
  return `${begin.join('')}…${end.reverse().join('')}`
}

export function cutEnd(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  return width < 2 ? '…'.slice(0, Math.max(width, 0)) : `${takeColumns([...text], width - 1).join('')}…`
}

export const padTo = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - displayWidth(text)))

function takeColumns(signs: readonly string[], width: number): string[] {
  const taken: string[] = []
  let columns = 0
  for (const sign of signs) {
    columns += columnsOfChar(sign)
    if (columns > width) break
    taken.push(sign)
  }
  return taken
}
