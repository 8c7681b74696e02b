import { createHookOutputParser } from '../adapter/hook-specific-output.ts'
import { capabilities } from './capabilities.ts'

/** As 0.24.4 reads it: more words at the top than others, and no name of the event needed. */
export const parseHookOutput = createHookOutputParser({
  capabilities,
  plain: new Set(['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion']),
  old: { allow: 'allow', approve: 'allow', deny: 'deny', block: 'deny', ask: 'ask' },
  decisions: { allow: 'allow', deny: 'deny', ask: 'ask' },
  needsName: false,
})
