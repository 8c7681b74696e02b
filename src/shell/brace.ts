const MAX_RESULTS = 64

/** `{a,b{c,d}}` → its alternatives; undefined for anything but a plain comma list. */
export function braceAlternatives(text: string): readonly string[] | undefined {
  if (text.length > 4096 || /['"`$\\<>()]|\.\./.test(text)) return undefined
  const results = expand(text, 0)
  return results !== undefined && results.length > 1 && results.length <= MAX_RESULTS ? results : undefined
}

function expand(text: string, depth: number): readonly string[] | undefined {
  const open = text.indexOf('{')
  if (open === -1) return [text]
  if (depth > 8) return undefined
  const pieces = splitAt(text, open)
  if (pieces === undefined || pieces.items.length < 2) return undefined
  const tails = expand(text.slice(pieces.end), depth + 1)
  if (tails === undefined) return undefined
  const head = text.slice(0, open)
  const results: string[] = []
  for (const item of pieces.items) {
    const middles = expand(item, depth + 1)
    if (middles === undefined || results.length + middles.length * tails.length > MAX_RESULTS) return undefined
    for (const middle of middles) for (const tail of tails) results.push(head + middle + tail)
  }
  return results
}

/** The items between a brace and its partner, split at the commas of that level. */
function splitAt(text: string, open: number): { items: string[]; end: number } | undefined {
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
