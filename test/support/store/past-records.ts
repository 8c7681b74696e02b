import type { AuditRecord } from '../../../src/store/index.ts'

const HOUR = 3_600_000
const ROOTS = ['/home/dev/proj', '/home/dev/other'] as const
const CLIENTS = ['claude-code', 'codex-cli', 'gemini-cli'] as const
const GATE = { gate: 'project/tests-before-commit', rule: 'untested', mode: 'block' } as const
const ROUTE = { gate: 'project/routes', rule: 'github-pr', mode: 'block' } as const
const TRIAL = { gate: 'project/no-push', rule: 'rule-1', mode: 'observe' } as const

/** The same every time. */
export function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export interface Past {
  readonly records: number
  readonly from: number
  /** over which they are spread, by working hours */
  readonly days: number
  readonly seed?: number
  /** the projects they happened in */
  readonly roots?: readonly string[]
}

/** What agents may have done: some sessions at a time, calls before and after, a few refusals with what came of them. */
export function* past({ records, from, days, seed = 1, roots = ROOTS }: Past): Generator<AuditRecord> {
  const random = chance(seed)
  const each = (days * 24 * HOUR) / records
  const sessions = Array.from({ length: 6 }, (_, nth) => new Agent(nth, random, roots))
  for (let nth = 0; nth < records; nth++) {
    const slot = Math.floor(random() * sessions.length)
    const agent = sessions[slot] ?? new Agent(nth, random, roots)
    yield agent.next(from + nth * each)
    if (agent.isOver) sessions[slot] = new Agent(nth + 10, random, roots)
  }
}

class Agent {
  isOver = false
  private readonly id: string
  private readonly client: string
  private readonly root: string
  private readonly length: number
  private steps = 0
  private isTested = false
  private waits: Partial<AuditRecord> | undefined

  constructor(
    nth: number,
    private readonly random: () => number,
    roots: readonly string[],
  ) {
    this.root = roots[nth % roots.length] ?? ''
    this.id = `${nth.toString(16).padStart(8, '0')}-5d77-4b5c-8a31-5d7755943b6c`
    this.client = CLIENTS[Math.floor(random() * 1.3) % CLIENTS.length] ?? CLIENTS[0]
    this.length = 100 + Math.floor(random() * 800)
  }

  next(at: number): AuditRecord {
    this.steps++
    if (this.steps === 1) return this.record(at, { event: 'session.start', name: 'SessionStart' })
    if (this.steps > this.length) {
      this.isOver = true
      return this.record(at, { event: 'session.end', name: 'SessionEnd' })
    }
    const after = this.waits
    this.waits = undefined
    if (after) return this.record(at, { ...after, event: 'tool.after', name: 'PostToolUse' })
    return this.call(at)
  }

  private call(at: number): AuditRecord {
    const nth = this.steps
    const what = this.random()
    if (what < 0.02) return this.commit(at)
    if (what < 0.03)
      return this.record(at, {
        ...{ tool: 'WebFetch', acts: [`fetch https://github.com/a/b/pull/${nth}`], decision: 'deny' },
        ...{ gate: ROUTE.gate, rule: ROUTE.rule, matches: [{ ...ROUTE, decision: 'deny', effect: 'deny' }] },
        reason: `Pages of pull requests are read with \`gh pr view ${nth}\`, which needs no browser and says more.`,
      })
    if (what < 0.035) return this.record(at, { errors: ['gate project/own: it threw'], acts: [`run make ${nth}`] })
    if (what < 0.045)
      return this.record(at, {
        ...{ tool: 'Bash', acts: ['run git push'], matches: [{ ...TRIAL, decision: 'deny', effect: 'none' }] },
      })
    const done = this.work(nth)
    this.waits = done
    return this.record(at, done)
  }

  private commit(at: number): AuditRecord {
    const commit = { tool: 'Bash', acts: ['run git commit -am "fix sum"'] }
    if (this.isTested) {
      this.isTested = false
      return this.record(at, commit)
    }
    const isLifted = this.random() < 0.05
    const match = { ...GATE, decision: 'deny', effect: isLifted ? 'none' : 'deny' } as const
    if (isLifted) return this.record(at, { ...commit, matches: [{ ...match, bypassed: true }] })
    return this.record(at, {
      ...{ ...commit, decision: 'deny', gate: GATE.gate, rule: GATE.rule, matches: [match] },
      reason: 'Run `npm test` first. The commit is allowed when it passes, until the next edit.',
    })
  }

  private work(nth: number): Partial<AuditRecord> {
    const file = `/home/dev/proj/src/part${nth % 97}/file${nth}.ts`
    const what = this.random()
    if (what < 0.3) return { tool: 'Read', acts: [`read ${file}`] }
    if (what < 0.5) return { tool: 'Edit', acts: [`write ${file}`] }
    if (what < 0.9) return { tool: 'Bash', acts: [`run grep -rn sum${nth} src`, 'run head -5'] }
    if (what < 0.95) return { tool: 'Bash', acts: ['run git status'], whitelisted: true }
    this.isTested = true
    const moves = [{ gate: GATE.gate, from: 'closed', to: 'open' }] as const
    return { tool: 'Bash', acts: ['run npm test'], moves }
  }

  private record(at: number, more: Partial<AuditRecord>): AuditRecord {
    const isBefore = more.event === undefined
    return {
      at: Math.floor(at),
      client: this.client,
      session: this.id,
      root: this.root,
      event: 'tool.before',
      name: 'PreToolUse',
      caller: 'main',
      turn: 1 + Math.floor(this.steps / 40),
      acts: [],
      decision: 'pass',
      matches: [],
      notes: [],
      errors: [],
      policy: '5d7755943b6c5d7755943b6c5d7755943b6c5d7755943b6c5d7755943b6c5d77',
      ms: Math.round(100 * 0.8 * Math.exp(this.random() * 3)) / 100,
      ...more,
      moves: isBefore ? [] : (more.moves ?? []),
    }
  }
}
