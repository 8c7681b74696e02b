import { createHookOutputParser } from '../adapter/hook-specific-output.ts'
import { capabilities } from './capabilities.ts'

/** The reply format of 0.24.4: more values for a top-level `decision` than others, and `hookEventName` is optional. */
export const readOutput = createHookOutputParser({
  capabilities,
  plain: new Set(['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion']),
  old: { allow: 'allow', approve: 'allow', deny: 'deny', block: 'deny', ask: 'ask' },
  decisions: { allow: 'allow', deny: 'deny', ask: 'ask' },
  needsName: false,
})
