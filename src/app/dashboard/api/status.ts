/** The body of every error response. `error` is one line in lower case; `help` says what to do. */
export interface ApiProblem {
  readonly error: string
  readonly help?: string
}

/** `POST /api/login`: the one-time token from the URL's fragment (`#token=…`). 401 if it is wrong or already used. */
export interface LoginRequest {
  readonly token: string
}

/** Sent with every later request. */
export interface LoginReply {
  readonly key: string
}

/** What a new user needs first: whether agents are registered, whether they call, and what to do next. */
export interface DashboardStatus {
  /** as in `signalbox status`: `ENFORCING`, `DENYING ALL`, `PARTLY ENFORCING`, `NOT ENFORCING`, `UNVERIFIED`, `OFF`, `BYPASSED` */
  readonly verdict: { readonly word: string; readonly why: string; readonly next: string }
  readonly agents: readonly AgentSummary[]
  /** the requested project, else the one `signalbox ui` ran in, else the latest active one */
  readonly project: string
  /** all known projects, latest first, including `project` */
  readonly projects: readonly ProjectSummary[]
  readonly policy: {
    readonly gates: number
    /** number of gates that only observe or warn */
    readonly watching: number
    /** number of gates that only observe: they stop nothing and show nothing */
    readonly observing: number
    readonly hooks: number
    readonly problems: number
    /** the first known deadlock, if the policy was verified */
    readonly stuck?: string
    /** entries that wait for `signalbox trust` */
    readonly waiting: number
  }
  /** active bypasses, one line each: `OFF since …`, `BYPASSED …` */
  readonly bypasses: readonly string[]
  readonly auditLog: {
    /** numbers of the first and last record; 0 if there is none */
    readonly first: number
    readonly last: number
    /** the time of the last record; null if there is none */
    readonly lastAt: number | null
    /** why the audit log cannot be read */
    readonly problem?: string
    /** what is wrong with a readable audit log: records were cut or changed, or the database is gone */
    readonly broken?: string
    /** temporary: another process holds the database */
    readonly isLocked?: boolean
  }
  /** null if there are records; else the reason, in words for a person, and the next step */
  readonly empty: EmptyReason | null
  /** how commands start on this machine: `signalbox`, or its path if it is not on the PATH */
  readonly program: string
  /** clients that the playground can simulate */
  readonly clients: readonly { readonly id: string; readonly title: string }[]
  readonly server: {
    readonly version: string
    readonly build: string
    readonly node: string
    readonly pid: number
    readonly startedAt: number
    /** false: hooks run one-shot without a daemon, and the dashboard runs by itself */
    readonly daemon: boolean
  }
}

export interface EmptyReason {
  /** `unwired`: no agent is registered; `quiet`: no calls yet; `unreadable`: the audit log cannot be read; `lost`: it is gone */
  readonly cause: 'unwired' | 'quiet' | 'unreadable' | 'lost'
  readonly text: string
  /** a command or a sentence: `signalbox init`, `Ask Claude Code to run ls` */
  readonly next: string
}

export interface AgentSummary {
  readonly id: string
  readonly title: string
  readonly state: 'enforcing' | 'unverified' | 'broken' | 'no-hook'
  readonly registered: readonly { readonly scope: string; readonly file: string }[]
  readonly since?: number
  readonly lastCallAt?: number
  readonly canaryAt?: number
  readonly p95Ms?: number
  readonly why?: string
}

export interface ProjectSummary {
  readonly root: string
  /** the last part of the path */
  readonly name: string
  /** number of live sessions */
  readonly sessions: number
  readonly lastAt: number | null
}
