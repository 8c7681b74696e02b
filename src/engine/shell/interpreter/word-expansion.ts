import type { DoubleQuotedChild, SyntaxNode, Word, WordPart } from 'unbash'
import { type Arg, literalArg } from '../calls/argument.ts'
import { lookupVariable, possibleValuesOf } from '../scope/scope.ts'
import type { ShellScope } from '../scope/shell-scope.ts'
import { isCodeQualifier } from '../scope/variable-risk.ts'
import { expandBraces } from './brace-expansion.ts'
import { deferEvaluation } from './word-evaluation.ts'

/** One argument under construction during word expansion. */
interface WordField {
  text: string
  head: string | undefined
  glob: boolean
  loose: boolean
  several: boolean
  pipe: boolean
  /** true: `text` has a `*` for each brace expression that was not expanded; 'unknown': something else is unknown too */
  braces: boolean | 'unknown'
  started: boolean
  /** all possible texts, if only variables with several possible values make it unknown */
  alternatives: readonly string[] | undefined
  /** end position of a `~` or `.` substituted for a variable; only a slash may follow it, -1 if none */
  mark: number
}

const createField = (): WordField => ({
  text: '',
  head: undefined,
  glob: false,
  loose: false,
  several: false,
  pipe: false,
  braces: false,
  started: false,
  alternatives: undefined,
  mark: -1,
})

/**
 * Adds the arguments that a word expands to (none, one or several) to `args`,
 * and the parts that run commands to `pending`.
 */
export function expandWord(word: Word, scope: ShellScope, args: Arg[], pending: SyntaxNode[]): void {
  const parts = word.parts
  const only = parts?.length === 1 ? parts[0] : undefined
  if (parts === undefined) args.push(literalArg(word.value))
  else if (only?.type === 'SingleQuoted') args.push(literalArg(only.value))
  else expandParts(parts, scope, args, pending)
}

/** The value of a word that is not split (an assignment, a redirection target). Its text is null if unknown. */
export function expandUnsplitWord(word: Word, scope: ShellScope, pending: SyntaxNode[]): Arg {
  const args: Arg[] = []
  expandWord(word, scope, args, pending)
  const [only] = args
  if (only !== undefined && args.length === 1) return only
  return args.length === 0 ? literalArg('') : { text: null, head: '', glob: false, loose: false }
}

function expandParts(parts: readonly WordPart[], scope: ShellScope, args: Arg[], pending: SyntaxNode[]): void {
  let fields: WordField[] = [createField()]
  for (const [at, part] of parts.entries()) {
    if (part.type === 'BraceExpansion') fields = expandBracePart(part, scope, fields, pending)
    else fields = expandPart(part, scope, fields, args, pending, parts[at + 1])
  }
  for (const field of fields) finishField(field, args)
}

function expandBracePart(part: WordPart, scope: ShellScope, fields: WordField[], pending: SyntaxNode[]): WordField[] {
  const { text } = part
  const alternatives = expandBraces(text)
  if (alternatives === undefined || alternatives.length * fields.length > 64) {
    deferEvaluation(part, scope, pending)
    for (const field of fields) markUnexpandedBraces(field)
    return fields
  }
  const wild = /[*?[]/.test(text)
  return fields.flatMap(field =>
    alternatives.map(text => {
      const copy = { ...field, glob: field.glob || wild }
      appendText(copy, text)
      return copy
    }),
  )
}

function expandPart(
  part: WordPart,
  scope: ShellScope,
  fields: WordField[],
  args: Arg[],
  pending: SyntaxNode[],
  next: WordPart | undefined,
): WordField[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      for (const field of fields) appendText(field, part.value)
      return fields
    case 'Glob':
    case 'ExtendedGlob':
      if (part.parts !== undefined) deferEvaluation(part, scope, pending)
      if (part.type === 'ExtendedGlob' && isCodeQualifier(part.pattern)) scope.tainted = true
      for (const field of fields) {
        if (field.text === '') field.loose = true
        appendText(field, part.type === 'Glob' ? part.value : part.text)
        field.glob = true
      }
      return fields
    case 'DoubleQuoted':
    case 'LocaleString':
      for (const [at, child] of part.parts.entries())
        expandQuotedPart(child, scope, fields, pending, part.parts[at + 1])
      for (const field of fields) field.started = true
      return fields
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return splitValue(
        variableValue(part, scope, pending, next),
        fields,
        args,
        scope.whole,
        possibleValuesIn(part, scope),
      )
    case 'ProcessSubstitution':
      deferEvaluation(part, scope, pending)
      for (const field of fields) {
        markUnknown(field, false)
        field.pipe = true
      }
      return fields
    default:
      deferEvaluation(part, scope, pending)
      if (isPwdSubstitution(part)) return splitValue('.', fields, args, true)
      for (const field of fields)
        markUnknown(field, part.type !== 'ArithmeticExpansion' && !isSingleWordSubstitution(part))
      return fields
  }
}

