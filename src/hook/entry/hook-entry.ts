import { join } from 'node:path'
import { foldersOf, type HookResult, unsafeFolderReason } from '../index.ts'
import { createCachedLoader } from './code-cache.ts'
import type { HookInvocation } from './hook-process.ts'

/** Imported by `bin/signalbox.cjs`: runs the engine bundle from the code cache. */
export async function runHook(invocation: HookInvocation): Promise<HookResult> {
  const folder = import.meta.dirname
  const { state } = foldersOf(invocation.env)
  // the cache is in the state folder, which a policy can protect: its contents decide what the hook runs
  const load = createCachedLoader(folder, unsafeFolderReason(state) === undefined ? join(state, 'code') : undefined)
  return load('./engine.cjs').runHook(invocation, { folder, load })
}
