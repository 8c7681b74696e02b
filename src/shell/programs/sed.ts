import { literal, UNKNOWN } from '../arg.ts'
import { type Call, has, isNamed, obscure, touch, touchAll } from '../call.ts'
import type { Description } from '../description.ts'

/**
 * What a sed script does beyond printing: `w file`, `W file`, `s…w file` write, `r`/`R` read, `e` and `s…e` run.
 * Read statement by statement; a statement this cannot follow counts as running something.
 */
function readScript(call: Call, script: string): void {
  let at = 0
  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const found = pattern.exec(script)?.[0] ?? ''
    at += found.length
    return found
  }
  while (at < script.length) {
    skip(/[\s;{}]*/y)
    skip(ADDRESSES)
    const command = script[at]
    if (command === undefined) return
    at += 1
    if (command === 's' || command === 'y') {
      const flags = skipSubstitution(script, at, command === 's')
      if (flags === -1) {
        obscure(call)
        return
      }
      at = flags
      const letters = skip(/[gpiImMe0-9]*/y)
      if (command === 's' && letters.includes('e')) obscure(call)
      if (command === 's' && script[at] === 'w') {
        at += 1
        readName(call, 'write', skip(/[^\n]*/y))
      }
    } else if (command === 'w' || command === 'W') readName(call, 'write', skip(/[^\n]*/y))
    else if (command === 'r' || command === 'R') readName(call, 'read', skip(/[^\n]*/y))
    else if (command === 'e') {
      obscure(call)
      skip(/[^\n]*/y)
    } else if ('aic'.includes(command)) skip(/(?:\\[\s\S]|[^\n\\])*/y)
    // a blank ends a label
    else if (':btT'.includes(command)) skip(/[^\S\n]*[^\s;}]*/y)
    else if (command === '#') skip(/[^\n]*/y)
    else if ('{}dDgGhHlnNpPqQxz=F'.includes(command)) skip(/\s*\d*/y)
    else {
      obscure(call)
      return
    }
  }
}

const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\.)*/[IM]*|\\(.)(?:(?!\1)[^\\\n]|\\.)*\1[IM]*)`
const ADDRESSES = new RegExp(
  String.raw`(?:${ADDRESS}(?:\s*,\s*(?:[+~]\d+|${ADDRESS.replace('(.)', '(.)').replaceAll('\\1', '\\2')}))?)?\s*!*\s*`,
  'y',
)

/** The index after the third delimiter of `s/a/b/`, or -1. Only in an expression do brackets hold one. */
function skipSubstitution(script: string, from: number, regex: boolean): number {
  const delimiter = script[from]
  if (delimiter === undefined || delimiter === '\n' || delimiter === '\\') return -1
  let seen = 0
  let bracket = -1
  for (let at = from + 1; at < script.length; at += 1) {
    const char = script[at]
    if (bracket !== -1) {
      if (char === ']' && at > bracket) bracket = -1
    } else if (char === '\\') at += 1
    else if (char === '[' && seen === 0 && regex) bracket = script[at + 1] === '^' ? at + 2 : at + 1
    else if (char === delimiter) {
      seen += 1
      if (seen === 2) return at + 1
    }
  }
  return -1
}

function readName(call: Call, action: 'read' | 'write', name: string): void {
  touch(call, action, literal(name.trim()))
}

function readSed(call: Call): void {
  const scripts = call.line.options.filter(option => option.name === '-e' || isNamed(option, '--expression'))
  const given = scripts.length > 0 || has(call, '-f --file')
  // BSD writes `-i ''`
  const operands = call.line.operands[0]?.text === '' ? call.line.operands.slice(1) : call.line.operands
  const [first, ...rest] = operands
  const inPlace =
    has(call, '-i --in-place') || call.args.some(arg => /^(-[nErszul]*i|--in-p)/.test(arg.text ?? arg.head))
  const files = given ? operands : rest
  touchAll(call, inPlace ? 'write' : 'read', files)
  if (has(call, '-f --file')) obscure(call)
  const texts = given ? scripts.map(option => option.value ?? UNKNOWN) : first === undefined ? [] : [first]
  for (const { text } of texts) {
    if (text === null) obscure(call)
    else readScript(call, text)
  }
}

export const SED: Readonly<Record<string, Description>> = {
  sed: {
    onlyReads: true,
    harmful: true,
    flags: '-n -E -r -s -u -z --quiet --silent --regexp-extended --posix --debug -i --in-place',
    values: '-e --expression -l',
    reads: '-f --file',
    special: readSed,
  },
  gsed: { onlyReads: true, harmful: true, values: '-e --expression -l', reads: '-f --file', special: readSed },
}
