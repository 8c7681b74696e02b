import { createFailureEncoder } from '../shared/encode/hook-reply.ts'
import { replyFormat } from './encode.ts'

export const encodeFailure = createFailureEncoder(replyFormat)
