import { createFailureEncoder } from '../adapter/encode/hook-reply.ts'
import { capabilities } from './capabilities.ts'
import { eventKindOf } from './events.ts'

export const encodeFailure = createFailureEncoder({ capabilities, kindOf: eventKindOf })
