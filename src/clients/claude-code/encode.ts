import { createEncoder, createFailureEncoder } from '../adapter/encode.ts'
import { capabilities } from './capabilities.ts'
import { eventKindOf } from './decode.ts'

/** The client moves a longer string into a file and shows a preview. */
const LONGEST_TEXT = 10_000

export const encode = createEncoder({ capabilities, kindOf: eventKindOf, longestText: LONGEST_TEXT })

export const encodeFailure = createFailureEncoder({ capabilities, kindOf: eventKindOf })
