import type { Gate } from '../../engine/index.ts'

/** A rule, route or transition of a policy that a test can trigger. */
export interface UncoveredPart {
  readonly gate: string
  readonly id: string
  readonly what: 'rule' | 'route' | 'transition'
  /** file and line */
  readonly at?: string
}

interface CoverageRatio {
  readonly seen: number
  readonly total: number
}

export interface CoverageReport {
  readonly gates: CoverageRatio
  readonly rules: CoverageRatio
  readonly routes: CoverageRatio
  readonly transitions: CoverageRatio
  readonly unseen: readonly UncoveredPart[]
}

/** Where the gates of a policy come from. */
interface PolicyOrigin {
  readonly project: string
  /** turns a location from the policy into one to display */
  readonly place: (at: string) => string
}

/** Which rules matched and which transitions happened, over all test files. Built-in gates are left out: they have their own tests. */
export class Coverage {
  readonly #parts = new Map<string, UncoveredPart>()
  readonly #seen = new Set<string>()
  readonly #projects = new Map<string, string>()

  /** Registers the parts of a policy. Parts that policies of one project share, such as an outer folder's gates, count once. */
  plan(policy: string, gates: readonly Gate[], { project, place }: PolicyOrigin): void {
    this.#projects.set(policy, project)
    for (const gate of gates.filter(candidate => candidate.layer !== 'built-in')) {
      const add = (what: UncoveredPart['what'], id: string, at: string | undefined) =>
        this.#parts.set(partKey(project, gate.id, what === 'transition' ? what : 'rule', id), {
          gate: gate.name,
          id,
          what,
          ...(at && { at: place(at) }),
        })
      for (const rule of gate.rules) add('rule', rule.id, rule.at)
      // Decisions of a code gate are recorded under this rule name.
      if (gate.code !== undefined) add('rule', 'code', gate.at)
      for (const route of gate.routes?.list ?? []) if (!route.allow) add('route', route.id, route.at)
      for (const transition of gate.transitions) add('transition', transition.id, transition.at)
    }
  }

  note(policy: string, matches: readonly { gate: string; rule: string }[], moved: readonly string[]): void {
    const project = this.#projects.get(policy) ?? policy
    for (const { gate, rule } of matches) this.#seen.add(partKey(project, gate, 'rule', rule))
    for (const text of moved) {
      const cut = text.lastIndexOf('/')
      this.#seen.add(partKey(project, text.slice(0, cut), 'transition', text.slice(cut + 1)))
    }
  }

  get covered(): CoverageReport {
    const all = [...this.#parts]
    const share = (what: UncoveredPart['what']): CoverageRatio => {
      const those = all.filter(([, part]) => part.what === what)
      return { seen: those.filter(([key]) => this.#seen.has(key)).length, total: those.length }
    }
    const gateOf = (key: string) => key.split('\n').slice(0, 2).join('\n')
    const seenGates = new Set(all.filter(([key]) => this.#seen.has(key)).map(([key]) => gateOf(key)))
    return {
      gates: { seen: seenGates.size, total: new Set(all.map(([key]) => gateOf(key))).size },
      rules: share('rule'),
      routes: share('route'),
      transitions: share('transition'),
      unseen: all.filter(([key]) => !this.#seen.has(key)).map(([, part]) => part),
    }
  }
}

const partKey = (project: string, gate: string, what: string, id: string): string =>
  [project, gate, what, id].join('\n')
