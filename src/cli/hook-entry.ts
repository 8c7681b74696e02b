import { isAbsolute, join } from 'node:path'
import type { Reply } from '../clients/index.ts'
import { cachedLoad } from './code-cache.ts'
import type { Invocation } from './hook.ts'

/** What `bin/signalbox.cjs` imports: the program behind it comes out of the code cache. */
export async function runHook(invocation: Invocation): Promise<Reply> {
  const folder = import.meta.dirname
  const load = cachedLoad(folder, cacheFolder(invocation.env))
  return load('./engine.cjs').runHook(invocation, { folder, load })
}

/** Among the state, which a policy can protect: who writes here decides what the hook runs. */
function cacheFolder({ SIGNALBOX_HOME, XDG_STATE_HOME, HOME }: Invocation['env']): string {
  if (SIGNALBOX_HOME) return join(SIGNALBOX_HOME, 'state/code')
  const base = XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(HOME || '/', '.local/state')
  return join(base, 'signalbox/code')
}
