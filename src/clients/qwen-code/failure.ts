import { createFailureEncoder } from '../adapter/encode/hook-reply.ts'
import { replyFormat } from './encode.ts'

export const encodeFailure = createFailureEncoder(replyFormat)
