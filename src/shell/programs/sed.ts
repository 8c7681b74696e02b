import { literal, UNKNOWN } from '../arg.ts'
import { type Call, has, isNamed, obscure, touch, touchAll } from '../call.ts'
import type { Description } from '../description.ts'
import { regexEnd } from './regex-end.ts'

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
    const behind = skipAddresses(script, at)
    if (behind === -1) {
      obscure(call)
      return
    }
    at = behind
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

/** The index after `1,/x/!` and the like, which is where it began if there are none; -1 where that cannot be told. */
function skipAddresses(script: string, from: number): number {
  const first = skipAddress(script, from)
  if (first === -1 || first === from) return first === -1 ? -1 : skipBy(NEGATION, script, from)
  const comma = skipBy(/\s*,\s*/y, script, first)
  if (comma === first) return skipBy(NEGATION, script, first)
  const count = skipBy(/[+~]\d+/y, script, comma)
  const second = count > comma ? count : skipAddress(script, comma)
  return second === -1 || second === comma ? -1 : skipBy(NEGATION, script, second)
}

const NEGATION = /\s*(?:!\s*)*/y

function skipBy(pattern: RegExp, script: string, from: number): number {
  pattern.lastIndex = from
  return from + (pattern.exec(script)?.[0].length ?? 0)
}

function skipAddress(script: string, from: number): number {
  const char = script[from]
  if (char !== '/' && char !== '\\') return skipBy(/\d+(?:~\d+)?|\$/y, script, from)
  const start = char === '/' ? from + 1 : from + 2
  const end = regexEnd(script, start, script[start - 1] ?? '\n')
  return end === -1 ? -1 : skipBy(/[IM]*/y, script, end + 1)
}

/** The index after the third delimiter of `s/a/b/`, or -1. Only in an expression do brackets hold one. */
function skipSubstitution(script: string, from: number, regex: boolean): number {
  const delimiter = script[from] ?? '\n'
  if (delimiter === '\n' || delimiter === '\\') return -1
  const middle = regex ? regexEnd(script, from + 1, delimiter) : textEnd(script, from + 1, delimiter)
  const end = middle === -1 ? -1 : textEnd(script, middle + 1, delimiter)
  return end === -1 ? -1 : end + 1
}

/** A line of it ends with a backslash, unless it is the last. */
function textEnd(script: string, from: number, delimiter: string): number {
  for (let at = from; at < script.length; at += 1) {
    const char = script[at]
    if (char === '\\') at += 1
    else if (char === delimiter) return at
    else if (char === '\n') return -1
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
  const inPlace = has(call, '-i -I --in-place') || call.args.some(arg => IN_PLACE.test(arg.text ?? arg.head))
  // nobody knows which word is the script; `-l` has a number, or nothing on a Mac
  if (call.line.options.some(({ name, value }) => name === '-l' && !/^\d+$/.test(value?.text ?? ''))) obscure(call)
  if (call.line.options.some(({ name, kind }) => kind === undefined && !isKnown(name)) && !inPlace) obscure(call)
  const files = given ? operands : rest
  touchAll(call, inPlace ? 'write' : 'read', files)
  if (has(call, '-f --file')) obscure(call)
  const texts = given ? scripts.map(option => option.value ?? UNKNOWN) : first === undefined ? [] : [first]
  for (const { text } of texts) {
    if (text === null) obscure(call)
    else readScript(call, text)
  }
}

const IN_PLACE = /^(-[nErsuzbalH]*[iI]|--in-?p?)/

const FLAGS =
  '-n -E -r -s -u -z -b -a -H --quiet --silent --regexp-extended --separate --unbuffered --null-data --zero-terminated --binary --follow-symlinks --posix --debug --sandbox --help --version'

/** A flag may be cut short. */
const isKnown = (name: string): boolean =>
  name.length > 2 && FLAGS.split(' ').some(flag => flag.startsWith('--') && flag.startsWith(name))

const sed: Description = {
  onlyReads: true,
  harmful: true,
  flags: `${FLAGS} -i -I --in-place`,
  values: '-e --expression -l --line-length',
  reads: '-f --file',
  special: readSed,
}

export const SED: Readonly<Record<string, Description>> = { sed, gsed: sed }
