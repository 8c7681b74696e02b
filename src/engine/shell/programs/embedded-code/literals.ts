/** A value that the code writes out: a text, a list of texts, or null for anything else. */
export type Literal = string | null | readonly (string | null)[]

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' }
/** What stands for the home folder. */
const HOME =
  /(?:Path\.home\(\)|pathlib\.Path\.home\(\)|(?:os|require\(['"](?:node:)?os['"]\))\.homedir\(\)|homedir\(\)|Dir\.home(?:\(\))?|process\.env\.HOME|Deno\.env\.get\(['"]HOME['"]\)|os\.environ\[['"]HOME['"]\]|(?:os\.)?getenv\(['"]HOME['"]\)|ENV\[['"]HOME['"]\]|\$ENV\{['"]?HOME['"]?\}|\$_SERVER\[['"]HOME['"]\])/y
const HOME_IN_TEXT =
  /^(?:\$ENV\{HOME\}|\$\{process\.env\.HOME\}|\$\{(?:os\.)?homedir\(\)\}|#\{(?:Dir\.home|ENV\[['"]HOME['"]\])\})/
/** What gives back the path that it is given. */
const PATH_CALL =
  /(?:os\.path\.expanduser|os\.path\.abspath|os\.path\.realpath|expanduser|pathlib\.Path|Path|glob|path\.resolve|path\.normalize|Pathname\.new|File\.expand_path|Dir\.glob)\(\s*/y
/** Behind these words a text is complete; behind an operator it would go on. */
const COMPLETE = /\s*(?:[,)\];}\n]|$|(?:or|if|unless|and|with|t|nil)\b)/y
const JOINS = /\s*[+/.]\s*(?=['"])/y

interface Found {
  readonly value: Literal
  readonly end: number
}

/** The literal at this place of the code. */
export function literalAt(code: string, start: number): Found | undefined {
  const at = skip(code, start, /\s*/y)
  if (code[at] === '[') return listAt(code, at)
  const inner = skip(code, at, PATH_CALL)
  if (inner > at) {
    const found = literalAt(code, inner)
    return found && { value: found.value, end: skip(code, found.end, /\s*\)/y) }
  }
  const home = skip(code, at, HOME)
  const found = home > at ? { value: '~', end: home } : textAt(code, at)
  if (found === undefined) return undefined
  const joined = skip(code, found.end, JOINS)
  if (joined > found.end && home > at) {
    const rest = textAt(code, joined)
    if (rest?.value != null) return { value: `~/${rest.value.replace(/^\/+/, '')}`, end: rest.end }
  }
  return {
    value: skip(code, found.end, COMPLETE) > found.end || found.end >= code.length ? found.value : null,
    end: found.end,
  }
}

function listAt(code: string, start: number): Found {
  const values: (string | null)[] = []
  let at = start + 1
  while (at < code.length && values.length < 64) {
    const found = literalAt(code, at)
    if (found === undefined || typeof found.value === 'object') return { value: null, end: at }
    values.push(found.value)
    at = skip(code, found.end, /\s*,?\s*/y)
    if (code[at] === ']') return { value: values, end: at + 1 }
  }
  return { value: null, end: at }
}

const LONGEST = 4096

function textAt(code: string, start: number): { readonly value: string | null; readonly end: number } | undefined {
  const at = skip(code, start, /[rbu]{0,2}(?=['"])/iy)
  const quote = code[at]
  if (quote !== "'" && quote !== '"' && quote !== '`') return undefined
  const isRaw = /r/i.test(code.slice(start, at))
  let text = ''
  for (let end = at + 1; end < code.length && end - at < LONGEST; end += 1) {
    const sign = code[end] ?? ''
    if (sign === quote) return { value: withoutVariables(text, quote), end: end + 1 }
    if (sign === '\\' && !isRaw) {
      end += 1
      const next = code[end] ?? ''
      text += ESCAPES[next] ?? next
    } else text += sign
  }
  return undefined
}

/** In most languages a text in `"` may hold a variable. */
function withoutVariables(text: string, quote: string): string | null {
  const plain = quote === "'" ? text : text.replace(HOME_IN_TEXT, '~')
  return quote !== "'" && /\$\{(?!HOME\})|#\{|\$ENV\{/.test(plain) ? null : plain
}

/** Where a pattern ends that begins at this place; the place itself if it does not match. */
export function skip(code: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at
  return pattern.test(code) ? pattern.lastIndex : at
}
