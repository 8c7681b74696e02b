import { type Arg, argSuffix, literalArg, mayBeOption, scriptTextOf, UNKNOWN_ARG } from '../../calls/argument.ts'
import type { ProgramDescription } from '../../calls/program-call.ts'
import { addOpaqueAction, type InnerCommand, type ProgramCall } from '../../calls/program-call.ts'

/** How a wrapper program passes its words to another command. */
export interface WrapperSpec {
  readonly values?: string
  /** options whose value is a number: if it is missing, the next word is no command but an error */
  readonly numbers?: string
  readonly flags?: string
  /** options whose optional value is attached to them */
  readonly optional?: string
  /** number of words between the options and the command */
  readonly skip?: number
  /** the skipped words are numbers, never a command name; an option in their place is an error */
  readonly counts?: boolean
  /** the skipped words are optional; a word that does not match may be the command */
  readonly skipped?: RegExp
  /** `NAME=value` words may precede the command */
  readonly assigns?: boolean
  /** returns the command's exit status */
  readonly keeps?: boolean
  /** runs the command in this shell */
  readonly shares?: boolean
  /** appends words of its own to the command */
  readonly appends?: boolean
  /** does nothing except run the command */
  readonly pure?: boolean
  /** the words are joined to a shell line */
  readonly joins?: boolean
  /** options whose value is a whole shell line; the other words are then not a command … */
  readonly script?: string
  /** … and which may also stand behind the operands: all of them, or only where the command would begin */
  readonly trailing?: 'anywhere' | 'first'
  /** the words behind the shell line belong to its command: `env -S 'git commit' -m x` */
  readonly splits?: boolean
  /** if there is a `--`, the command begins behind it */
  readonly dashes?: boolean
  /** an option that is not described is no doubt if its value is attached to it: `--memory=1g` */
  readonly lenient?: boolean
  /** options that name the folder in which the command starts */
  readonly folder?: string
  /** where the command runs, as in `InnerCommand` */
  readonly place?: InnerCommand['place']
  readonly more?: (call: ProgramCall, given: readonly string[]) => void
}

/** Returns where the wrapped command begins, and which options were given. */
export function findCommandStart(
  call: ProgramCall,
  wrapping: WrapperSpec,
): { at: number; given: string[]; script: Arg | undefined } {
  const numbers = new Set(wrapping.numbers?.split(' '))
  const texts = new Set(wrapping.values?.split(' '))
  const values = new Set([...numbers, ...texts])
  const flags = new Set(wrapping.flags?.split(' '))
  const optional = new Set(wrapping.optional?.split(' '))
  const scripts = new Set(wrapping.script?.split(' '))
  const given: string[] = []
  let script: Arg | undefined
  let at = 1
  for (; at < call.args.length; at += 1) {
    const arg = call.args[at]
    const text = arg === undefined ? null : (arg.text ?? optionWithUnknownValue(arg, values))
    if (text === null || text === '--') break
    // `env -u"$x" ls`: if the variable is empty, `ls` is the value, and the command is a later word
    if (arg?.text === null && texts.has(arg.known ?? '')) addPossibleCommands(call, at, true)
    if (!text.startsWith('-') || (text === '-' && !flags.has('-'))) break
    const name = text.startsWith('--') ? text.replace(/=.*$/s, '') : text
    given.push(name)
    const scriptEnd = endOfScriptOption(text, name, scripts, flags)
    if (scriptEnd > 0) {
      const isNext = scriptEnd === text.length
      script = isNext ? call.args[at + 1] : literalArg(text.slice(scriptEnd).replace(/^=/, ''))
      if (isNext) at += 1
      if (!wrapping.splits) continue
      at += 1
      break
    } else if (values.has(name)) {
      if (text === name) at += 1
    } else if (!flags.has(name) && !optional.has(name) && !(wrapping.lenient && name !== text)) {
      const cluster = readCluster(text, values, flags, optional)
      if (cluster === 'value') at += 1
      if (cluster !== 'unknown') continue
      // an unknown option: it is not certain that the command still runs
      addOpaqueAction(call)
      call.idle = true
    }
  }
  if (call.args[at]?.text === '--') at += 1
  return { at, given, script }
}

