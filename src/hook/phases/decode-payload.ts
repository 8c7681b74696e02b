import { identifySender } from '../../clients/sender.ts'
import type { Event } from '../../engine/index.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { withAgentIdentity } from '../events/agent-types.ts'
import { denyAskWhenUnattended } from '../events/unattended.ts'
import type { FailureContext } from '../failure/failure-reply.ts'
import { unsafeFolderReason } from '../services/folders.ts'
import type { HookCall, HookServices } from '../services/hook-services.ts'

/** A payload and its events. */
export interface DecodedPayload {
  /** with the client that really sent the payload: some agents run the hooks in another agent's settings */
  readonly call: HookCall
  readonly payload: JsonObject
  readonly events: readonly Event[]
}

/** Phase 1: decode the client's JSON into events. */
export function decodePayload(call: HookCall, services: HookServices, failure: FailureContext): DecodedPayload {
  const payload = parseObject(call.text)
  requireOwnStateFolder(services.folders.state, failure)
  failure.call = denyAskWhenUnattended(withSender(identifySender(call.client.id, payload, call.env), call, services))
  const events = withAgentIdentity(
    failure.call.client.decode(payload, { event: failure.call.event }),
    failure.call,
    services.store,
  )
  failure.event = events[0]
  // a call without a tool cannot be evaluated: what it would run is unknown
  if (events.some(isCallWithoutTool)) throw new Error('the call names no tool')
  failure.cause = undefined
  return { call: failure.call, payload, events }
}

function parseObject(text: string): JsonObject {
  if (text.trim() === '') throw new Error('the hook got no input')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error(`the hook's input is not JSON (${text.length} characters)`)
  }
  if (!isObject(value)) throw new Error("the hook's input is not a JSON object")
  return value
}

/** The state folder holds bypasses and compiled policies. If another user can write to it, its files are ignored and calls are denied. */
function requireOwnStateFolder(state: string, failure: FailureContext): void {
  const why = unsafeFolderReason(state)
  if (why === undefined) return
  failure.denyForeignState()
  throw new Error(why)
}

const withSender = (id: string, call: HookCall, { client }: HookServices): HookCall =>
  id === call.client.id ? call : { ...call, client: client(id), borrowed: true }

const isCallWithoutTool = ({ kind, call }: Event): boolean =>
  (kind === 'tool.before' || kind === 'permission.request') && call === undefined
