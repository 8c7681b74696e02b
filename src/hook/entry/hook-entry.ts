import { join } from 'node:path'
import type { Reply } from '../../clients/index.ts'
import { foldersOf, unsafeFolderReason } from '../index.ts'
import { createCachedLoader } from './code-cache.ts'
import type { HookInvocation } from './hook-process.ts'

/** What `bin/signalbox.cjs` imports: the program behind it comes out of the code cache. */
export async function runHook(invocation: HookInvocation): Promise<Reply> {
  const folder = import.meta.dirname
  const { state } = foldersOf(invocation.env)
  // among the state, which a policy can protect: who writes there decides what the hook runs
  const load = createCachedLoader(folder, unsafeFolderReason(state) === undefined ? join(state, 'code') : undefined)
  return load('./engine.cjs').runHook(invocation, { folder, load })
}
