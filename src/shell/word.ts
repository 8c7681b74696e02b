import type { DoubleQuotedChild, SyntaxNode, Word, WordPart } from 'unbash'
import { type Arg, literal } from './arg.ts'
import { braceAlternatives } from './brace.ts'
import { defer } from './evaluated.ts'
import { isQualifier } from './hidden.ts'
import { heldBy, lookup, type Scope } from './scope.ts'

/** A word being put together. */
interface Field {
  text: string
  head: string | undefined
  glob: boolean
  loose: boolean
  several: boolean
  pipe: boolean
  /** braces that were not expanded, each a `*` in `text`; 'untold' where something else is unknown too */
  braces: boolean | 'untold'
  started: boolean
  /** all that it may be, where the values of some variables are not certain and nothing else is unknown */
  alternatives: readonly string[] | undefined
  /** where `~` or `.` put in for a variable ends: only a slash may follow */
  mark: number
}

const newField = (): Field => ({
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
 * Adds the arguments a word becomes (none, one or several) to `args`,
 * and the parts that run commands of their own to `pending`.
 */
export function readWord(word: Word, scope: Scope, args: Arg[], pending: SyntaxNode[]): void {
  const parts = word.parts
  const only = parts?.length === 1 ? parts[0] : undefined
  if (parts === undefined) args.push(literal(word.value))
  else if (only?.type === 'SingleQuoted') args.push(literal(only.value))
  else readParts(parts, scope, args, pending)
}

/** The value of a word that is not split (an assignment, a redirect target); null when it cannot be told. */
export function readWhole(word: Word, scope: Scope, pending: SyntaxNode[]): Arg {
  const args: Arg[] = []
  readWord(word, scope, args, pending)
  const [only] = args
  if (only !== undefined && args.length === 1) return only
  return args.length === 0 ? literal('') : { text: null, head: '', glob: false, loose: false }
}

function readParts(parts: readonly WordPart[], scope: Scope, args: Arg[], pending: SyntaxNode[]): void {
  let fields: Field[] = [newField()]
  for (const [at, part] of parts.entries()) {
    if (part.type === 'BraceExpansion') fields = readBrace(part, scope, fields, pending)
    else fields = readPart(part, scope, fields, args, pending, parts[at + 1])
  }
  for (const field of fields) finish(field, args)
}

function readBrace(part: WordPart, scope: Scope, fields: Field[], pending: SyntaxNode[]): Field[] {
  const { text } = part
  const alternatives = braceAlternatives(text)
  if (alternatives === undefined || alternatives.length * fields.length > 64) {
    defer(part, scope, pending)
    for (const field of fields) hideBraces(field)
    return fields
  }
  const wild = /[*?[]/.test(text)
  return fields.flatMap(field =>
    alternatives.map(text => {
      const copy = { ...field, glob: field.glob || wild }
      append(copy, text)
      return copy
    }),
  )
}

function readPart(
  part: WordPart,
  scope: Scope,
  fields: Field[],
  args: Arg[],
  pending: SyntaxNode[],
  next: WordPart | undefined,
): Field[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      for (const field of fields) append(field, part.value)
      return fields
    case 'Glob':
    case 'ExtendedGlob':
      if (part.parts !== undefined) defer(part, scope, pending)
      if (part.type === 'ExtendedGlob' && isQualifier(part.pattern)) scope.tainted = true
      for (const field of fields) {
        if (field.text === '') field.loose = true
        append(field, part.type === 'Glob' ? part.value : part.text)
        field.glob = true
      }
      return fields
    case 'DoubleQuoted':
    case 'LocaleString':
      for (const [at, child] of part.parts.entries()) readQuoted(child, scope, fields, pending, part.parts[at + 1])
      for (const field of fields) field.started = true
      return fields
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return split(variableValue(part, scope, pending, next), fields, args, scope.whole, heldIn(part, scope))
    case 'ProcessSubstitution':
      defer(part, scope, pending)
      for (const field of fields) {
        hide(field, false)
        field.pipe = true
      }
      return fields
    default:
      defer(part, scope, pending)
      if (isPwd(part)) return split('.', fields, args, true)
      for (const field of fields) hide(field, part.type !== 'ArithmeticExpansion' && !isRevision(part))
      return fields
  }
}

function readQuoted(
  child: DoubleQuotedChild,
  scope: Scope,
  fields: Field[],
  pending: SyntaxNode[],
  next: DoubleQuotedChild | undefined,
): void {
  if (child.type === 'Literal') {
    for (const field of fields) append(field, child.value)
    return
  }
  const expansion = child.type === 'SimpleExpansion' || child.type === 'ParameterExpansion'
  const value = expansion ? variableValue(child, scope, pending, next) : isPwd(child) ? '.' : null
  if (!expansion) defer(child, scope, pending)
  // "$@" is several words even in quotes
  const several = /^\$\{?[@*]|^\$\{.*\[[@*]\]|^\$\{!.*[@*]\}/.test(child.text)
  const held = expansion ? heldIn(child, scope) : []
  for (const field of fields)
    substitute(field, value, several || (field.text === '' && !isRevision(child)), several, held)
}

const isPwd = (part: WordPart): boolean => part.type === 'CommandExpansion' && part.text === '$(pwd)'

/** A hash, the name of a branch or a count: one word, and no option. */
const isRevision = (part: WordPart): boolean =>
  part.type === 'CommandExpansion' &&
  /^\$\((nproc|git (merge-base|rev-parse)( --short| --verify| --abbrev-ref)*( [\w@][\w./@^~{}-]*)+)\)$/.test(part.text)

type Variable = Extract<WordPart, { type: 'SimpleExpansion' | 'ParameterExpansion' }>

/** `$x[2,4]` and `$x:t` are parts of the value to zsh. */
const CHANGED_BEHIND = /^(?:\[|:[a-zA-Z&])/

function variableValue(
  part: Variable,
  scope: Scope,
  pending: SyntaxNode[],
  next: { readonly text: string } | undefined,
): string | null {
  if (part.type === 'SimpleExpansion')
    return CHANGED_BEHIND.test(next?.text ?? '') ? null : lookup(scope, part.text.slice(1))
  const plain = part.operation === undefined && part.prefix === undefined && part.index === undefined
  if (plain) return lookup(scope, part.parameter)
  defer(part, scope, pending)
  return null
}

/** What a loop, a list or `set --` may have put there. */
function heldIn(part: Variable, scope: Scope): readonly string[] {
  if (part.type === 'SimpleExpansion') return heldBy(scope, part.text.slice(1))
  const isValue = part.prefix === undefined && (part.operation === undefined || part.operation.type === 'Default')
  return isValue ? heldBy(scope, part.parameter) : []
}

/** An unquoted value falls apart at white space, if it is not to be left whole, and its wildcards count. */
function split(
  value: string | null,
  fields: Field[],
  args: Arg[],
  whole: boolean,
  held: readonly string[] = [],
): Field[] {
  if (value === null || whole || !/[ \t\n]/.test(value)) {
    for (const field of fields) {
      if (value !== null) noteWild(field, value)
      substitute(field, value, true, true, held)
    }
    return fields
  }
  let current = fields
  const pieces = value.split(/[ \t\n]+/)
  pieces.forEach((piece, index) => {
    if (index > 0) {
      for (const field of current) finish(field, args)
      current = [newField()]
    }
    if (piece === '') return
    for (const field of current) {
      noteWild(field, piece)
      append(field, piece)
    }
  })
  return current
}

/** Where a word begins with a wildcard, so may any file. */
function noteWild(field: Field, next: string): void {
  if (!/[*?[]/.test(next)) return
  field.glob = true
  if (field.text === '' && /^[*?[]/.test(next)) field.loose = true
}

function append(field: Field, text: string): void {
  field.text += text
  field.alternatives = field.alternatives?.map(one => one + text)
  field.started = true
}

function hideBraces(field: Field): void {
  const { braces } = field
  hide(field, true)
  field.braces = braces === 'untold' ? braces : true
  field.text += '*'
}

function hide(field: Field, loose: boolean, several = loose): void {
  field.head ??= field.text
  field.alternatives = undefined
  field.braces = 'untold'
  field.loose ||= loose
  field.several ||= several
  field.started = true
}

const MOST_ALTERNATIVES = 64

function substitute(
  field: Field,
  value: string | null,
  loose: boolean,
  several: boolean,
  held: readonly string[] = [],
): void {
  if (value === null) {
    const before = field.head === undefined ? [field.text] : (field.alternatives ?? [])
    hide(field, loose, several)
    const all = before.flatMap(one => held.map(next => one + next))
    if (all.length > 0) field.alternatives = all.slice(0, MOST_ALTERNATIVES)
    return
  }
  if (value === '') return
  const folder = value === '~' || value === '.'
  if (folder && field.text !== '' && !field.text.endsWith('=')) {
    hide(field, false)
    return
  }
  append(field, value)
  if (folder) field.mark = field.text.length
}

function finish(field: Field, args: Arg[]): void {
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

/** `$a[1]` is one of the list to zsh. */
const withoutIndex = (text: string): readonly string[] =>
  /[^[]\[[-\w@*,]+\]$/.test(text) ? [text, text.slice(0, text.lastIndexOf('['))] : [text]
