import type { FailedEvent, Reply } from '../client.ts'
import { letPass, refusedByExit } from '../failing.ts'
import { capabilities } from './capabilities.ts'
import { kindOf } from './events.ts'

/** Exit 2 refuses calls and requests for permission alike, if there is a word on stderr. */
export const failure = (answer: 'open' | 'closed', { name, kind: known }: FailedEvent, why: string): Reply => {
  const kind = known ?? (name === undefined ? undefined : kindOf(name))
  const refusable = kind === 'tool.before' || kind === 'permission.request'
  return answer === 'closed' && refusable ? refusedByExit(why) : letPass(kind && capabilities.events[kind], why)
}
