import type { Layer } from '../engine/index.ts'

/**
 * What the policies of a project may hold, all of them together. They come with a repository and are read before anybody trusts
 * them, in the time that a call has: reading one that is just within these limits takes well below a second.
 */
const MAXIMA = {
  policies: 16,
  files: 200,
  /** in all files that they are made of */
  characters: 300_000,
  /** what the YAML parser makes of the text before it makes values of it */
  words: 120_000,
  values: 30_000,
  packs: 32,
  gates: 500,
  rules: 2_000,
  routes: 3_000,
  captures: 32,
  regexes: 3_000,
  /** instructions that all regexes compile to: repeats are written out in them */
  instructions: 100_000,
  examples: 1_000,
  /** characters of all messages, each template counted where it is used, and each variable of a rule as long as it can get */
  messages: 300_000,
  remarks: 200,
}

/** On the disk, of the policies alone: a file that is larger is not read at all. */
export const MAX_POLICY_BYTES = 1_000_000

export type LimitName = keyof typeof MAXIMA

const LIMIT_TEXTS: Readonly<Record<LimitName, string>> = {
  policies: 'policies',
  files: 'files',
  characters: 'characters',
  words: 'words and signs of YAML',
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
  remarks: 'mistakes and warnings',
}

export class LimitExceeded extends Error {
  /** it is thrown and caught in different bundles */
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

/** Counts what the policies of a project hold. What is too much is not read to its end. */
export class ProjectLimits {
  readonly #spent: Record<string, number> = {}

  /** `before`: of the same policies, when they were read in vain. That is not done again and again. */
  constructor(
    private readonly before?: ProjectLimits,
    /** how much of what is allowed, for who has less time */
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

/** What is compiled while others wait. */
export const DAEMON_LIMIT_SHARE = 1 / 8

/** Who writes their own policy, or manages the machine, is trusted with the time it takes. */
export const isLimitedLayer = (layer: Layer): boolean => layer === 'project' || layer === 'nested'
