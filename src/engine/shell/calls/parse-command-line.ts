import type { Word } from '../../match/command-words.ts'
import { type Arg, argSuffix, literalArg, mayBeOption, UNKNOWN_ARG } from './argument.ts'

/**
 * The kind of an option: `flag` and `value` are harmless; the value of `read` and `write` names a file; the value of `run` is
 * code; `risk` is a flag that runs code; `alter` is a flag that makes the program do more than read.
 */
export type OptionKind = 'flag' | 'value' | 'read' | 'write' | 'run' | 'risk' | 'alter'
export type OptionKinds = ReadonlyMap<string, OptionKind>

export interface ParsedOption {
  readonly name: string
  readonly kind: OptionKind | undefined
  value: Arg | undefined
}

/** The words of a simple command, sorted into options and operands. */
export interface ParsedCommandLine {
  readonly words: readonly Word[]
  readonly options: readonly ParsedOption[]
  /** arguments that are neither options nor certainly option values, without the program */
  readonly operands: readonly Arg[]
  /** number of operands before `--`; all of them if there is no `--` */
  readonly beforeDashes: number
  readonly dashes: boolean
  /** some unknown word may be or contain an option */
  readonly hidesOption: boolean
}

const isValueKind = (kind: OptionKind | undefined): boolean =>
  kind === 'value' || kind === 'read' || kind === 'write' || kind === 'run'

const isHarmfulKind = (kind: OptionKind | undefined): boolean =>
  kind !== undefined && kind !== 'flag' && kind !== 'value' && kind !== 'read'

type NextWordUse = 'no' | 'yes' | 'maybe'

/** `inner` returns the options valid after the first operand, for programs with subcommands. */
export function parseCommandLine(
  args: readonly Arg[],
  kinds: OptionKinds | undefined,
  inner?: (name: string) => OptionKinds | undefined,
): ParsedCommandLine {
  const words: Word[] = []
  const options: ParsedOption[] = []
  const operands: Arg[] = []
  let known = kinds
  let swallow: NextWordUse = 'no'
  let beforeDashes = -1
  // false if an unknown option may have taken `--` as its value
  let sureDashes = false
  let hidesOption = false
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index]
    if (arg === undefined) continue
    const { text } = arg
    const mayBe = index > 0 && !sureDashes
    if (mayBe && swallow === 'no' && isExtendedPattern(arg, known)) hidesOption = true
    if (mayBe && (mayHideOption(arg, known) || (arg.loose && (swallow !== 'yes' || maySplit(arg, known)))))
      hidesOption = true
    if (mayBe && known !== undefined && (beforeDashes !== -1 || mayHideOption(arg, known)))
      addHarmfulOptions(arg, known, options, args[index + 1])
    if (index === 0) {
      words.push({ text, role: 'plain' })
    } else if (swallow === 'yes') {
      const last = options[options.length - 1]
      if (last !== undefined) last.value = arg
      if (known !== undefined) addHarmfulOptions(arg, known, options)
      words.push({ text, role: 'value' })
      swallow = 'no'
    } else if (beforeDashes !== -1) {
      operands.push(arg)
      words.push({ text, role: 'plain' })
    } else if (text === '--') {
      beforeDashes = operands.length
      sureDashes = swallow === 'no'
      words.push({ text, role: 'option' })
    } else if (arg.head.length >= 2 && arg.head.charCodeAt(0) === 45) {
      swallow = parseOption(arg, known, options)
      words.push(arg.glob ? { text, role: 'option', free: true } : { text, role: 'option' })
    } else {
      if (operands.length === 0 && inner !== undefined) known = text === null ? undefined : inner(text)
      operands.push(arg)
      const role = swallow === 'maybe' ? 'maybe' : 'plain'
      words.push(text === null && mayBeOption(arg) ? { text, role, free: true } : { text, role })
      swallow = 'no'
    }
  }
  const dashes = beforeDashes !== -1
  return { words, options, operands, beforeDashes: dashes ? beforeDashes : operands.length, dashes, hidesOption }
}

/** True if the value may become several words: a wildcard may match many files, and one of them may look like an option. */
const maySplit = ({ text }: Arg, kinds: OptionKinds | undefined): boolean =>
  text === null || kinds === undefined || !hasWordOptions(kinds) || !text.replace(/^.*[*?\]]/s, '').includes('.')

/**
 * True if the word begins like an option and its end is unknown: it may be any option. Text behind `=`, or behind a letter that
 * takes a value, is only a value. If options are words behind one dash, no single letter takes a value.
 */
