import type { SettingsSyntax, SettingType } from '../../../clients/settings.ts'
import { nodeAt, UnfitFileError } from './edit-jsonc.ts'
import { type JsoncNode, parseJsonc, skipBlanks } from './jsonc.ts'

/** JSON that we can parse but the agent cannot: it would ignore the whole file. `at` is the offset. */
export class UnloadableSettingsError extends UnfitFileError {
  constructor(
    message: string,
    readonly at: number,
    readonly help: string,
  ) {
    super(message)
  }
}

export interface UnsupportedSyntax {
  readonly at: number
  /** follows `has` */
  readonly what: string
}

/** The first thing in the text that the agent's own parser rejects. The text must be readable by `parseJsonc`. */
export function findUnsupportedSyntax(text: string, reads: SettingsSyntax): UnsupportedSyntax | undefined {
  if (isBlankText(text)) return undefined
  // throws a syntax error for text that is not JSON at all
  parseJsonc(text)
  return findUnsupportedToken(text, reads) ?? findWrongType(text, reads)
}

/** Throws if the agent would not load the file. */
export function assertLoadable(text: string, reads: SettingsSyntax, title: string): void {
  const refused = findUnsupportedSyntax(text, reads)
  if (!refused) return
  throw new UnloadableSettingsError(
    `has ${refused.what}, and ${title} does not load such a file`,
    refused.at,
    `${refused.what.startsWith('`') ? 'fix it' : 'remove it'} and run this command again`,
  )
}

const isBlankText = (text: string): boolean => text.replace(/^\ufeff/, '').trim() === ''

/** Strings are skipped; no parser accepts whitespace that JSON does not define. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,|[^\S \t\r\n]/g

function findUnsupportedToken(
  text: string,
  { comments, trailingCommas, byteOrderMark }: SettingsSyntax,
): UnsupportedSyntax | undefined {
  for (const { 0: found, index: at } of text.matchAll(TOKENS)) {
    if (found.startsWith('"')) continue
    if (found.startsWith('/')) {
      if (!comments) return { at, what: 'a comment' }
    } else if (found === ',') {
      if (!trailingCommas && /[\]}]/.test(text[skipBlanks(text, at + 1)] ?? '')) return { at, what: 'a trailing comma' }
    } else if (found === '\ufeff' && at === 0) {
      if (!byteOrderMark) return { at, what: 'a byte order mark' }
    } else return { at, what: 'a space character that JSON does not allow' }
  }
  return undefined
}

function findWrongType(text: string, { wants = {} }: SettingsSyntax): UnsupportedSyntax | undefined {
  const root = parseJsonc(text)
  for (const [path, type] of Object.entries(wants)) {
    const part = nodeAt(root, path.split('.'))
    if (part && !hasExpectedType(part, type))
      return { at: part.from, what: `\`${path}\` that is ${describeWrongType(type)}` }
  }
  return undefined
}

const describeWrongType = (type: SettingType): string =>
  typeof type === 'string'
    ? type === 'switch'
      ? 'neither true nor false'
      : `no ${type}`
    : `none of ${type.join(', ')}`

function hasExpectedType(part: JsoncNode, type: SettingType): boolean {
  if (part.kind !== 'leaf') return part.kind === type
  // how the agent treats null is not tested
  if (part.value === null) return true
  if (typeof type !== 'string') return type.includes(String(part.value))
  return typeof part.value === (type === 'text' ? 'string' : type === 'switch' ? 'boolean' : type)
}
