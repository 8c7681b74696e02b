import { parseDescriptorPath } from '../scope/file-descriptors.ts'

/** A word after the shell's expansions, as far as they can be told without running it. */
export interface Arg {
  /** null when only running the shell could tell */
  readonly text: string | null
  /** the leading text that is certain even where `text` is not (`of=$F` → `of=`) */
  readonly head: string
  /** where `text` is null: all that is certain of it, as if the rest were empty (`-del$X"ete"` → `-delete`) */
  readonly known?: string
  /** holds unquoted wildcards */
  readonly glob: boolean
  /** may turn out to be an option, nothing, or several words */
  readonly loose: boolean
  /** may turn out to be nothing, or several words: it is in no quotes */
  readonly several?: boolean
  /** where `text` is null: names and wildcards it may stand for, as those of a loop over `*.json` */
  readonly patterns?: readonly string[]
  /** a process substitution: a descriptor, not a file */
  readonly pipe?: boolean
  /** taken for a number, its text may run anything */
  readonly foggy?: boolean
  /** `a=(b c)` as a word of `declare`: the elements were read one by one */
  readonly list?: boolean
  /** any of the files below these folders that have one of these names: the `{}` of `find` */
  readonly found?: { readonly below: readonly Arg[]; readonly named: readonly string[] | undefined }
}

export const literalArg = (text: string): Arg => ({ text, head: text, glob: false, loose: false })

/** Words that a program reads as code; null where that cannot be told. A wildcard may stand for the name of any file, and that may be code. */
export const scriptTextOf = (...words: readonly Arg[]): string | null =>
  words.some(({ text, glob }) => text === null || glob) ? null : words.map(({ text }) => text).join(' ')

export const UNKNOWN_ARG: Arg = { text: null, head: '', glob: false, loose: true, several: true }

/** What begins with nothing that is certain, or like an option; `A="$X"` stays one word, and is none. */
export const mayBeOption = ({ loose, head }: Arg): boolean => loose || head === '' || head.startsWith('-')

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

/** A file name that stands for what comes in; any other descriptor may hold as much. */
export const isStdin = (name: string | null | undefined): boolean =>
  name !== null && name !== undefined && (name === '-' || parseDescriptorPath(name) !== undefined)
