import { parseDescriptorPath } from '../scope/file-descriptors.ts'

/** A word after shell expansion, as far as it is known without running the shell. */
export interface Arg {
  /** null if only running the shell could determine it */
  readonly text: string | null
  /** the certain beginning, even if `text` is null (`of=$F` → `of=`) */
  readonly head: string
  /** if `text` is null: the certain parts, as if the rest were empty (`-del$X"ete"` → `-delete`) */
  readonly known?: string
  /** contains unquoted wildcards */
  readonly glob: boolean
  /** may become an option, nothing, or several words */
  readonly loose: boolean
  /** not quoted, so it may become nothing or several words */
  readonly several?: boolean
  /** if `text` is null: names and wildcards it may stand for, such as a loop over `*.json` */
  readonly patterns?: readonly string[]
  /** a process substitution: a descriptor, not a file */
  readonly pipe?: boolean
  /** tainted: evaluated as a number, its text may run anything */
  readonly tainted?: boolean
  /** `a=(b c)` as a word of `declare`: the elements were already expanded one by one */
  readonly list?: boolean
  /** any file with one of these names below these folders: the `{}` of `find` */
  readonly found?: { readonly below: readonly Arg[]; readonly named: readonly string[] | undefined }
}

export const literalArg = (text: string): Arg => ({ text, head: text, glob: false, loose: false })

/** Zsh replaces `=git` by the path of git. Other shells find no program of that name. */
export const expandZshEquals = (args: readonly Arg[]): readonly Arg[] => {
  const [first, ...rest] = args
  return first?.text && /^=[\w./]/.test(first.text)
    ? [{ ...first, ...literalArg(first.text.slice(1)), glob: first.glob }, ...rest]
    : args
}

/** Words that a program reads as code; null if unknown. A wildcard may stand for any file name, and a file name may be code. */
export const scriptTextOf = (...words: readonly Arg[]): string | null =>
  words.some(({ text, glob }) => text === null || glob) ? null : words.map(({ text }) => text).join(' ')

export const UNKNOWN_ARG: Arg = { text: null, head: '', glob: false, loose: true, several: true }

/** True if the word may be an option: its beginning is unknown or a dash. `A="$X"` stays one word and is not an option. */
export const mayBeOption = ({ loose, head }: Arg): boolean => loose || head === '' || head.startsWith('-')

/** True if the word is one of these, or may become one: `ex"$x"pire`. */
export const mayBeOneOf = (arg: Arg | undefined, words: readonly string[]): boolean =>
  arg !== undefined && (arg.text === null ? words.some(word => word.startsWith(arg.head)) : words.includes(arg.text))

/** The part of an argument after `length` leading characters, such as the value in `--output=value`. */
export function argSuffix(arg: Arg, length: number): Arg {
  if (arg.text === null) {
    const unknown: Arg = { text: null, head: arg.head.slice(length), glob: arg.glob, loose: false }
    return arg.patterns ? { ...unknown, patterns: arg.patterns.map(pattern => pattern.slice(length)) } : unknown
  }
  const text = arg.text.slice(length)
  return { text, head: text, glob: arg.glob, loose: false }
}

export const basename = (path: string): string => {
  const end = path.endsWith('/') && path.length > 1 ? path.length - 1 : path.length
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end)
}

/** True if the file name stands for standard input. Any other descriptor path counts too, because it may hold the same data. */
export const isStdin = (name: string | null | undefined): boolean =>
  name !== null && name !== undefined && (name === '-' || parseDescriptorPath(name) !== undefined)

export type Assignments = Readonly<Record<string, string | null>>

/** The words of a call, program first, and the assignments in front of it. */
interface WordsOfCall {
  readonly args: readonly Arg[]
  readonly assigns?: Assignments | undefined
}

/** Whether the last word may ask for help. Most lines do not, so they do not load the tables that know. */
export const mayAskHelp = ({ args }: WordsOfCall): boolean =>
  /^(?:-h|--?help|--version|help)$/.test(args.at(-1)?.text ?? '')

/** Whether an index is written in the call, which the shell may evaluate as code. */
export const hasIndex = ({ args, assigns = {} }: WordsOfCall): boolean =>
  [...args.map(({ text }) => text), ...Object.values(assigns)].some(text => text?.includes('[') === true)
