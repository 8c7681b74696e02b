import { failureIn } from '../hook-output.ts'
import { capabilities } from './capabilities.ts'
import { kindOf } from './events.ts'

export const failure = failureIn({ capabilities, kindOf })
