import { failureIn } from '../hook-output.ts'
import { output } from './encode.ts'

export const failure = failureIn(output)
