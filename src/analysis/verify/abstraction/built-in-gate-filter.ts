import type { Regex } from '../../../engine/index.ts'
import { type Event, evaluate, newSession, type Program } from '../../../engine/index.ts'
import { canSendCall, type VerifierClient } from '../system/client-profile.ts'
import type { EquivalenceClasses } from './equivalence-classes.ts'
import type { SampleCall } from './residual-condition.ts'

interface BuiltInGateFilterOptions {
  readonly clients: readonly VerifierClient[]
  readonly regex: Regex
  readonly root: string
}

/**
 * Stateless built-in gates only refuse. In each class of calls that the rest of the policy cannot distinguish, a call that they
 * allow becomes the representative. Only if there is none, the built-in gates are part of the exploration.
 */
export class BuiltInGateFilter {
  isNeeded = false
  readonly #program: Program
  readonly #options: BuiltInGateFilterOptions

  constructor(program: Program, options: BuiltInGateFilterOptions) {
    this.#program = program
    this.#options = options
  }

  selectRepresentatives(calls: readonly SampleCall[], classes: EquivalenceClasses): readonly SampleCall[] {
    const groups = new Map<string, SampleCall[]>()
    for (const call of calls) {
      const key = classes.classOfCall(call)
      groups.set(key, [...(groups.get(key) ?? []), call])
    }
    return [...groups.values()].flatMap(group => this.#representativesOfClass(group))
  }

  /** Representatives of a class such that every client that can send a call of it has one. */
  #representativesOfClass(group: readonly SampleCall[]): readonly SampleCall[] {
    const found: SampleCall[] = []
    for (let left = this.#options.clients; left.length > 0; ) {
      const able = group.filter(call => left.some(client => canSendCall(client, call.beforeEvent)))
      const free = able.slice(0, MAX_TRIED).find(call => !this.#isRefused(call.beforeEvent))
      const taken = free ?? able[0]
      if (!taken) break
      if (!free) this.isNeeded = true
      found.push(taken)
      left = left.filter(client => !canSendCall(client, taken.beforeEvent))
    }
    // a call that no client can send is kept for the report
    return found.length > 0 ? found : group.slice(0, 1)
  }

  #isRefused(event: Event): boolean {
    const { clients, regex, root } = this.#options
    const [client] = clients
    if (!client || this.#program.gates.length === 0) return false
    const input = {
      event,
      program: this.#program,
      capabilities: client.capabilities,
      session: newSession('proof', root, 0),
    }
    const { outcome } = evaluate({ ...input, facts: { now: 0, env: {}, root } }, { regex })
    return outcome.decision === 'deny' || outcome.decision === 'ask'
  }
}

const MAX_TRIED = 8
