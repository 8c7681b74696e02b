import type { JsonObject } from '../../src/lib/json.ts'
import { capture } from '../support/clients/captures.ts'

/** A session of one client, event by event, through the real command. */
export interface Scenario {
  readonly name: string
  readonly client: string
  /** folder of recorded payloads that `from` names */
  readonly captures?: string
  readonly use: readonly unknown[]
  /** the rest of the project's policy */
  readonly policy?: object
  /** the person's policy */
  readonly user?: object
  readonly steps: readonly Step[]
}

export type Words = string | readonly string[]

export interface Step {
  /** what happens, in words */
  readonly does: string
  /** a recorded payload, with other values under these keys; or the whole payload */
  readonly from?: string
  readonly with?: JsonObject
  readonly payload?: JsonObject
  /** ties the end of a call to its beginning, where the client has ids for calls */
  readonly call?: string
  readonly session?: string
  readonly env?: Record<string, string>
  /** Without any of these the step passes in silence. */
  readonly refused?: Words
  /** the agent hears it */
  readonly told?: Words
  /** the person sees it */
  readonly shown?: Words
  /** the protocol's own word for how far routing is */
  readonly status?: string
}

/** Recorded payloads share ids and times; here each event is one of its own. */
export function payloadOf({ captures, client }: Scenario, step: Step, nth: number): JsonObject {
  const recorded = step.from === undefined ? {} : capture(`${captures}/${step.from}`)
  const payload: JsonObject = { ...recorded, ...step.payload, ...step.with }
  const session = step.session ?? 'one'
  if (client === 'generic') return { ...payload, session_id: session, cwd: '/home/dev/proj' }
  return {
    ...payload,
    session_id: session,
    cwd: '/home/dev/proj',
    ...('tool_use_id' in payload && { tool_use_id: `toolu_${step.call ?? nth}` }),
    ...('prompt_id' in payload && { prompt_id: `prompt-${payload.hook_event_name === 'UserPromptSubmit' ? nth : 0}` }),
    ...('timestamp' in payload && { timestamp: new Date(Date.UTC(2026, 10, 15, 8, 0, 3 * nth)).toISOString() }),
  }
}
