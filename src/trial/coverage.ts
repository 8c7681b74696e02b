import type { Gate } from '../core/index.ts'

/** One thing of a policy that a test can bring about. */
export interface Unseen {
  readonly gate: string
  readonly id: string
  readonly what: 'rule' | 'route' | 'transition'
  readonly at?: string
}

interface Share {
  readonly seen: number
  readonly total: number
}

export interface Covered {
  readonly gates: Share
  readonly rules: Share
  readonly routes: Share
  readonly transitions: Share
  readonly unseen: readonly Unseen[]
}

/** Which rules spoke and which transitions happened, over all files. The built-in gates are tested where they are made. */
export class Coverage {
  readonly #parts = new Map<string, Unseen>()
  readonly #seen = new Set<string>()

  /** `policy` tells policies of different places apart. */
  plan(policy: string, gates: readonly Gate[]): void {
    for (const gate of gates.filter(one => one.layer !== 'built-in')) {
      const add = (what: Unseen['what'], id: string, at: string | undefined) =>
        this.#parts.set(keyOf(policy, gate.id, what === 'transition' ? what : 'rule', id), {
          gate: gate.name,
          id,
          what,
          ...(at && { at }),
        })
      for (const rule of gate.rules) add('rule', rule.id, rule.at)
      for (const route of gate.routes?.list ?? []) if (!route.allow) add('route', route.id, route.at)
      for (const transition of gate.transitions) add('transition', transition.id, transition.at)
    }
  }

  note(policy: string, matches: readonly { gate: string; rule: string }[], moved: readonly string[]): void {
    for (const { gate, rule } of matches) this.#seen.add(keyOf(policy, gate, 'rule', rule))
    for (const one of moved) {
      const cut = one.lastIndexOf('/')
      this.#seen.add(keyOf(policy, one.slice(0, cut), 'transition', one.slice(cut + 1)))
    }
  }

  get covered(): Covered {
    const all = [...this.#parts]
    const share = (what: Unseen['what']): Share => {
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

const keyOf = (policy: string, gate: string, what: string, id: string): string => [policy, gate, what, id].join('\n')
