import type { Gate, GateVariables } from '../../../engine/index.ts'
import type { LiveSession } from '../../../store/index.ts'
import type { LiveGateState } from '../api.ts'

export interface LiveSessions {
  readonly live: readonly LiveSession[]
  readonly shared: LiveSession['gates']
}

/** The state of a gate in each live session. A session without a stored state has the initial one. */
export function liveGateStates({ id, scope, initial }: Gate, { live, shared }: LiveSessions): readonly LiveGateState[] {
  if (initial === undefined) return []
  return live.flatMap(({ client, session, seenAt, gates }) => {
    const toLiveState = (memory: GateVariables | undefined, caller?: string): LiveGateState => ({
      ...{ client, session, seenAt, state: memory?.state ?? initial, operations: memory?.operations ?? 0 },
      changedAt: memory?.changed.at ?? null,
      ...(caller !== undefined && { caller }),
    })
    if (scope === 'project') return [toLiveState(shared[id])]
    if (scope === 'session') return [toLiveState(gates[id])]
    const own = Object.entries(gates).filter(([key]) => key.startsWith(`${id}@`))
    return own.length === 0
      ? [toLiveState(undefined, 'main')]
      : own.map(([key, variables]) => toLiveState(variables, callerOfKey(key, id)))
  })
}

/** `gate@agent:a1` */
const callerOfKey = (key: string, id: string): string => key.slice(id.length + 1).replace(/^agent:/, '')
