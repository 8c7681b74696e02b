import type { Arg } from '../arg.ts'
import { type Call, find, obscure, touch, touchAll } from '../call.ts'
import type { Description } from '../description.ts'

const ANY_FILE: Arg = { text: null, head: '', glob: false, loose: false }

/** Stands for a string or a regular expression: awk itself has no use for it. */
const VALUE = '`'

/** Words after which a slash begins a regular expression, not a division. */
const BEFORE_REGEX = /(^|[^\w$])(print|printf|return|exit|in|else|do|getline|delete)$/

/**
 * The program without strings, comments and regular expressions; null when that cannot be told apart. Where a slash may
 * divide or begin an expression, nothing is left out: what is meant as a string may then be code, or a parenthesis in one
 * mere text.
 */
function bareProgram(script: string): { readonly bare: string; readonly whole: boolean } | null {
  let bare = ''
  // for each open parenthesis, whether it is that of `if (`
  const open: boolean[] = []
  let afterHead = false
  // kept apart, as looking at the end of a string under construction copies it
  let recent = ''
  for (let at = 0; at < script.length; at += 1) {
    let char = script[at] ?? ''
    if (char === '"') {
      at = closing(script, at, '"')
      char = VALUE
    } else if (char === '#') {
      const end = closing(script, at, '\n')
      // to some the comment goes on in the next line
      if (script[end - 1] === '\\') return { bare: script, whole: true }
      at = end
      char = '\n'
    } else if (char === '\\' && /^\r?\n/.test(script.slice(at + 1, at + 3))) {
      at += script[at + 1] === '\r' ? 2 : 1
      char = ' '
    } else if (char === '/' && isEither(recent, afterHead)) return { bare: script, whole: true }
    else if (char === '/' && startsRegex(recent)) {
      const end = closing(script, at, '/')
      const regex = script.slice(at, end)
      // inside brackets a slash may or may not end it
      if (regex.lastIndexOf('[') > regex.lastIndexOf(']')) return null
      at = end
      char = VALUE
    } else if (char === '(') open.push(HEAD.test(recent))
    else if (char === ')') afterHead = open.pop() === true
    bare += char
    recent = (recent + char).slice(-32)
  }
  return { bare, whole: false }
}

const HEAD = /(^|[^\w$])(if|while|for|switch)\s*$/

/** A value before a slash makes it a division. */
function startsRegex(recent: string): boolean {
  const before = recent.trimEnd()
  return !/[\w$)\]`.]$/.test(before) || BEFORE_REGEX.test(before)
}

/** After `if (x)`, at the start of a line after a value, after `x++`, or after a word that is a name to some. */
const isEither = (recent: string, afterHead: boolean): boolean =>
  (afterHead && /\)\s*$/.test(recent)) ||
  /[\w$\])`.]\s*\n\s*$/.test(recent) ||
  /(\+\+|--)\s*$/.test(recent) ||
  /(^|[^\w$])(case|func|default|switch)\s*$/.test(recent)

function closing(script: string, from: number, end: string): number {
  for (let at = from + 1; at < script.length; at += 1) {
    if (script[at] === '\\' && end !== '\n') at += 1
    else if (script[at] === end) return at
  }
  return script.length
}

function readProgram(call: Call, script: string): void {
  const program = bareProgram(script)
  if (program === null || /system|getline|@\s*\w|(^|[^|])\|(?!\|)/.test(program.bare)) obscure(call)
  if (program !== null && !(program.whole ? /print[\s\S]*>/.test(script) : redirects(program.bare))) return
  obscure(call)
  touch(call, 'write', ANY_FILE)
}

/** `>` redirects in a `print` statement outside parentheses; elsewhere it compares. */
function redirects(bare: string): boolean {
  let prints = false
  let depth = 0
  for (const [token] of bare.matchAll(/\w+|[()[\];{}>]/g)) {
    if (token === 'print' || token === 'printf') {
      prints = true
      depth = 0
    } else if (token === '(' || token === '[') depth += 1
    else if (token === ')' || token === ']') depth -= 1
    else if (token === '>') {
      if (prints && depth <= 0) return true
    } else if (token === ';' || token === '{' || token === '}') prints = false
  }
  return false
}

function readAwk(call: Call): void {
  const file = find(call, '-f --file -E --exec')
  const [script, ...rest] = call.line.operands
  const files = file === undefined ? rest : call.line.operands
  touchAll(
    call,
    'read',
    files.filter(arg => !/^\w+=/.test(arg.text ?? '')),
  )
  if (file !== undefined || script?.text === null) obscure(call)
  else if (script?.text !== undefined) readProgram(call, script.text)
}

const awk: Description = {
  onlyReads: true,
  harmful: true,
  values: '-F -v --field-separator --assign',
  reads: '-f --file -E --exec',
  runs: '-l --load -i --include -e --source -W',
  risks: '-D --debug',
  writes: '-o -d -p --dump-variables --pretty-print --profile',
  special: readAwk,
}

export const AWK: Readonly<Record<string, Description>> = { awk, gawk: awk, mawk: awk, nawk: awk }
