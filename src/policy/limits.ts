import type { Layer } from '../pattern/index.ts'

/**
 * What the policies of a project may hold, all of them together. They come with a repository and are read before anybody trusts
 * them, in the time that a call has: reading one that is just within these limits takes well below a second.
 */
const MOST = {
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
export const MOST_BYTES = 1_000_000

export type Limited = keyof typeof MOST

const NAMES: Readonly<Record<Limited, string>> = {
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

export class OverLimit extends Error {
  /** it is thrown and caught in different bundles */
  override readonly name = OVER_LIMIT

  constructor(limited: Limited) {
    super(`the policies of a project are limited to ${MOST[limited].toLocaleString('en')} ${NAMES[limited]} together`)
  }
}

const OVER_LIMIT = 'OverLimit'

export const isOverLimit = (error: unknown): boolean => error instanceof Error && error.name === OVER_LIMIT

export const OVER_LIMIT_HELP = 'make it smaller, or move it to your own policy, which has no such limits'

const TAKES_TIME: ReadonlySet<Limited> = new Set<Limited>(['words', 'instructions', 'examples'])

/** Counts what the policies of a project hold. What is too much is not read to its end. */
export class Limits {
  readonly #spent: Record<string, number> = {}

  /** `before`: of the same policies, when they were read in vain. That is not done again and again. */
  constructor(
    private readonly before?: Limits,
    /** how much of what is allowed, for who has less time */
    private readonly share = 1,
  ) {}

  spend(limited: Limited, many: number): void {
    const spent = (this.#spent[limited] ?? 0) + many
    this.#spent[limited] = spent
    const most = MOST[limited] * this.share
    if (spent > most) throw new OverLimit(limited)
    if (TAKES_TIME.has(limited) && spent + (this.before?.allOf(limited) ?? 0) > 3 * most) throw new OverLimit(limited)
  }

  private allOf(limited: Limited): number {
    return (this.#spent[limited] ?? 0) + (this.before?.allOf(limited) ?? 0)
  }
}

/** What is compiled while others wait. */
export const DAEMON_LIMIT_SHARE = 1 / 8

/** Who writes their own policy, or manages the machine, is trusted with the time it takes. */
export const isLimited = (layer: Layer): boolean => layer === 'project' || layer === 'nested'
