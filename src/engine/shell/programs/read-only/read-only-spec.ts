/** Subcommands and options of a program that only read. Anything not listed may do more. */
export interface ReadOnlyCommands {
  /** words that only read if nothing else is given: `--version` */
  readonly alone?: string
  /** options allowed before a verb or between its words; `values` take the next word */
  readonly flags?: string
  readonly values?: string
  readonly asks?: readonly ReadOnlyCommand[]
}

export interface ReadOnlyCommand {
  /** `ps, image ls|inspect`: read-only verbs; empty if the options alone decide */
  readonly verbs: string
  /** the options that keep it read-only */
  readonly options?: string
  /** which other words are allowed: any (undefined), only plain names such as files, or none */
  readonly words?: 'names' | 'none'
}
