import { isSystemProgram } from '../../match/command.ts'
import type { PathRef } from '../../match/path-ref.ts'
import type { Action } from '../../model/event.ts'
import { opaqueAction } from '../interpreter/effect-collector.ts'
import type { PipelinePosition } from '../interpreter/pipeline-position.ts'
import { resolveArgumentPaths } from '../scope/path-resolution.ts'
import type { ShellScope } from '../scope/shell-scope.ts'
import { ASSIGNING_PROGRAMS, persistentAssignmentsOf } from '../scope/variable-risk.ts'
import type { Arg, Assignments } from './argument.ts'
import {
  type OptionKind,
  type OptionKinds,
  type ParsedCommandLine,
  type ParsedOption,
  singleDashKinds,
} from './parse-command-line.ts'

/** A word in the name of an option whose value is a command. */
export const NAMES_COMMAND =
  /cmd|command|exec|hook|invoke|logger|program|pack|rsh|httpd|wrapper|helper|pager|editor|shell/i

/** A command that a program runs, such as the command behind `env` or `timeout`. */
export interface InnerCommand {
  /** the command as words, or as the text of a script (null if unknown) */
  readonly run:
    | readonly Arg[]
    | {
        readonly script: string | null
        readonly errexit?: boolean
        readonly pipefail?: boolean
        /** options that the shell starts with; null if unknown */
        readonly options?: readonly (string | null)[]
      }
  /** the program's exit status is the command's */
  readonly keeps?: boolean
  /** runs later in this shell, when an event such as a signal occurs */
  readonly later?: boolean
  /** runs in this shell, so `cd` and assignments persist */
  readonly shares?: boolean
  /** found in a text that cannot be read as a whole: it counts beside the doubt, and nothing else depends on it */
  readonly aside?: boolean
  /** the program prints a signed attestation of the command's exit status */
  readonly attested?: boolean
  /** `unknown`: it starts in an unknown folder. `elsewhere`: on another machine or in a container, so its files are not those here */
  readonly place?: 'unknown' | 'elsewhere'
}

/** One program call, and what its program description adds to it. */
export interface ProgramCall {
  readonly program: string
  /** the program comes first */
  readonly args: readonly Arg[]
  readonly line: ParsedCommandLine
  assigns: Assignments | undefined
  readonly scope: ShellScope
  readonly via: string
  /** text on standard input; null if unknown, undefined if there is no input */
  readonly stdin: string | null | undefined
  /** another command of the line wrote that text */
  readonly piped: boolean
  /** number of leading words that belong to the program itself, if the rest is a command it runs */
  own: number | undefined
  /** with these words the program succeeds without doing its work */
  idle: boolean
  onlyReads: boolean
  /** with these words the program runs other code than its name suggests */
  altered: boolean
  /** the file whose code it runs, or from where else the code comes: standard input, or the output of a command in its words */
  code: Arg | 'input' | 'words' | undefined
  /** an opaque action was already added */
  obscured: boolean
  readonly acts: Action[]
  readonly inner: InnerCommand[]
}

type FileActionKind = 'read' | 'write' | 'delete'

/** Adds an action for each file the argument may name. */
export function addFileAction(
  call: ProgramCall,
  action: FileActionKind,
  arg: Arg | undefined,
  more: Pick<PathRef, 'whole' | 'named'> = {},
): void {
  const files = arg === undefined || arg.text === '-' ? [] : resolveArgumentPaths(arg, call.scope, action)
  // a device, or a descriptor without a file behind it
  const isNothing = arg?.text?.startsWith('/') === true && files.length === 0
  if (action !== 'read' && !isNothing) call.onlyReads = false
  for (const place of files) call.acts.push({ action, place: { ...more, ...place }, via: call.via })
}

/** Writes a folder with everything below it. The current folder counts without its content, because most commands work on it. */
export function addFolderWrite(call: ProgramCall, arg: Arg | undefined): void {
  // if the line changed into a subfolder, that folder counts as named
  const isDeeper =
    arg?.text !== null && call.scope.cwds.some(cwd => cwd !== null && /^(?!\.{0,2}(\/|$))[^/~]/.test(cwd))
  const here = /^(\.{1,2}\/?|:\/)?$/.test(arg?.text ?? '') && !(isDeeper && /^\.?\/?$/.test(arg?.text ?? ''))
  addFileAction(call, 'write', arg, here ? {} : { whole: true })
}

