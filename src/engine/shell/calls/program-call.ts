import type { PathRef } from '../../match/path-ref.ts'
import type { Action } from '../../model/action.ts'
import { opaqueAction } from '../interpreter/effect-collector.ts'
import { resolvePaths } from '../scope/path-resolution.ts'
import type { ShellScope } from '../scope/scope.ts'
import type { Arg } from './argument.ts'
import type { ParsedCommandLine, ParsedOption } from './parse-command-line.ts'

export type Assignments = Readonly<Record<string, string | null>>

/** A command that a program runs in turn. */
export interface InnerCommand {
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
export interface ProgramCall {
  readonly program: string
  /** program first */
  readonly args: readonly Arg[]
  readonly line: ParsedCommandLine
  assigns: Assignments | undefined
  readonly scope: ShellScope
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
  readonly acts: Action[]
  readonly inner: InnerCommand[]
}

type FileActionKind = 'read' | 'write' | 'delete'

/** Adds an act for each file the argument may name. */
export function addFileAction(
  call: ProgramCall,
  action: FileActionKind,
  arg: Arg | undefined,
  more: Pick<PathRef, 'whole' | 'named'> = {},
): void {
  const files = arg === undefined || arg.text === '-' ? [] : resolvePaths(arg, call.scope, action)
  // a device, or a descriptor without a file behind it
  const isNothing = arg?.text?.startsWith('/') === true && files.length === 0
  if (action !== 'read' && !isNothing) call.onlyReads = false
  for (const place of files) call.acts.push({ action, place: { ...place, ...more }, via: call.via })
}

/** Writes a folder with all that is below it. The folder one is in is left out: that is what most commands are about. */
export function addFolderWrite(call: ProgramCall, arg: Arg | undefined): void {
  // one that the line has gone down into is named by it
  const isDeeper =
    arg?.text !== null && call.scope.cwds.some(cwd => cwd !== null && /^(?!\.{0,2}(\/|$))[^/~]/.test(cwd))
  const here = /^(\.{0,2}\/?|:\/)$/.test(arg?.text ?? '') && !(isDeeper && /^\.?\/?$/.test(arg?.text ?? ''))
  addFileAction(call, 'write', arg, here ? {} : { whole: true })
}

export function addFileActions(call: ProgramCall, action: FileActionKind, args: readonly Arg[]): void {
  for (const arg of args) addFileAction(call, action, arg)
}

/** Something that cannot be told happens. */
export function addOpaqueAction(call: ProgramCall): void {
  call.onlyReads = false
  if (call.obscured) return
  call.obscured = true
  call.acts.push(opaqueAction(call.via))
}

const KNOWN_HOST = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+|[\w-]+(?:\.[\w-]+)+)[/?#]/i

/** Where only the end of a URL cannot be told, its beginning can still be matched; the rest may lead anywhere on the host. */
export function addFetchAction(call: ProgramCall, arg: Arg): void {
  call.onlyReads = false
  const { text, head } = arg
  if (text === null && KNOWN_HOST.test(head)) call.acts.push({ action: 'fetch', url: `${head}…`, via: call.via })
  call.acts.push({ action: 'fetch', url: text, via: call.via })
}

export const findOption = (call: ProgramCall, names: string): ParsedOption | undefined => {
  const wanted = names.split(' ')
  return call.line.options.find(option => wanted.some(name => isOptionNamed(option, name)))
}

/** A long option that is not another one may be this one cut short. */
export const isOptionNamed = ({ name, kind }: ParsedOption, wanted: string): boolean =>
  name === wanted ||
  (kind === undefined && name.length > 2 && name.startsWith('--') && wanted.startsWith(name) && wanted !== '--')

export const hasOption = (call: ProgramCall, names: string): boolean => findOption(call, names) !== undefined
