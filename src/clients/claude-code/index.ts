import type { Client } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { CLIENT_ID, decode, eventNames, tokensSpent } from './decode.ts'
import { encode, encodeFailure } from './encode.ts'
import { footprint } from './footprint.ts'
import { readOutput } from './hook-output.ts'
import { toolNames, toolsWithoutEvents } from './tools.ts'

export const client: Client = {
  id: CLIENT_ID,
  backend: 'claude',
  ...footprint,
  capabilities,
  eventsWithoutReply: ['session.end'],
  toolsWithoutEvents,
  payloadDetails: { mainTypes: true },
  spawns: { tool: 'Agent', field: 'subagent_type' },
  toolNames,
  hasCanonicalTools: true,
  eventNames,
  refusable: ['PreToolUse', 'PermissionRequest'],
  projectEnv: 'CLAUDE_PROJECT_DIR',
  shellProjectEnv: 'CLAUDE_PROJECT_DIR',
  decode,
  encode,
  readOutput: readOutput,
  rewritten: (payload, input) => ({ payload: { ...payload, tool_input: input }, input }),
  spent: tokensSpent,
  failure: encodeFailure,
}
