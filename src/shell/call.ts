import type { Act } from '../core/index.ts'
import type { Place } from '../pattern/index.ts'
import type { Arg } from './arg.ts'
import type { Line, Option } from './options.ts'
import { places } from './place.ts'
import { opaque } from './reading.ts'
import type { Scope } from './scope.ts'

export type Assigns = Readonly<Record<string, string | null>>

/** A command that a program runs in turn. */
export interface Inner {
  /** as words, or as the text of a script (null when it cannot be told) */
  readonly run:
    | readonly Arg[]
    | { readonly script: string | null; readonly errexit?: boolean; readonly pipefail?: boolean }
  /** the program's status is that of the command */
  readonly keeps?: boolean
  /** runs when something happens, in this shell */
  readonly later?: boolean
  /** runs in this shell, so `cd` and variables last */
  readonly shares?: boolean
  /** the program says by itself, and signs it, how the command ended */
  readonly witnessed?: boolean
}

/** One program being called, and what the table finds out about it. */
export interface Call {
  readonly program: string
  /** program first */
  readonly args: readonly Arg[]
  readonly line: Line
  assigns: Assigns | undefined
  readonly scope: Scope
  readonly via: string
  /** text known to come in on standard input; null when it cannot be told, undefined when nothing does */
  readonly stdin: string | null | undefined
  /** that text was written by another command of the line */
  readonly piped: boolean
  /** how many of the words are the program's own, where the rest is a command it runs */
  own: number | undefined
  /** with these words it succeeds without doing what they say */
  idle: boolean
  onlyReads: boolean
  /** with these words it runs other code than its name says */
  altered: boolean
  /** an opaque act was added */
  obscured: boolean
  readonly acts: Act[]
  readonly inner: Inner[]
}

type Doing = 'read' | 'write' | 'delete'

/** Adds an act for each file the argument may name. */
export function touch(
  call: Call,
  action: Doing,
  arg: Arg | undefined,
  more: Pick<Place, 'whole' | 'named'> = {},
): void {
  const files = arg === undefined || arg.text === '-' ? [] : places(arg, call.scope, action)
  // a device, or a descriptor without a file behind it
  const isNothing = arg?.text?.startsWith('/') === true && files.length === 0
  if (action !== 'read' && !isNothing) call.onlyReads = false
  for (const place of files) call.acts.push({ action, place: { ...place, ...more }, via: call.via })
}

/** Writes a folder with all that is below it. The folder one is in is left out: that is what most commands are about. */
export function touchWhole(call: Call, arg: Arg | undefined): void {
  // one that the line has gone down into is named by it
  const isDeeper =
    arg?.text !== null && call.scope.cwds.some(cwd => cwd !== null && /^(?!\.{0,2}(\/|$))[^/~]/.test(cwd))
  const here = /^(\.{0,2}\/?|:\/)$/.test(arg?.text ?? '') && !(isDeeper && /^\.?\/?$/.test(arg?.text ?? ''))
  touch(call, 'write', arg, here ? {} : { whole: true })
}

export function touchAll(call: Call, action: Doing, args: readonly Arg[]): void {
  for (const arg of args) touch(call, action, arg)
}

/** Something that cannot be told happens. */
export function obscure(call: Call): void {
  call.onlyReads = false
  if (call.obscured) return
  call.obscured = true
  call.acts.push(opaque(call.via))
}

const HOST_KNOWN = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+|[\w-]+(?:\.[\w-]+)+)[/?#]/i

/** Where only the end of a URL cannot be told, its beginning can still be matched; the rest may lead anywhere on the host. */
export function fetchUrl(call: Call, arg: Arg): void {
  call.onlyReads = false
  const { text, head } = arg
  if (text === null && HOST_KNOWN.test(head)) call.acts.push({ action: 'fetch', url: `${head}…`, via: call.via })
  call.acts.push({ action: 'fetch', url: text, via: call.via })
}

export const find = (call: Call, names: string): Option | undefined => {
  const wanted = names.split(' ')
  return call.line.options.find(option => wanted.some(name => isNamed(option, name)))
}

/** A long option that is not another one may be this one cut short. */
export const isNamed = ({ name, kind }: Option, wanted: string): boolean =>
  name === wanted ||
  (kind === undefined && name.length > 2 && name.startsWith('--') && wanted.startsWith(name) && wanted !== '--')

export const has = (call: Call, names: string): boolean => find(call, names) !== undefined
