import { createHookOutputParser } from '../adapter/hook-specific-output.ts'
import { capabilities } from './capabilities.ts'

/** The reply format of 2.1.325. */
export const readOutput = createHookOutputParser({
  capabilities,
  plain: new Set(['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion']),
  old: { approve: 'allow', block: 'deny' },
  /**
   * `defer` hands the call to a later run, and ranks above `ask`. It exists only in headless runs, where the client treats
   * `ask` as a denial: so `ask` is no weaker, and it shows the reason.
   */
  decisions: { allow: 'allow', deny: 'deny', ask: 'ask', defer: 'ask' },
  needsName: true,
})
