import type { EventKind } from '../../pattern/index.ts'
import { encodeIn, type HookOutput } from '../hook-output.ts'
import { capabilities } from './capabilities.ts'
import { kindOf } from './events.ts'

/** `continue: false` on a stop makes the agent go on, as a refusal does (0.24.4). */
const goesOn: ReadonlySet<EventKind> = new Set<EventKind>(['agent.stop', 'turn.stop'])

export const output: HookOutput = { capabilities, kindOf, goesOn }

export const encode = encodeIn(output)
