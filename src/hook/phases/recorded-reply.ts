import type { Reply } from '../../clients/index.ts'
import { eventIdentity, parseStoredReply, type StoredReply } from '../events/idempotency.ts'
import { isDenyReply } from '../exports/export-outcome.ts'
import type { FailureContext } from '../failure/failure-reply.ts'
import { createStateFolder } from '../failure/unwritable-state.ts'
import type { HookCall, HookServices } from '../services/hook-services.ts'
import type { DecodedPayload } from './decode-payload.ts'
import type { Project } from './resolve-project.ts'

/** Whether the payload has been answered before. */
export interface RecordedReply {
  /** undefined: the payload cannot be recognized if it comes again */
  readonly identity: string | undefined
  readonly reply: Reply | undefined
}

/** Phase 3: the same event again gets the same reply and changes nothing. */
export function findRecordedReply(
  { call, events }: DecodedPayload,
  { session }: Project,
  { store, folders }: HookServices,
  failure: FailureContext,
): RecordedReply {
  failure.cause = 'state'
  createStateFolder(folders.state)
  const identity = eventIdentity(events, call, store, session)
  const stored = identity === undefined ? undefined : parseStoredReply(store.recall(session, identity))
  failure.cause = undefined
  return { identity, reply: stored && repeatReply(stored, call) }
}

/**
 * If an event arrives through several registrations, one of them prints the reply and the others print nothing. All of them print a denial:
 * it must not depend on which registration the client reads.
 */
export function repeatReply({ via: answeredVia, ...reply }: StoredReply, { borrowed, via = '' }: HookCall): Reply {
  const isOtherRegistration = borrowed || (answeredVia !== undefined && answeredVia !== via)
  return isOtherRegistration && !isDenyReply(reply) ? { exitCode: 0, stdout: '', stderr: '' } : reply
}
