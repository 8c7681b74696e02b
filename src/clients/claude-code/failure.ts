import { createFailureEncoder } from '../hook-output.ts'
import { capabilities } from './capabilities.ts'
import { eventKindOf } from './events.ts'

export const encodeFailure = createFailureEncoder({ capabilities, kindOf: eventKindOf })
