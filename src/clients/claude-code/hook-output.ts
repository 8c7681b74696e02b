import { createHookOutputParser } from '../adapter/hook-specific-output.ts'
import { capabilities } from './capabilities.ts'

/** As 2.1.325 reads it. */
export const parseHookOutput = createHookOutputParser({
  capabilities,
  plain: new Set(['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion']),
  old: { approve: 'allow', block: 'deny' },
  /**
   * `defer` hands the call to a later run, and ranks above `ask` (D13). It exists only where nobody can be asked, and there
   * the client takes `ask` for a no: so `ask` is not weaker, and says why.
   */
  decisions: { allow: 'allow', deny: 'deny', ask: 'ask', defer: 'ask' },
  needsName: true,
})
