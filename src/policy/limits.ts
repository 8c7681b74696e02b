/**
 * Limits for all policies of a project together. A repository brings these policies, and they are read before anyone trusts them,
 * within the time of a tool call. Reading a policy just below the limits takes well under a second.
 */
const MAXIMA = {
  policies: 16,
  files: 200,
  /** in all files of the policies */
  characters: 300_000,
  /** YAML tokens, before the parser builds values from them */
  words: 120_000,
  values: 30_000,
  packs: 32,
  gates: 500,
  rules: 2_000,
  routes: 3_000,
  captures: 32,
  regexes: 3_000,
  /** instructions of all compiled regexes: a repeat is unrolled, so it counts as often as it repeats */
  instructions: 100_000,
  examples: 1_000,
  /** characters of all messages: a template counts wherever it is used, a rule's variable counts with its maximum length */
  messages: 300_000,
  remarks: 200,
}

/** The maximum size of a policy file on disk. A larger file is not read at all. */
export const MAX_POLICY_BYTES = 1_000_000

export type LimitName = keyof typeof MAXIMA

const LIMIT_TEXTS: Readonly<Record<LimitName, string>> = {
  policies: 'policies',
  files: 'files',
  characters: 'characters',
  words: 'YAML tokens',
  values: 'keys and values',
  packs: 'packs',
  gates: 'gates',
  rules: 'rules, transitions and adjustments',
  routes: 'routes',
  captures: 'captures',
  regexes: 'regexes',
  instructions: 'instructions of regexes',
  examples: 'examples',
  messages: 'characters of messages',
  remarks: 'errors and warnings',
}

export class LimitExceeded extends Error {
  /** compared by name, because the error is thrown and caught in different bundles */
  override readonly name = LIMIT_EXCEEDED

  constructor(limited: LimitName) {
    super(
      `the policies of a project are limited to ${MAXIMA[limited].toLocaleString('en')} ${LIMIT_TEXTS[limited]} together`,
    )
  }
}

const LIMIT_EXCEEDED = 'OverLimit'

export const isLimitExceeded = (error: unknown): boolean => error instanceof Error && error.name === LIMIT_EXCEEDED

export const LIMIT_EXCEEDED_HELP = 'make it smaller, or move it to your own policy, which has no such limits'

const TIME_LIMITS: ReadonlySet<LimitName> = new Set<LimitName>(['words', 'instructions', 'examples'])

/** Counts what the policies of a project contain. Reading stops at the first limit that is exceeded. */
export class ProjectLimits {
  readonly #spent: Record<string, number> = {}

  /** `before`: counts of an earlier, failed attempt at the same policies. Limits in `TIME_LIMITS` add up over attempts. */
  constructor(
    private readonly before?: ProjectLimits,
    /** the share of each maximum that is allowed, for callers with less time */
    private readonly share = 1,
  ) {}

  spend(limited: LimitName, many: number): void {
    const spent = (this.#spent[limited] ?? 0) + many
    this.#spent[limited] = spent
    const most = MAXIMA[limited] * this.share
    if (spent > most) throw new LimitExceeded(limited)
    if (TIME_LIMITS.has(limited) && spent + (this.before?.allOf(limited) ?? 0) > 3 * most)
      throw new LimitExceeded(limited)
  }

  private allOf(limited: LimitName): number {
    return (this.#spent[limited] ?? 0) + (this.before?.allOf(limited) ?? 0)
  }
}

/** The share of the limits that applies in the daemon, where other events wait, and after a compilation that did not end. */
export const DAEMON_LIMIT_SHARE = 1 / 8
