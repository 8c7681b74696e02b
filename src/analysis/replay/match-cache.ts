import { type Event, type Gate, judgeGate, type MatchContext, type MatchedRule } from '../../engine/index.ts'
import { fieldText } from '../../lib/json.ts'
import { type GateDependencies, gateDependenciesOf } from './gate-dependencies.ts'

type CallActions = NonNullable<Event['call']>['acts']

const NO_MATCHES: readonly MatchedRule[] = []
/** Results cached for one line, which can occur with different input fields. */
const MAX_CACHED_MATCHES = 16

/** Caches the matches of gates that do not depend on the session, for the other side and for later events with the same line. */
export class MatchCache {
  private readonly looks = new Map<Gate, GateDependencies>()
  private readonly latest = new Map<Gate, { readonly event: Event; readonly firings: readonly MatchedRule[] }>()
  private readonly lines = new Map<CallActions, Map<Gate, Map<string, readonly MatchedRule[]>>>()

  /** Starts caching for these actions, which are expected to occur again. */
  expect(actions: CallActions): void {
    this.lines.set(actions, new Map())
  }

  forget(): void {
    this.lines.clear()
  }

  /** Memoised `judgeGate`. */
  readonly judge = (gate: Gate, context: MatchContext): readonly MatchedRule[] => {
    const { event, program } = context
    const looks = this.looksOf(gate, program)
    if (!looks.kinds.has(event.kind)) return NO_MATCHES
    if (!looks.isStateless || looks.allow !== program.allow) return judgeGate(gate, context)
    const latest = this.latest.get(gate)
    if (latest?.event === event) return latest.firings
    const firings = this.ofLine(gate, looks, context)
    this.latest.set(gate, { event, firings })
    return firings
  }

  private ofLine(gate: Gate, { fields }: GateDependencies, context: MatchContext): readonly MatchedRule[] {
    const { kind, call } = context.event
    const line = fields && call && this.lines.get(call.acts)
    if (!line) return judgeGate(gate, context)
    const cached = line.get(gate) ?? new Map<string, readonly MatchedRule[]>()
    line.set(gate, cached)
    const key = JSON.stringify([kind, call.native, ...fields.map(field => fieldText(call.input, field))])
    const known = cached.get(key)
    if (known) return known
    const firings = judgeGate(gate, context)
    if (cached.size < MAX_CACHED_MATCHES) cached.set(key, firings)
    return firings
  }

  private looksOf(gate: Gate, program: MatchContext['program']): GateDependencies {
    const known = this.looks.get(gate)
    if (known) return known
    const looks = gateDependenciesOf(gate, program)
    this.looks.set(gate, looks)
    return looks
  }
}
