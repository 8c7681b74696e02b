import { createFailureEncoder } from '../hook-output.ts'
import { replyFormat } from './encode.ts'

export const encodeFailure = createFailureEncoder(replyFormat)
