import type { Gate } from '../../../engine/index.ts'
import type { GateEffect } from '../count-record.ts'
import type { Counters } from '../counters.ts'
import type { Latency } from '../histogram.ts'
import { estimateTokens, groupCounters, latencyOfBuckets } from './event-numbers.ts'
import type { StatsData } from './read-stats.ts'

/** What one gate did in a period, and how its stops ended. */
export interface GateRow {
  /** gate id; `name` is its display name */
  readonly gate: string
  readonly name: string
  /** null if the gate is not in the policy in force here */
  readonly mode: string | null
  /** the gate was removed from the policy; false also if that is not known here */
  readonly isRemoved: boolean
  /** times it stopped an agent: all denials of one stop count once */
  readonly fired: number
  /** of these, the gate opened or the denied call passed later, in the same session */
  readonly fixed: number
  readonly bypassed: number
  /** denied five times or more without a way out */
  readonly stuck: number
  /** none of these: the agent moved on or is still trying */
  readonly other: number
  /** numbers of events from here on */
  readonly denied: number
  readonly asked: number
  readonly warned: number
  readonly bypassedEvents: number
  /** in mode `observe` or `warn`: what it would have done in mode `block` */
  readonly wouldDeny: number
  readonly wouldAsk: number
  /** events in which the gate itself failed */
  readonly errors: number
  readonly denialTokens: number
  /** latency of events in which it matched */
  readonly latencyMs: Latency
}

/** Gates of the policy first, in its order, then other gates that matched. */
export function gateRows(
  { counts, stops }: StatsData,
  policy: readonly Gate[],
  isOnlyHere = false,
): readonly GateRow[] {
  const effects = groupCounters(counts, 'gate', 1)
  const times = groupCounters(counts, 'gate ms', 1)
  const failed = groupCounters(counts, 'gate failed', 1)
  const chars = charsByGate(counts)
  const known = new Map(policy.map(gate => [gate.id, gate]))
  const ids = new Set([...known.keys(), ...[...effects.keys(), ...stops.keys(), ...failed.keys()].sort()])
  return [...ids].map(id => {
    const did = (effect: GateEffect): number => effects.get(id)?.get(effect) ?? 0
    const { all = 0, fixed = 0, bypassed = 0, stuck = 0 } = stops.get(id) ?? {}
    return {
      gate: id,
      name: gateDisplayName(id, policy),
      mode: known.get(id)?.mode ?? null,
      isRemoved: isOnlyHere && !known.has(id),
      ...{ fired: all, fixed, bypassed, stuck, other: all - fixed - bypassed - stuck },
      denied: did('deny'),
      asked: did('ask'),
      warned: did('warn'),
      bypassedEvents: did('bypassed'),
      wouldDeny: did('would deny'),
      wouldAsk: did('would ask'),
      errors: failed.get(id)?.get('') ?? 0,
      denialTokens: estimateTokens(chars.get(id) ?? 0),
      latencyMs: latencyOfBuckets(times.get(id)),
    }
  })
}

/** The gate's name; the full id if two layers use the same name or the gate is not in the policy. */
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
