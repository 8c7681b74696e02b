import { EVENT_KINDS } from '../../pattern/index.ts'
import { type FailedEvent, failureLine, type Reply } from '../client.ts'
import { letPass, refusal } from '../failing.ts'
import { capabilities } from './capabilities.ts'
import { decided } from './encode.ts'
import { kindOf } from './events.ts'

/** Exit 2 refuses too, but the reason is lost. A payload that was cut off may have shown what it was, not how it is called. */
export const failure = (answer: 'open' | 'closed', { name, kind: known }: FailedEvent, why: string): Reply => {
  const shown = EVENT_KINDS.find(one => one === name)
  const kind = known ?? shown ?? (name === undefined ? undefined : kindOf(name))
  const refusable = kind === 'tool.before' || kind === 'permission.request'
  if (answer === 'open' || !refusable) return letPass(kind && capabilities.events[kind], why)
  return { exitCode: 0, stdout: JSON.stringify(decided(kind, 'deny', refusal(why))), stderr: failureLine(why) }
}
