import type { Reply } from '../../src/clients/index.ts'
import type { HookResult } from '../../src/hook/index.ts'

/** The reply; throws where another process has to answer. */
export function replyIn(result: HookResult): Reply {
  if ('requiresOneShot' in result) throw new Error(result.requiresOneShot)
  return result
}