function expandQuotedPart(
  child: DoubleQuotedChild,
  scope: ShellScope,
  fields: WordField[],
  pending: SyntaxNode[],
  next: DoubleQuotedChild | undefined,
): void {
  if (child.type === 'Literal') {
    for (const field of fields) appendText(field, child.value)
    return
  }
  const expansion = child.type === 'SimpleExpansion' || child.type === 'ParameterExpansion'
  const value = expansion ? variableValue(child, scope, pending, next) : isPwdSubstitution(child) ? '.' : null
  if (!expansion) deferEvaluation(child, scope, pending)
  // "$@" is several words even in quotes
  const several = /^\$\{?[@*]|^\$\{.*\[[@*]\]|^\$\{!.*[@*]\}/.test(child.text)
  const possible = expansion ? possibleValuesIn(child, scope) : []
  for (const field of fields)
    substituteValue(field, value, several || (field.text === '' && !isSingleWordSubstitution(child)), several, possible)
}

const isPwdSubstitution = (part: WordPart): boolean => part.type === 'CommandExpansion' && part.text === '$(pwd)'

/** `$(git rev-parse …)`, `$(nproc)`: prints a hash, a branch name or a count, so one word that is not an option. */
const isSingleWordSubstitution = (part: WordPart): boolean =>
  part.type === 'CommandExpansion' &&
  /^\$\((nproc|git (merge-base|rev-parse)( --short| --verify| --abbrev-ref)*( [\w@][\w./@^~{}-]*)+)\)$/.test(part.text)

type VariablePart = Extract<WordPart, { type: 'SimpleExpansion' | 'ParameterExpansion' }>

/** In zsh, `$x[2,4]` and `$x:t` select a part of the value. */
const ZSH_MODIFIER = /^(?:\[|:[a-zA-Z&])/

function variableValue(
  part: VariablePart,
  scope: ShellScope,
  pending: SyntaxNode[],
  next: { readonly text: string } | undefined,
): string | null {
  if (part.type === 'SimpleExpansion')
    return ZSH_MODIFIER.test(next?.text ?? '') ? null : lookupVariable(scope, part.text.slice(1))
  const plain = part.operation === undefined && part.prefix === undefined && part.index === undefined
  if (plain) return lookupVariable(scope, part.parameter)
  deferEvaluation(part, scope, pending)
  return null
}

/** Values that a loop, an array or `set --` may have given the variable. */
function possibleValuesIn(part: VariablePart, scope: ShellScope): readonly string[] {
  if (part.type === 'SimpleExpansion') return possibleValuesOf(scope, part.text.slice(1))
  const isValue = part.prefix === undefined && (part.operation === undefined || part.operation.type === 'Default')
  return isValue ? possibleValuesOf(scope, part.parameter) : []
}

/** Splits an unquoted value at white space, unless `whole` is set. Wildcards in the value count. */
function splitValue(
  value: string | null,
  fields: WordField[],
  args: Arg[],
  whole: boolean,
  possible: readonly string[] = [],
): WordField[] {
  if (value === null || whole || !/[ \t\n]/.test(value)) {
    for (const field of fields) {
      if (value !== null) noteWild(field, value)
      substituteValue(field, value, true, true, possible)
    }
    return fields
  }
  let current = fields
  const pieces = value.split(/[ \t\n]+/)
  pieces.forEach((piece, index) => {
    if (index > 0) {
      for (const field of current) finishField(field, args)
      current = [createField()]
    }
    if (piece === '') return
    for (const field of current) {
      noteWild(field, piece)
      appendText(field, piece)
    }
  })
  return current
}

/** Marks wildcards. A word that begins with a wildcard may match any file name, also `-option`. */
function noteWild(field: WordField, next: string): void {
  if (!/[*?[]/.test(next)) return
  field.glob = true
  if (field.text === '' && /^[*?[]/.test(next)) field.loose = true
}

function appendText(field: WordField, text: string): void {
  field.text += text
  field.alternatives = field.alternatives?.map(alternative => alternative + text)
  field.started = true
}

function markUnexpandedBraces(field: WordField): void {
  const { braces } = field
  markUnknown(field, true)
  field.braces = braces === 'unknown' ? braces : true
  field.text += '*'
}

function markUnknown(field: WordField, loose: boolean, several = loose): void {
  field.head ??= field.text
  field.alternatives = undefined
  field.braces = 'unknown'
  field.loose ||= loose
  field.several ||= several
  field.started = true
}

const MAX_ALTERNATIVES = 64

function substituteValue(
  field: WordField,
  value: string | null,
  loose: boolean,
  several: boolean,
  possible: readonly string[] = [],
): void {
  if (value === null) {
    const before = field.head === undefined ? [field.text] : (field.alternatives ?? [])
    markUnknown(field, loose, several)
    const all = before.flatMap(one => possible.map(next => one + next))
    if (all.length > 0) field.alternatives = all.slice(0, MAX_ALTERNATIVES)
    return
  }
  if (value === '') return
  const folder = value === '~' || value === '.'
  if (folder && field.text !== '' && !/[=@<]$|^file:\/\/$/i.test(field.text)) {
    markUnknown(field, false)
    return
  }
  appendText(field, value)
  if (folder) field.mark = field.text.length
}

function finishField(field: WordField, args: Arg[]): void {
  if (!field.started) return
  const { text, glob, loose, several, pipe } = field
  const misplaced = field.mark !== -1 && text.length > field.mark && text[field.mark] !== '/'
  if (field.head === undefined && !misplaced) args.push({ text, head: text, glob, loose })
  else {
    const unknown = { text: null, head: field.head ?? '', glob, loose, several, pipe }
    const patterns = field.braces === true ? [text] : field.alternatives?.flatMap(withoutIndex)
    args.push({ ...unknown, ...(field.braces !== true && { known: text }), ...(patterns && { patterns }) })
  }
}

/** In zsh, `$a[1]` is one element of the array, so the text without the index is possible too. */
const withoutIndex = (text: string): readonly string[] =>
  /[^[]\[[-\w@*,]+\]$/.test(text) ? [text, text.slice(0, text.lastIndexOf('['))] : [text]