function mayHideOption({ text, head, glob }: Arg, kinds: OptionKinds | undefined): boolean {
  if (!head.startsWith('-') || (text !== null && !glob && !/[#^~]/.test(text))) return false
  const start = text === null ? head : head.replace(/[*?[#^~].*$/s, '')
  if (start.startsWith('--') && start.includes('=')) return false
  if (start.startsWith('--') || kinds === undefined || hasWordOptions(kinds)) return true
  return ![...start.slice(1)].some(letter => isValueKind(kinds.get(`-${letter}`)))
}

/**
 * In zsh with `extendedglob`, `^a` is any other file and `x#-delete` any number of `x` before `-delete`: both may be a file whose
 * name is an option. Of a program without word options, such words are patterns and revisions far more often.
 */
const isExtendedPattern = ({ text }: Arg, kinds: OptionKinds | undefined): boolean =>
  text !== null && /^(?:\^|.#-)/s.test(text) && kinds !== undefined && hasWordOptions(kinds)

const wordOptionCache = new WeakMap<OptionKinds, boolean>()

/** True if the program has options such as `-name`. */
function hasWordOptions(kinds: OptionKinds): boolean {
  const found =
    wordOptionCache.get(kinds) ?? [...kinds.keys()].some(name => /^-[^-]{2,}$/.test(name) && !/^-(.)\1+$/.test(name))
  wordOptionCache.set(kinds, found)
  return found
}

/**
 * In another version of the program the value may be optional, so a value that looks like a harmful option counts as one too. Of
 * an unknown word only the certain parts count, because the rest may be empty.
 */
function addHarmfulOptions(arg: Arg, kinds: OptionKinds, options: ParsedOption[], next?: Arg): void {
  const word = arg.text === null && arg.known !== undefined ? literalArg(arg.known) : arg
  if (word.head.length < 2 || word.head.charCodeAt(0) !== 45) return
  const read: ParsedOption[] = []
  parseOption(word, kinds, read)
  for (const option of read.filter(({ kind }) => isHarmfulKind(kind)))
    options.push(isValueKind(option.kind) ? { ...option, value: option.value ?? next } : option)
}

function parseOption(arg: Arg, kinds: OptionKinds | undefined, options: ParsedOption[]): NextWordUse {
  const { head } = arg
  if (kinds !== undefined && hasSingleDashOptions(kinds)) return parseSingleDashOption(arg, kinds, options)
  if (head.charCodeAt(1) === 45) return parseLongOption(arg, kinds, options)
  if (kinds === undefined) {
    options.push({ name: head, kind: undefined, value: undefined })
    return head.includes('=') ? 'no' : 'maybe'
  }
  const exact = kinds.get(head)
  if (exact !== undefined && arg.text !== null) {
    options.push({ name: head, kind: exact, value: undefined })
    return isValueKind(exact) ? 'yes' : 'no'
  }
  return parseCluster(arg, kinds, options)
}

function parseLongOption(arg: Arg, kinds: OptionKinds | undefined, options: ParsedOption[]): NextWordUse {
  const equals = arg.head.indexOf('=')
  const name = equals === -1 ? arg.head : arg.head.slice(0, equals)
  const found = kinds?.get(name)
  const full = found === undefined && kinds !== undefined ? expandAbbreviation(name, kinds) : name
  const kind = found ?? kinds?.get(full)
  if (equals !== -1) {
    options.push({ name: full, kind, value: argSuffix(arg, equals + 1) })
    return 'no'
  }
  options.push({ name: full, kind, value: arg.text === null ? UNKNOWN_ARG : undefined })
  // if the unknown end is empty, the next word is the value
  if (arg.text === null) return 'maybe'
  if (kind === undefined) return kinds !== undefined && name.startsWith('--no-') ? 'no' : 'maybe'
  return isValueKind(kind) ? 'yes' : 'no'
}

/** `-prefix=x`, `---prefix x`, `-C=x`: the name counts, not the dashes. Other words may be a cluster of letters: `-sC x`. */
function parseSingleDashOption(arg: Arg, kinds: OptionKinds, options: ParsedOption[]): NextWordUse {
  const [dashes = '', name = ''] = /^(-+)([^=]*)/.exec(arg.head)?.slice(1) ?? []
  const written = [`-${name}`, `--${name}`].find(one => kinds.has(one))
  const isCluster = dashes === '-' && written === undefined && [...name].every(letter => kinds.has(`-${letter}`))
  if (isCluster && name !== '' && !arg.head.includes('=')) return parseCluster(arg, kinds, options)
  const full = written ?? (name.length === 1 ? `-${name}` : `--${name}`)
  const rest = (text: string): string => full + text.slice(dashes.length + name.length)
  return parseLongOption(
    { ...arg, head: rest(arg.head), text: arg.text === null ? null : rest(arg.text) },
    kinds,
    options,
  )
}

/** GNU programs and git accept `--outp=f` for `--output=f`. Prefers a harmful option, else the only match, if it takes a value. */
function expandAbbreviation(name: string, kinds: OptionKinds): string {
  if (name.length < 3) return name
  const others: string[] = []
  for (const [full, kind] of kinds) {
    if (!full.startsWith(name) || !full.startsWith('--')) continue
    if (isHarmfulKind(kind)) return full
    others.push(full)
  }
  const [only] = others
  return only !== undefined && others.length === 1 && isValueKind(kinds.get(only)) ? only : name
}

/** `-am`, `-ofile`, `-5`: letters up to the first that takes a value. The value is the rest of the word, or the next word. */
function parseCluster(arg: Arg, kinds: OptionKinds, options: ParsedOption[]): NextWordUse {
  const { head } = arg
  let swallow: NextWordUse = 'no'
  for (let at = 1; at < head.length; at += 1) {
    const name = `-${head[at]}`
    const kind = kinds.get(name)
    const option: ParsedOption = { name, kind, value: undefined }
    options.push(option)
    if (isValueKind(kind)) {
      const isLast = at + 1 === head.length
      if (isLast && arg.text !== null) return 'yes'
      option.value = argSuffix(arg, at + 1)
      // `-F"$x"`: if the variable is empty, the next word is the value
      return isLast ? 'maybe' : 'no'
    }
    const digit = head.charCodeAt(at) >= 48 && head.charCodeAt(at) <= 57
    if (kind === undefined && !digit) swallow = 'maybe'
  }
  return swallow
}
export const singleDashKinds = new WeakSet<OptionKinds>()

/** True if options of these kinds are whole words with any number of dashes. */
const hasSingleDashOptions = (kinds: OptionKinds): boolean => singleDashKinds.has(kinds)