type NameSet = ReadonlySet<string>

/** Where the name of an option with a shell line ends: `-S`, `-iS`, `--split-string=`. 0: it is another option. */
function endOfScriptOption(text: string, name: string, scripts: NameSet, flags: NameSet): number {
  if (scripts.has(name)) return name.length
  if (text.startsWith('--')) return 0
  for (let at = 1; at < text.length; at += 1) {
    if (scripts.has(`-${text[at]}`)) return at + 1
    if (!flags.has(`-${text[at]}`)) return 0
  }
  return 0
}

/** `-n"$N"`, `--signal="$S"`: one word of which only the value is unknown. */
function optionWithUnknownValue({ head, loose }: Arg, values: NameSet): string | null {
  const name = head.startsWith('--') ? /^(--[\w-]+)=/.exec(head)?.[1] : head.slice(0, 2)
  return !loose && name !== undefined && values.has(name) ? `${head}?` : null
}

/**
 * If a word in front of the command may become several words, the command may begin there: `timeout $T ls`. Adds an opaque action
 * for that case. The caller also reads the command at its expected position.
 */
export function addPossibleCommands(call: ProgramCall, at: number, isDoubtful = false): void {
  if (!isDoubtful && !call.args.slice(1, at).some(({ glob, several }) => glob || several)) return
  addOpaqueAction(call)
  call.idle = true
}

/** `-n19`, `-Es` or `-0I`: known letters up to the first with a value. The value is the rest of the word, or the next word. */
function readCluster(text: string, values: NameSet, flags: NameSet, optional: NameSet): 'known' | 'value' | 'unknown' {
  if (/^-\d+$/.test(text)) return 'known'
  if (text.startsWith('--')) return 'unknown'
  for (let at = 1; at < text.length; at += 1) {
    const name = `-${text[at]}`
    if (values.has(name)) return at + 1 === text.length ? 'value' : 'known'
    if (optional.has(name)) return 'known'
    if (!flags.has(name)) return 'unknown'
  }
  return 'known'
}

function findStart(call: ProgramCall, wrapping: WrapperSpec): ReturnType<typeof findCommandStart> & { skip: number } {
  const dashes = wrapping.dashes ? call.args.findIndex(({ text }) => text === '--') : -1
  if (dashes === -1) return { ...findCommandStart(call, wrapping), skip: wrapping.skip ?? 0 }
  const given = call.args.slice(1, dashes).map(({ head }) => head.replace(/=.*$/s, ''))
  return { at: dashes + 1, given, script: undefined, skip: 0 }
}

const placeOf = ({ folder, place }: WrapperSpec, given: readonly string[]): Pick<InnerCommand, 'place'> => {
  const isMoved = folder?.split(' ').some(name => given.some(option => isOption(option, name)))
  return place !== undefined ? { place } : isMoved ? { place: 'unknown' } : {}
}

/** `-C` is also in `-qC` and `-Cdir`. */
const isOption = (option: string, name: string): boolean =>
  option === name || (/^-[^-]$/.test(name) && /^-[^-]/.test(option) && option.includes(name.slice(1)))

