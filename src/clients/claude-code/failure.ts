import { type FailedEvent, failureLine, type Reply } from '../client.ts'
import { kindOf } from './events.ts'

/** Refusing a prompt would erase it and refusing a stop would loop, so only what asks for permission is refused. */
export const failure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const kind = event.kind ?? kindOf(event.name ?? '')
  const stderr = failureLine(why)
  if (answer === 'closed' && kind === 'tool.before') return { exitCode: 2, stdout: '', stderr }
  if (answer === 'closed' && kind === 'permission.request') return { exitCode: 0, stdout: refusal(stderr), stderr }
  return { exitCode: 0, stdout: '', stderr }
}

/** PermissionRequest ignores exit 2. */
const refusal = (message: string): string =>
  JSON.stringify({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message } },
  })
