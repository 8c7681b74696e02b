import { literalArg, UNKNOWN_ARG } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import {
  addFileAction,
  addFileActions,
  addOpaqueAction,
  hasOption,
  isOptionNamed,
  type ProgramCall,
} from '../../calls/program-call.ts'
import { findRegexEnd } from './regex-end.ts'

/**
 * Actions of a sed script beyond printing: `w file`, `W file`, `s…w file` write, `r`/`R` read, `e` and `s…e` run commands.
 * Reads the script statement by statement. A statement that cannot be parsed adds an opaque action.
 */
function readSedScript(call: ProgramCall, script: string): void {
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
      addOpaqueAction(call)
      return
    }
    at = behind
    const command = script[at]
    if (command === undefined) return
    at += 1
    if (command === 's' || command === 'y') {
      const flags = skipSubstitution(script, at, command === 's')
      if (flags === -1) {
        addOpaqueAction(call)
        return
      }
      at = flags
      const letters = skip(/[gpiImMe0-9]*/y)
      if (command === 's' && letters.includes('e')) addOpaqueAction(call)
      if (command === 's' && script[at] === 'w') {
        at += 1
        addNamedFile(call, 'write', skip(/[^\n]*/y))
      }
    } else if (command === 'w' || command === 'W') addNamedFile(call, 'write', skip(/[^\n]*/y))
    else if (command === 'r' || command === 'R') addNamedFile(call, 'read', skip(/[^\n]*/y))
    else if (command === 'e') {
      addOpaqueAction(call)
      skip(/[^\n]*/y)
    } else if ('aic'.includes(command)) skip(/(?:\\[\s\S]|[^\n\\])*/y)
    // white space ends a label
    else if (':btT'.includes(command)) skip(/[^\S\n]*[^\s;}]*/y)
    else if (command === '#') skip(/[^\n]*/y)
    else if ('{}dDgGhHlnNpPqQxz=F'.includes(command)) skip(/\s*\d*/y)
    else {
      addOpaqueAction(call)
      return
    }
  }
}

/** The index after addresses such as `1,/x/!`. Equals `from` if there are none; -1 if they cannot be parsed. */
function skipAddresses(script: string, from: number): number {
  const first = skipAddress(script, from)
  if (first === -1 || first === from) return first === -1 ? -1 : skipSticky(NEGATION, script, from)
  const comma = skipSticky(/\s*,\s*/y, script, first)
  if (comma === first) return skipSticky(NEGATION, script, first)
  const count = skipSticky(/[+~]\d+/y, script, comma)
  const second = count > comma ? count : skipAddress(script, comma)
  return second === -1 || second === comma ? -1 : skipSticky(NEGATION, script, second)
}

const NEGATION = /\s*(?:!\s*)*/y

function skipSticky(pattern: RegExp, script: string, from: number): number {
  pattern.lastIndex = from
  return from + (pattern.exec(script)?.[0].length ?? 0)
}

function skipAddress(script: string, from: number): number {
  const char = script[from]
  if (char !== '/' && char !== '\\') return skipSticky(/\d+(?:~\d+)?|\$/y, script, from)
  const start = char === '/' ? from + 1 : from + 2
  const end = findRegexEnd(script, start, script[start - 1] ?? '\n')
  return end === -1 ? -1 : skipSticky(/[IM]*/y, script, end + 1)
}

/** The index after the third delimiter of `s/a/b/`, or -1. Brackets can contain a delimiter only in a regular expression. */
function skipSubstitution(script: string, from: number, regex: boolean): number {
  const delimiter = script[from] ?? '\n'
  if (delimiter === '\n' || delimiter === '\\') return -1
  const middle = regex ? findRegexEnd(script, from + 1, delimiter) : findTextEnd(script, from + 1, delimiter)
  const end = middle === -1 ? -1 : findTextEnd(script, middle + 1, delimiter)
  return end === -1 ? -1 : end + 1
}

/** The index of the delimiter after plain text, or -1. Only a backslash may continue the text on the next line. */
function findTextEnd(script: string, from: number, delimiter: string): number {
  for (let at = from; at < script.length; at += 1) {
    const char = script[at]
    if (char === '\\') at += 1
    else if (char === delimiter) return at
    else if (char === '\n') return -1
  }
  return -1
}

function addNamedFile(call: ProgramCall, action: 'read' | 'write', name: string): void {
  addFileAction(call, action, literalArg(name.trim()))
}

function readSed(call: ProgramCall): void {
  const scripts = call.line.options.filter(option => option.name === '-e' || isOptionNamed(option, '--expression'))
  const given = scripts.length > 0 || hasOption(call, '-f --file')
  // BSD sed takes `-i ''`
  const operands = call.line.operands[0]?.text === '' ? call.line.operands.slice(1) : call.line.operands
  const [first, ...rest] = operands
  const inPlace = hasOption(call, '-i -I --in-place') || call.args.some(arg => IN_PLACE.test(arg.text ?? arg.head))
  // it is not certain which word is the script: `-l` takes a number, but nothing on macOS
  if (call.line.options.some(({ name, value }) => name === '-l' && !/^\d+$/.test(value?.text ?? '')))
    addOpaqueAction(call)
  if (call.line.options.some(({ name, kind }) => kind === undefined && !isAbbreviatedFlag(name)) && !inPlace)
    addOpaqueAction(call)
  const files = given ? operands : rest
  addFileActions(call, inPlace ? 'write' : 'read', files)
  if (hasOption(call, '-f --file')) addOpaqueAction(call)
  const texts = given ? scripts.map(option => option.value ?? UNKNOWN_ARG) : first === undefined ? [] : [first]
  for (const { text } of texts) {
    if (text === null) addOpaqueAction(call)
    else readSedScript(call, text)
  }
}

const IN_PLACE = /^(-[nErsuzbalH]*[iI]|--in-?p?)/

const SED_FLAGS =
  '-n -E -r -s -u -z -b -a -H --quiet --silent --regexp-extended --separate --unbuffered --null-data --zero-terminated --binary --follow-symlinks --posix --debug --sandbox --help --version'

/** True if the option may be an abbreviated flag. */
const isAbbreviatedFlag = (name: string): boolean =>
  name.length > 2 && SED_FLAGS.split(' ').some(flag => flag.startsWith('--') && flag.startsWith(name))

const sed: ProgramDescription = {
  onlyReads: true,
  harmful: true,
  flags: `${SED_FLAGS} -i -I --in-place`,
  values: '-e --expression -l --line-length',
  reads: '-f --file',
  special: readSed,
}

export const SED_PROGRAMS: Readonly<Record<string, ProgramDescription>> = { sed, gsed: sed }
