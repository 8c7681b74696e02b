import type { EventKind } from '../../engine/index.ts'
import { createEncoder, createFailureEncoder, type HookReplyFormat } from '../adapter/encode.ts'
import { capabilities } from './capabilities.ts'
import { eventKindOf } from './decode.ts'

/** `continue: false` on a stop makes the agent continue, as a denial does (0.24.4). */
const EVENTS_THAT_GO_ON: ReadonlySet<EventKind> = new Set<EventKind>(['agent.stop', 'turn.stop'])

const replyFormat: HookReplyFormat = { capabilities, kindOf: eventKindOf, continuesOn: EVENTS_THAT_GO_ON }

export const encode = createEncoder(replyFormat)

export const encodeFailure = createFailureEncoder(replyFormat)
