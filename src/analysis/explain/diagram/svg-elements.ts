export const LINE_HEIGHT = 17

/** Wraps text to lines of at most `columns` characters, between words if possible. */
export function wrapText(text: string, columns: number): readonly string[] {
  const lines: string[] = []
  for (let rest = text; rest !== ''; ) {
    const space = rest.length <= columns ? rest.length : rest.lastIndexOf(' ', columns)
    const end = space > 0 ? space : breakAfterSign(rest, columns)
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return lines
}

/** Where to break a word longer than the line: after a slash or another sign, so that names stay whole. */
const breakAfterSign = (word: string, columns: number): number => {
  const [, head = ''] = /^(.*[/|,.:=_)}\]-])/.exec(word.slice(0, columns)) ?? []
  return head.length > columns / 3 ? head.length : columns
}

/** The baseline of the first line is one line height, less 4 px, below `y`. */
export const svgText = (lines: readonly string[], x: number, y: number, kind: string): string =>
  lines
    .map(
      (line, nth) => `<text class="${kind}" x="${x}" y="${y + (nth + 1) * LINE_HEIGHT - 4}">${escapeXml(line)}</text>`,
    )
    .join('\n')

export const svgBox = (x: number, y: number, width: number, height: number, kind: string): string =>
  `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`

export const svgArrow = (points: string): string => `<path class="arrow" d="${points}" marker-end="url(#tip)"/>`

export const SVG_STYLE = [
  'text{fill:#1d2330}.title{font-weight:600;font-size:15px}.name{font-weight:600}.rule{fill:#8a1c1c}.move{fill:#4a5060}',
  '.gate{fill:#fff;stroke:#d5d9e0}.closed{fill:#fdf0ee;stroke:#d9a39b}.open{fill:#eef7f0;stroke:#9cc7a8}',
  '.arrow{fill:none;stroke:#6a7385;stroke-width:1.4}.tip,.start{fill:#6a7385}',
  '@media(prefers-color-scheme:dark){text{fill:#e6e9ef}.rule{fill:#f2a79f}.move{fill:#b4bac6}.gate{fill:#15181e;stroke:#3a404c}',
  '.closed{fill:#2c1b1a;stroke:#7c453f}.open{fill:#16261b;stroke:#3f7350}.arrow{stroke:#98a1b3}.tip,.start{fill:#98a1b3}}',
].join('')

export const ARROW_MARKER =
  '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>'

const escapeXml = (text: string): string => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)
