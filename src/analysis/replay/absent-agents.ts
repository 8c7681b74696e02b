import type { Event } from '../../engine/index.ts'

/** A recorded spawn whose agent has not acted yet. */
interface RecordedSpawn {
  readonly event: Event
  readonly type: string
  /** this side denied the spawn, so its agent does not exist here */
  readonly isDenied: boolean
}

const MAX_SPAWNS = 256
const MAX_AGENTS = 2000

/** The recorded agents that do not exist on one side of a replay, because that side denied their spawn. */
export class AbsentAgents {
  #spawns: readonly RecordedSpawn[] = []
  /** the agents that acted, by id: are they absent? */
  readonly #agents = new Map<string, boolean>()

  /** A call that ran in the recorded session. */
  noteCall(event: Event, isDenied: boolean): void {
    if (event.kind !== 'tool.before') return
    const types = (event.call?.acts ?? []).flatMap(({ action, agent = '' }) => (action === 'spawn' ? [agent] : []))
    const spawns = types.map(type => ({ event, type, isDenied }))
    if (spawns.length > 0) this.#spawns = [...this.#spawns, ...spawns].slice(-MAX_SPAWNS)
  }

  /** Is it an event of an absent agent? The first event of an agent belongs to the oldest spawn of its type. */
  has({ caller, agent }: Event): boolean {
    if (caller.kind !== 'agent') return false
    const known = this.#agents.get(caller.id)
    if (known !== undefined) return known
    const type = caller.type ?? agent ?? ''
    const spawn = this.#spawns.find(one => one.type === type) ?? this.#spawns.find(one => one.type === '')
    if (spawn) this.#spawns = this.#spawns.filter(one => one !== spawn)
    if (this.#agents.size >= MAX_AGENTS) this.#agents.clear()
    this.#agents.set(caller.id, spawn?.isDenied === true)
    return spawn?.isDenied === true
  }

  /** Takes over what the other side knew before this event. */
  copyFrom(other: AbsentAgents, before: Event): void {
    this.#spawns = other.#spawns.filter(spawn => spawn.event !== before)
    for (const [id, isAbsent] of other.#agents) this.#agents.set(id, isAbsent)
  }
}
