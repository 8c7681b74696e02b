/** What one part of a call does. */
export const ACTIONS = [
  'run',
  'read',
  'write',
  'delete',
  'fetch',
  'search',
  'spawn',
  'ask',
  'coordinate',
  'mcp',
  'other',
] as const
export type Action = (typeof ACTIONS)[number]

/** A word of a simple command. `text` is null when only running the shell could tell it (`$X`, `$(…)`, a glob). */
export interface Word {
  readonly text: string | null
  /**
   * `plain`: an argument; `option`: begins with a dash before `--`; `value`: surely the value of the option before it;
   * `maybe`: follows an option nobody has described, so it may be its value or an argument.
   */
  readonly role: 'plain' | 'option' | 'value' | 'maybe'
}

/** A file an act touches. `lexical` is null when it cannot be told; `real` has symlinks resolved. */
export interface Place {
  readonly lexical: string | null
  readonly real?: string
  /** `lexical` holds shell wildcards: it stands for every file they may match */
  readonly glob?: boolean
}

/** One thing a call does, with its own command, path, url or agent. */
export interface Act {
  readonly action: Action
  /** `run`: the simple command, program first */
  readonly words?: readonly Word[]
  /** `run`: variables set in front of the command or by it; null when the value cannot be told */
  readonly assigns?: Readonly<Record<string, string | null>>
  /** `run`: the success of the whole line implies the success of this command */
  readonly implied?: boolean
  /** `run`: the line's status is this command's status, so its failure is implied too */
  readonly decides?: boolean
  /** `run`: a described program that, with these options, only reads */
  readonly onlyReads?: boolean
  /** `read`, `write`, `delete`, `search` */
  readonly place?: Place
  /** `fetch`; null when it cannot be told */
  readonly url?: string | null
  /** `spawn` */
  readonly agent?: string
  /** Nothing about this act can be told (an unreadable shell line): every key but event, caller and tool is unknown. */
  readonly opaque?: boolean
  /** The source text this act was read from, for messages only. */
  readonly via?: string
}