export function createWrapperReader(wrapping: WrapperSpec): (call: ProgramCall) => void {
  return call => {
    const { at: start, given, script, skip } = findStart(call, wrapping)
    const { end, assigns } = wrapping.assigns ? readAssignments(call, start, wrapping) : { end: start, assigns: {} }
    if (Object.keys(assigns).length > 0) call.assigns = { ...call.assigns, ...assigns }
    // `aws-vault exec profile -- cmd`
    const at = end + skip + (skip > 0 && call.args[end + skip]?.text === '--' ? 1 : 0)
    call.own = Math.min(at, call.args.length)
    wrapping.more?.(call, given)
    const inner: Omit<InnerCommand, 'run'> = {
      ...(wrapping.keeps ? { keeps: true } : {}),
      ...(wrapping.shares ? { shares: true } : {}),
      ...placeOf(wrapping, given),
    }
    const isCommand = wrapping.skipped !== undefined && !wrapping.skipped.test(call.args[end]?.text ?? '0')
    if (isCommand) call.inner.push({ ...inner, run: call.args.slice(end) })
    const words = call.args.slice(at)
    const line = script ?? findTrailingScript(call, wrapping, at)
    if (line !== undefined) {
      const rest = wrapping.splits ? words : []
      call.inner.push({ ...inner, run: { script: scriptTextOf(line, ...rest) } })
    }
    const isMissing = wrapping.dashes && wrapping.skip === undefined && call.args[at - 1]?.text !== '--'
    if (words.length === 0 || line !== undefined || isMissing) return
    if (wrapping.pure) call.onlyReads = true
    const skipped = wrapping.counts ? [] : call.args.slice(at - skip, at)
    addPossibleCommands(call, at, isCommand || skipped.some(arg => arg.text === null && mayBeOption(arg)))
    if (wrapping.joins) call.inner.push({ ...inner, run: { script: scriptTextOf(...words) } })
    else call.inner.push({ ...inner, run: wrapping.appends ? [...words, UNKNOWN_ARG] : words })
  }
}

/** Env takes every word with an equals sign for an assignment, whatever the name: `env a.b=1 cmd`, `env 'BASH_FUNC_f%%=() {…}' cmd`. */
function readAssignments(
  call: ProgramCall,
  start: number,
  { keeps }: WrapperSpec,
): { end: number; assigns: Record<string, string | null> } {
  const assigns: Record<string, string | null> = {}
  let end = start
  for (; end < call.args.length; end += 1) {
    const arg = call.args[end]
    const equals = arg?.head.indexOf('=') ?? -1
    if (arg === undefined || equals < 0) break
    // zsh replaces `=git` by the path of git
    if (equals === 0) call.inner.push({ run: call.args.slice(end), ...(keeps && { keeps }) })
    assigns[arg.head.slice(0, equals)] = arg.text === null ? null : arg.text.slice(equals + 1)
  }
  return { end, assigns }
}

/** `su bob -c 'cmd'`, `flock f -c 'cmd'`: the option may come after the operands. */
function findTrailingScript({ args }: ProgramCall, wrapping: WrapperSpec, start: number): Arg | undefined {
  const names = wrapping.script?.split(' ') ?? []
  const cluster = names.includes('-c') ? /^-[a-z]*c$/ : undefined
  const isScript = ({ text }: Arg): boolean => text !== null && (names.includes(text) || cluster?.test(text) === true)
  if (wrapping.trailing === 'first')
    return args[start] !== undefined && isScript(args[start]) ? args[start + 1] : undefined
  const at = wrapping.trailing === undefined ? -1 : args.findIndex(isScript)
  if (at !== -1) return args[at + 1]
  // `--command='cmd'`
  const attached =
    wrapping.trailing && args.find(({ head }) => names.includes(head.replace(/=.*$/s, '')) && head.startsWith('--'))
  return attached && argSuffix(attached, attached.head.indexOf('=') + 1)
}

const valueLists = ({ values, numbers, script }: WrapperSpec): Pick<ProgramDescription, 'values'> => {
  const lists = [values, numbers].filter(list => list !== undefined)
  return lists.length === 0 ? {} : { values: [...lists, script ?? ''].join(' ').trim() }
}

export const wrapperDescription = (wrapping: WrapperSpec): ProgramDescription => ({
  ...valueLists(wrapping),
  ...(wrapping.flags === undefined ? {} : { flags: wrapping.flags }),
  inner: () => undefined,
  special: createWrapperReader(wrapping),
})
