import { type Event, type Firing, type Gate, judgeGate, type Scene } from '../core/index.ts'
import { fieldText } from '../pattern/index.ts'
import { type Looks, lookOf } from './looks.ts'

type Acts = NonNullable<Event['call']>['acts']

const NOTHING: readonly Firing[] = []
/** Of one line: it comes with other words in other fields. */
const MOST_SAID = 16

/** What gates without a memory said: for the other side of the event, and for the same line when it comes again. */
export class Said {
  private readonly looks = new Map<Gate, Looks>()
  private readonly latest = new Map<Gate, { readonly event: Event; readonly firings: readonly Firing[] }>()
  private readonly lines = new Map<Acts, Map<Gate, Map<string, readonly Firing[]>>>()

  /** These acts may come again. */
  expect(acts: Acts): void {
    this.lines.set(acts, new Map())
  }

  forget(): void {
    this.lines.clear()
  }

  /** In place of `judgeGate`, with its answers. */
  readonly asks = (gate: Gate, scene: Scene): readonly Firing[] => {
    const { event, program } = scene
    const looks = this.looksOf(gate, program)
    if (!looks.kinds.has(event.kind)) return NOTHING
    if (!looks.isSteady || looks.allow !== program.allow) return judgeGate(gate, scene)
    const latest = this.latest.get(gate)
    if (latest?.event === event) return latest.firings
    const firings = this.ofLine(gate, looks, scene)
    this.latest.set(gate, { event, firings })
    return firings
  }

  private ofLine(gate: Gate, { fields }: Looks, scene: Scene): readonly Firing[] {
    const { kind, call } = scene.event
    const line = fields && call && this.lines.get(call.acts)
    if (!line) return judgeGate(gate, scene)
    const said = line.get(gate) ?? new Map<string, readonly Firing[]>()
    line.set(gate, said)
    const key = JSON.stringify([kind, call.native, ...fields.map(field => fieldText(call.input, field))])
    const known = said.get(key)
    if (known) return known
    const firings = judgeGate(gate, scene)
    if (said.size < MOST_SAID) said.set(key, firings)
    return firings
  }

  private looksOf(gate: Gate, program: Scene['program']): Looks {
    const known = this.looks.get(gate)
    if (known) return known
    const looks = lookOf(gate, program)
    this.looks.set(gate, looks)
    return looks
  }
}
