import type { Gate } from '../../../engine/index.ts'
import type { GateEffect } from '../count-record.ts'
import type { Counters } from '../counters.ts'
import type { Latency } from '../histogram.ts'
import { estimateTokens, groupCounters, latencyOfBuckets } from './event-numbers.ts'
import type { StatsData } from './read-stats.ts'

/** What one gate did in a period, and what came of it. */
export interface GateRow {
  /** its id; `name` is what the policy calls it */
  readonly gate: string
  readonly name: string
  /** null: it is not in the policy in force here */
  readonly mode: string | null
  /** it was, and no more; false also where that cannot be told from here */
  readonly gone: boolean
  /** times it stopped an agent: refusals until it was over count as one */
  readonly fired: number
  /** of these: the gate opened or what was refused was let through, in the same session */
  readonly fixed: number
  readonly bypassed: number
  /** refused five times and more, and no way out found */
  readonly stuck: number
  /** neither: the agent did something else, or is still at it */
  readonly left: number
  /** events */
  readonly denied: number
  readonly asked: number
  readonly warned: number
  readonly letBy: number
  /** it only observes or warns: what it would have done otherwise */
  readonly wouldDeny: number
  readonly wouldAsk: number
  /** events in which it failed itself */
  readonly errors: number
  readonly denialTokens: number
  /** of events in which it spoke */
  readonly latencyMs: Latency
}

/** Those of the policy first, as they stand there; then those that spoke all the same. */
export function gateRows(
  { counts, stops }: StatsData,
  policy: readonly Gate[],
  isOnlyHere = false,
): readonly GateRow[] {
  const deeds = groupCounters(counts, 'gate', 1)
  const times = groupCounters(counts, 'gate ms', 1)
  const failed = groupCounters(counts, 'gate failed', 1)
  const chars = charsByGate(counts)
  const known = new Map(policy.map(gate => [gate.id, gate]))
  const ids = new Set([...known.keys(), ...[...deeds.keys(), ...stops.keys(), ...failed.keys()].sort()])
  return [...ids].map(id => {
    const did = (deed: GateEffect): number => deeds.get(id)?.get(deed) ?? 0
    const { all = 0, fixed = 0, bypassed = 0, stuck = 0 } = stops.get(id) ?? {}
    return {
      gate: id,
      name: gateDisplayName(id, policy),
      mode: known.get(id)?.mode ?? null,
      gone: isOnlyHere && !known.has(id),
      ...{ fired: all, fixed, bypassed, stuck, left: all - fixed - bypassed - stuck },
      denied: did('deny'),
      asked: did('ask'),
      warned: did('warn'),
      letBy: did('bypassed'),
      wouldDeny: did('would deny'),
      wouldAsk: did('would ask'),
      errors: failed.get(id)?.get('') ?? 0,
      denialTokens: estimateTokens(chars.get(id) ?? 0),
      latencyMs: latencyOfBuckets(times.get(id)),
    }
  })
}

/** Without its layer, unless two layers have one of that name. */
export function gateDisplayName(id: string, policy: readonly Gate[]): string {
  const name = policy.find(gate => gate.id === id)?.name
  return name !== undefined && policy.filter(gate => gate.name === name).length === 1 ? name : id
}

function charsByGate(counts: Counters): ReadonlyMap<string, number> {
  const sums = [...groupCounters(counts, 'chars', 1)].map(
    ([gate, rules]) => [gate, [...rules.values()].reduce((a, b) => a + b, 0)] as const,
  )
  return new Map(sums)
}
