import { createFailureEncoder } from '../adapter/encode.ts'
import { replyFormat } from './encode.ts'

export const encodeFailure = createFailureEncoder(replyFormat)
