import {
  type CommandMatcher,
  type FieldPattern,
  type PathPattern,
  parseCommand,
  parsePath,
  type TextPattern,
} from '../../../engine/index.ts'
import { didYouMean } from '../../../lib/did-you-mean.ts'
import { type CompileContext, type DocumentKey, reportError, toList } from '../context.ts'
import { warnOfCommandList } from '../warnings/command-list.ts'
import { warnOfCommandSyntax, warnOfWordSyntax } from '../warnings/command-syntax.ts'
import { warnOfToolSyntax } from '../warnings/matcher-syntax.ts'
import { warnOfPathSyntax } from '../warnings/path-syntax.ts'
import { checkToolName } from '../warnings/permission-syntax.ts'
import { warnOfTextSyntax } from '../warnings/text-syntax.ts'
import { checkRegex } from './regex.ts'
import { resolveCaptures } from './variables.ts'

export const BUILT_IN_SETS = [
  'policy',
  'store',
  'key',
  'registrations',
  'registrations-below',
  'trusted-scripts',
  'secrets',
  'bypass-env',
  'project',
  'reading',
]
const PATH_SETS = BUILT_IN_SETS.filter(name => name !== 'bypass-env' && name !== 'reading')

/** Parses a value that is exactly `$name`. Upper-case names such as `$HOME` belong to the shell. */
export const parseSetName = (value: string): string | undefined => /^\$([a-z][a-z0-9-]*)$/.exec(value)?.[1]

/** Yields each item with its source location. */
export function* eachItem<T>(
  holder: object,
  key: DocumentKey,
  value: T | readonly T[] | undefined,
): Generator<[T, object, DocumentKey]> {
  if (Array.isArray(value)) for (const [index, item] of toList(value).entries()) yield [item, value, index]
  else for (const item of toList(value)) yield [item, holder, key]
}

/** The members of `$name`, if that set is valid here. Otherwise reports an error and returns nothing. */
function membersOfSet(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  name: string,
  here: readonly string[],
): readonly string[] {
  const given = context.input.sets[name] ?? []
  if (here.includes(name)) {
    const all =
      name === 'bypass-env' ? [...new Set([...given, ...context.names.flatMap(gate => gate.bypassedBy)])] : given
    context.notes.limits?.spend('values', all.length)
    return all
  }
  const message = BUILT_IN_SETS.includes(name) ? `\`$${name}\` cannot be used here` : `unknown set \`$${name}\``
  reportError(context, holder, key, message, {
    help: didYouMean(
      `$${name}`,
      here.map(text => `$${text}`),
    ),
  })
  return []
}

export function compilePaths(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  value: string | readonly string[],
  /** a folder without its slash means its content */
  isPrefix = false,
): readonly PathPattern[] {
  const base = { root: context.input.root, home: context.input.home }
  return [...eachItem(holder, key, value)].flatMap(([item, inner, name]) => {
    const set = parseSetName(item)
    if (set === undefined) warnOfPathSyntax(context, inner, name, item, isPrefix)
    const written = set === undefined ? [item] : membersOfSet(context, inner, name, set, PATH_SETS)
    return written.map(path => parsePath(path, base))
  })
}

export function compileCommands(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  value: string | readonly string[],
): readonly CommandMatcher[] {
  warnOfCommandList(context, holder, key, value)
  return [...eachItem(holder, key, value)].flatMap(([item, inner, name]): CommandMatcher[] => {
    const set = parseSetName(item)
    if (set === 'reading') return [{ reading: true }]
    if (set !== undefined) membersOfSet(context, inner, name, set, ['reading'])
    const pattern = set === undefined ? parseCommand(item) : null
    if (pattern) warnOfCommandSyntax(context, inner, name, item)
    else if (set === undefined) reportError(context, inner, name, `\`${item}\` is not a command`)
    return pattern ? [pattern] : []
  })
}

type ValueDoc = string | number | boolean | { regex: string }

/** `gate` is the compiled id of the gate that the condition belongs to. */
export function compileTexts(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  value: ValueDoc | readonly ValueDoc[],
  gate: string,
  how: 'contains' | 'equals' | 'words' = 'equals',
): readonly TextPattern[] {
  return [...eachItem(holder, key, value)].flatMap(([item, inner, name]): TextPattern[] => {
    if (typeof item === 'object') return checkRegex(context, item, 'regex', item.regex) ? [{ regex: item.regex }] : []
    const text = String(item)
    const set = parseSetName(text)
    if (set !== undefined) membersOfSet(context, inner, name, set, [])
    else if (how === 'words') warnOfWordSyntax(context, inner, name, text)
    else if (typeof item === 'string') warnOfTextSyntax(context, inner, name, item, how, String(key))
    return [{ is: resolveCaptures(context, inner, name, text, gate) }]
  })
}

type FieldsDoc = Readonly<Record<string, ValueDoc | readonly ValueDoc[]>>

export const compileFields = (context: CompileContext, doc: FieldsDoc, gate: string): readonly FieldPattern[] =>
  Object.entries(doc).map(([field, value]) => ({ field, in: compileTexts(context, doc, field, value, gate) }))

/** Compiles names of variables, which can include `$bypass-env`. */
export function compileVariableNames(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  value: string | readonly string[],
): readonly string[] {
  return [...eachItem(holder, key, value)].flatMap(([item, inner, name]) => {
    const set = parseSetName(item)
    return set === undefined ? [item] : membersOfSet(context, inner, name, set, ['bypass-env'])
  })
}

/** Returns each tool name as written, and its canonical name if a client has its own name for the tool. */
export function compileTools(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  value: string | readonly string[],
): readonly string[] {
  const { toolNames } = context.input
  return [...eachItem(holder, key, value)].flatMap(([item, inner, name]) => {
    const set = parseSetName(item)
    if (set !== undefined) return membersOfSet(context, inner, name, set, [])
    if (!checkToolName(context, inner, name, item)) return []
    warnOfToolSyntax(context, inner, name, item)
    const own = Object.keys(toolNames).find(tool => tool.toLowerCase() === item.toLowerCase())
    const canonical = own === undefined ? undefined : toolNames[own]
    return canonical === undefined || canonical === item ? [item] : [item, canonical]
  })
}
