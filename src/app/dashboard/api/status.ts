/** What is said in place of an answer. `error` is one line, lower case; `help` is what to do about it. */
export interface ApiProblem {
  readonly error: string
  readonly help?: string
}

/** `POST /api/login`: the token of the URL's fragment (`#token=…`), good for once. 401 when it is not the one that is waited for (any more). */
export interface LoginRequest {
  readonly token: string
}

/** To be sent with every request from now on. */
export interface LoginReply {
  readonly key: string
}

/** What a newcomer has to know first: is anything wired, is anything heard, and what to do next. */
export interface DashboardStatus {
  /** as `signalbox status` says it: `ENFORCING`, `REFUSING ALL`, `PARTLY ENFORCING`, `NOT ENFORCING`, `UNPROVEN`, `SILENCED`, `BYPASSED` */
  readonly verdict: { readonly word: string; readonly why: string; readonly next: string }
  readonly agents: readonly AgentSummary[]
  /** the one that was asked about, else the one that `signalbox ui` was said in, else the one that was heard of last */
  readonly project: string
  /** those that are known, the latest first; `project` is among them */
  readonly projects: readonly ProjectSummary[]
  readonly policy: {
    readonly gates: number
    /** of these such as only observe or warn */
    readonly watching: number
    /** of these such as only observe: they stop nothing and say nothing */
    readonly observing: number
    readonly hooks: number
    readonly problems: number
    /** where an agent can get no further in it, as far as that is known: the first such place */
    readonly stuck?: string
    /** lines that wait for `signalbox trust` */
    readonly waiting: number
  }
  /** `OFF since …`, `BYPASSED …`: what a person has lifted, one line each */
  readonly lifted: readonly string[]
  readonly trail: {
    /** numbers of the first and the last record; 0: there is none */
    readonly first: number
    readonly last: number
    /** when the last one was made; null: there is none */
    readonly lastAt: number | null
    /** why it cannot be read */
    readonly problem?: string
    /** what is wrong with it, though it can be read: records were cut off or changed, or the database is gone */
    readonly broken?: string
    /** only for now: another process holds it */
    readonly isLocked?: boolean
  }
  /** null: there is something to see. Else why there is not, in words for a person, and the one thing to do */
  readonly empty: EmptyReason | null
  /** how commands begin in a terminal here: `signalbox`, or a path where that word is not heard yet */
  readonly program: string
  /** what the playground can speak as */
  readonly clients: readonly { readonly id: string; readonly title: string }[]
  readonly server: {
    readonly version: string
    readonly build: string
    readonly node: string
    readonly pid: number
    readonly startedAt: number
    /** false: each hook is a process of its own here, and the dashboard serves itself */
    readonly daemon: boolean
  }
}

export interface EmptyReason {
  /** `unwired`: no agent was told of Signalbox; `quiet`: told, but nobody called; `unreadable`: the trail cannot be read; `lost`: it is gone */
  readonly cause: 'unwired' | 'quiet' | 'unreadable' | 'lost'
  readonly says: string
  /** a command or a sentence: `signalbox init`, `Ask Claude Code to run ls` */
  readonly next: string
}

export interface AgentSummary {
  readonly id: string
  readonly title: string
  readonly state: 'enforcing' | 'unproven' | 'broken' | 'unregistered'
  readonly registered: readonly { readonly scope: string; readonly file: string }[]
  readonly since?: number
  readonly lastCallAt?: number
  readonly canaryAt?: number
  readonly p95Ms?: number
  readonly why?: string
}

export interface ProjectSummary {
  readonly root: string
  /** its last folder */
  readonly name: string
  /** live ones */
  readonly sessions: number
  readonly lastAt: number | null
}
