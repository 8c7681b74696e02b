import type { Action, Place, Word } from '../pattern/index.ts'

export type { Action, Place, Word } from '../pattern/index.ts'

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
