const MAX_RESULTS = 64

/** Expands `{a,b{c,d}}`, `{a..e}`, `{01..09..2}`. Undefined if the text has quotes, gives too many results, or is not a list. */
export function expandBraces(text: string): readonly string[] | undefined {
  if (text.length > 4096 || /['"`$\\<>()]/.test(text)) return undefined
  const results = expandNested(text, 0)
  return results !== undefined && results.length <= MAX_RESULTS && results[0] !== text ? results : undefined
}

function expandNested(text: string, depth: number): readonly string[] | undefined {
  const open = text.indexOf('{')
  if (open === -1) return [text]
  if (depth > 8) return undefined
  const pieces = splitBraceItems(text, open)
  if (pieces === undefined) return undefined
  const items = pieces.items.length > 1 ? pieces.items : expandRange(pieces.items[0] ?? '')
  if (items === undefined) return undefined
  const tails = expandNested(text.slice(pieces.end), depth + 1)
  if (tails === undefined) return undefined
  const head = text.slice(0, open)
  const results: string[] = []
  for (const item of items) {
    const middles = expandNested(item, depth + 1)
    if (middles === undefined || results.length + middles.length * tails.length > MAX_RESULTS) return undefined
    for (const middle of middles) for (const tail of tails) results.push(head + middle + tail)
  }
  return results
}

/** The items between a brace and its closing brace, split at the commas of that level. */
function splitBraceItems(text: string, open: number): { items: string[]; end: number } | undefined {
  const items: string[] = []
  let level = 0
  let start = open + 1
  for (let at = open; at < text.length; at += 1) {
    const char = text[at]
    if (char === '{') level += 1
    else if (char === '}') level -= 1
    if (level === 0 || (level === 1 && char === ',')) {
      items.push(text.slice(start, at))
      start = at + 1
    }
    if (level === 0) return { items, end: at + 1 }
  }
  return undefined
}

const BRACE_RANGE = /^(?:(-?\d{1,9})\.\.(-?\d{1,9})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,9}))?$/

/** Expands `1..5`, `01..10`, `a..e`, with or without a step. Undefined for other texts and for more than MAX_RESULTS items. */
function expandRange(text: string): readonly string[] | undefined {
  const [, low, high, first, last, step = '1'] = BRACE_RANGE.exec(text) ?? []
  const isLetter = first !== undefined
  const from = isLetter ? first.charCodeAt(0) : Number(low)
  const to = isLetter ? (last ?? '').charCodeAt(0) : Number(high)
  const by = Math.abs(Number(step)) || 1
  const count = Math.floor(Math.abs(to - from) / by) + 1
  if (!(count <= MAX_RESULTS)) return undefined
  const width = [low, high].some(end => /^-?0\d/.test(end ?? '')) ? Math.max(low?.length ?? 0, high?.length ?? 0) : 0
  return Array.from({ length: count }, (_, at) => {
    const value = to < from ? from - at * by : from + at * by
    return isLetter ? String.fromCharCode(value) : padNumber(value, width)
  })
}

const padNumber = (value: number, width: number): string =>
  value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0')
