/** One way in which a program may find the end of a regular expression. */
interface RegexDialect {
  /** `[/]`: a delimiter in brackets does not end the expression */
  readonly brackets: boolean
  /** `[]/]`: a bracket in first position is a plain character */
  readonly first: boolean
  /** `[[:alpha:]/]`: brackets may contain a class */
  readonly classes: boolean
  /** `[\]/]`: brackets may contain an escaped bracket */
  readonly escapes: boolean
}

const BOTH = [true, false]
const BRACKET_DIALECTS: readonly RegexDialect[] = BOTH.flatMap(first =>
  BOTH.flatMap(classes => BOTH.map(escapes => ({ brackets: true, first, classes, escapes }))),
)
const PLAIN_DIALECT: RegexDialect = { brackets: false, first: false, classes: false, escapes: false }

/**
 * The index of the delimiter that ends the expression beginning at `from`. Programs and their versions differ in how they read
 * brackets. Returns -1 if they disagree, or if the expression does not end on its line.
 */
export function findRegexEnd(script: string, from: number, delimiter: string, mayIgnoreBrackets = false): number {
  if ('[]^\\\n'.includes(delimiter)) return -1
  const end = findEndInDialect(PLAIN_DIALECT, script, from, delimiter)
  const open = script.indexOf('[', from)
  if (open === -1 || (end !== -1 && open > end)) return end
  const ends = BRACKET_DIALECTS.map(manner => findEndInDialect(manner, script, from, delimiter))
  if (mayIgnoreBrackets) ends.push(end)
  const [one = -1] = ends
  return ends.every(other => other === one) ? one : -1
}

function findEndInDialect(manner: RegexDialect, script: string, from: number, delimiter: string): number {
  // position of the first character inside the brackets; -1 outside
  let inside = -1
  for (let at = from; at < script.length; at += 1) {
    const char = script[at]
    if (char === '\n') return -1
    if (char === '\\' && (inside === -1 || manner.escapes)) {
      at += 1
      if (script[at] === '\n') return -1
    } else if (inside !== -1) {
      const kind = char === '[' && manner.classes ? (/[:.=]/.exec(script[at + 1] ?? '')?.[0] ?? '') : ''
      if (kind !== '') {
        const end = script.indexOf(`${kind}]`, at + 2)
        if (end === -1) return -1
        at = end + 1
      } else if (char === ']' && (at > inside || !manner.first)) inside = -1
    } else if (char === delimiter) return at
    else if (char === '[' && manner.brackets) {
      if (script[at + 1] === '^') at += 1
      inside = at + 1
    }
  }
  return -1
}