export function addFileActions(call: ProgramCall, action: FileActionKind, args: readonly Arg[]): void {
  for (const arg of args) addFileAction(call, action, arg)
}

/** Where the code comes from that a program reads from this file: `<(curl …)` is the output of a command. */
export const codeIn = (file: Arg | undefined): ProgramCall['code'] => (file?.pipe ? 'words' : file)

/** Adds an opaque action: the effect of the call is unknown. */
export function addOpaqueAction(call: ProgramCall): void {
  call.onlyReads = false
  if (call.obscured) return
  call.obscured = true
  call.acts.push(opaqueAction(call.via))
}

const KNOWN_HOST = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+|[\w-]+(?:\.[\w-]+)+)[/?#]/i

/** If only the end of a URL is unknown, its beginning can still be matched. A second fetch stands for any URL on the host. */
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

/** A long option without a kind may be an abbreviation of the wanted one. */
export const isOptionNamed = ({ name, kind }: ParsedOption, wanted: string): boolean =>
  name === wanted ||
  (kind === undefined && name.length > 2 && name.startsWith('--') && wanted.startsWith(name) && wanted !== '--')

export const hasOption = (call: ProgramCall, names: string): boolean => findOption(call, names) !== undefined

/** How a program interprets its words. Option lists are written as in a manual: `-o --output`. */
export interface ProgramDescription {
  /** long options may have one dash or several: `-prefix=x` is `--prefix=x` */
  readonly oneDash?: boolean
  /** options without a value */
  readonly flags?: string
  /** options with a harmless value */
  readonly values?: string
  /** options whose value is a file that is read */
  readonly reads?: string
  /** options whose value is a file that is written */
  readonly writes?: string
  /** options whose value is code or names a program */
  readonly runs?: string
  /** options without a value that run code */
  readonly risks?: string
  /** options without a value that make the program do more than read */
  readonly alters?: string
  /** the action on the files that the operands name */
  readonly operands?: 'read' | 'write' | 'delete'
  /** with one of these options the program reads everything below the operands; empty: always */
  readonly recursive?: string
  /** number of leading operands that are not files … */
  readonly skip?: number
  /** … unless one of these options is given */
  readonly skipUnless?: string
  /** the program only reads, unless an option says otherwise */
  readonly onlyReads?: boolean
  /** `special` can make a read-only program do more, so an unknown word can too */
  readonly harmful?: boolean
  /** handles what the option lists cannot express */
  readonly special?: (call: ProgramCall) => void
  /** words that this description does not explain may name a command, as with a program without a description */
  readonly guesses?: boolean
  /** options valid after the subcommand */
  readonly inner?: (name: string) => OptionKinds | undefined
}

/** One entry for each of the names, all with the same value. */
export const forNames = <T>(names: string, value: T): Readonly<Record<string, T>> =>
  Object.fromEntries(names.split(' ').map(name => [name, value]))

const KIND_OF_LIST: readonly (readonly [keyof ProgramDescription & string, OptionKind])[] = [
  ['flags', 'flag'],
  ['values', 'value'],
  ['reads', 'read'],
  ['writes', 'write'],
  ['runs', 'run'],
  ['risks', 'risk'],
  ['alters', 'alter'],
]

const kindsCache = new WeakMap<ProgramDescription, OptionKinds>()

export function optionKindsOf(description: ProgramDescription): OptionKinds {
  const cached = kindsCache.get(description)
  if (cached !== undefined) return cached
  const kinds = new Map<string, OptionKind>()
  for (const [key, kind] of KIND_OF_LIST) {
    const list = description[key]
    if (typeof list === 'string') for (const name of list.split(' ')) kinds.set(name, kind)
  }
  kindsCache.set(description, kinds)
  if (description.oneDash) singleDashKinds.add(kinds)
  return kinds
}

/** True if some option can make the program do more than read. */
const canDoMoreThanRead = (description: ProgramDescription): boolean =>
  description.harmful === true ||
  description.writes !== undefined ||
  description.runs !== undefined ||
  description.risks !== undefined ||
  description.alters !== undefined

/** Options that name a target, in programs that are described by their operands. */
const TARGET_OPTION = /^(-[tofOCdPD]|--(target-directory|directory|output|output-dir|output-document|file))$/

/** `sort -o"$x" f`: if the variable is empty, the next word names the file that is written. */
function addWriteBehind(call: ProgramCall, word: string, next: Arg | undefined): void {
  const name = word.startsWith('--') ? word : `-${word.at(-1)}`
  const kind = findOption(call, name)?.kind
  if (next !== undefined && (kind === 'write' || (kind === 'value' && !call.onlyReads && TARGET_OPTION.test(name))))
    addFolderWrite(call, next)
}

/** Adds the effects that the program's description gives for these words to the call. */
export function applyDescription(call: ProgramCall, description: ProgramDescription): void {
  call.onlyReads = description.onlyReads === true
  description.special?.(call)
  for (const { kind, value } of call.line.options) {
    if (kind === 'read' || kind === 'write') addFileAction(call, kind, value)
    else if (kind === 'run' || kind === 'risk') addOpaqueAction(call)
    else if (kind === 'alter') call.onlyReads = false
  }
  if (description.operands !== undefined) {
    const skip = description.skip ?? 0
    const skipped =
      skip > 0 && (description.skipUnless === undefined || !hasOption(call, description.skipUnless)) ? skip : 0
    const { operands } = call.line
    const { recursive } = description
    const whole = recursive === '' || (recursive !== undefined && hasOption(call, recursive)) ? { whole: true } : {}
    for (let at = skipped; at < operands.length; at += 1) addFileAction(call, description.operands, operands[at], whole)
  }
  call.args.forEach((arg, at) => {
    if (arg.text === null && arg.known?.startsWith('-')) addWriteBehind(call, arg.known, call.args[at + 1])
  })
  // an unknown word may be `--output=f`
  if (call.onlyReads && canDoMoreThanRead(description) && call.line.hidesOption) call.onlyReads = false
}

/** True for `npx tool`, `npm exec tool`, `pnpm dlx tool`: the tool may also be a program of the system, such as git. */
export const isPackageRunner = ({ program, line }: ProgramCall): boolean =>
  /^(np|bun)x$/.test(program) ||
  (/^(p?npm|yarn|bun)$/.test(program) && /^(exec|x|dlx|explore)$/.test(line.operands[0]?.text ?? ''))

/** Does the action take something from the network, or pass on what another one took from there? */
const isFetch = ({ action, fetched }: Action): boolean => action === 'fetch' || fetched === true

export const hasFetch = (acts: readonly Action[], from: number): boolean => {
  for (let at = from; at < acts.length; at += 1) if (isFetch(acts[at] as Action)) return true
  return false
}

/** Does the program itself take something from the network? What `git clone` writes comes from there. */
export const isFetching = ({ program, line, acts }: ProgramCall): boolean =>
  acts.some(isFetch) || (program === 'git' && line.operands[0]?.text === 'clone')

export type ActionDraft = { -readonly [K in keyof Action]: Action[K] }

/** Notes on the `run` action where its code comes from: a file, or a fetch in the same line. */
export function noteCode(run: ActionDraft, { code, args, scope }: ProgramCall, from: PipelinePosition): void {
  if (code === 'input') {
    // `sh < <(curl …)` and a heredoc with `$(curl …)` have an unknown text and no file
    const isOwn = from.stdin === null && from.piped !== true && from.inputFile === undefined
    if (from.fetched || (isOwn && from.words)) run.fetched = true
    if (from.inputFile) run.script = from.inputFile
    return
  }
  if (code === 'words') {
    if (from.words) run.fetched = true
    return
  }
  const [program] = args
  const file = code ?? (program?.text?.includes('/') && !isSystemProgram(program.text) ? program : undefined)
  const places = file === undefined ? [] : resolveArgumentPaths(file, scope, 'read')
  if (places.length > 0) run.script = places.length === 1 && places[0] ? places[0] : { lexical: null }
}

/** Marks files whose content comes from a fetch: `curl -o f`, `curl … > f`, `curl … | tee f`. */
export const asDownload = (act: Action): Action => (act.action === 'write' ? { ...act, fetched: true } : act)

/** Whether some text of the call is not read, and may say by itself what it does. */
export const isObscure = ({ obscured, inner }: ProgramCall): boolean =>
  obscured || inner.some(({ run }) => 'script' in run && run.script === null)

/** The assignments in front of the command, and those that it makes through its words. */
export function allAssignmentsOf({ program, args, via, assigns }: ProgramCall): ProgramCall['assigns'] {
  const mayAssign = ASSIGNING_PROGRAMS.has(program) || via.includes('=')
  const set = mayAssign ? persistentAssignmentsOf(program, args, via) : undefined
  return set === undefined ? assigns : { ...set, ...assigns }
}
