import type { Arg } from '../../calls/argument.ts'

/** Subcommands and options of a program that only read. Anything not listed may do more. */
export interface ReadOnlyCommands {
  /** words that only read if nothing else is given: `--version` */
  readonly alone?: string
  /** options allowed before a verb or between its words; `values` take the next word */
  readonly flags?: string
  readonly values?: string
  readonly asks?: readonly ReadOnlyCommand[]
  /** true if the words only read, for what the lists cannot express */
  readonly special?: (words: readonly Arg[]) => boolean
}

export interface ReadOnlyCommand {
  /** `ps, image ls|inspect, * list`: read-only verbs; empty if the options alone decide. `*` stands for letters, digits and dashes */
  readonly verbs: string
  /** names that may stand before the verb, in any number: `compute instances list` */
  readonly groups?: string
  /** what a `*` does not stand for */
  readonly except?: string
  /** the options that keep it read-only */
  readonly options?: string
  /** of these options, the ones that take the next word, for commands whose other words are restricted */
  readonly values?: string
  /** every option is harmless but these, also abbreviated: for programs that have too many to list, and of which the verb decides */
  readonly harmful?: string
  /** which other words are allowed: any (undefined), only plain names such as files, names without `=`, or none */
  readonly words?: WordKind
}

export type WordKind = 'names' | 'plain' | 'none'
