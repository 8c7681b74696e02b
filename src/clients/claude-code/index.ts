import { objectField, tokenUsageOf } from '../adapter/decode.ts'
import type { Client } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { decode } from './decode.ts'
import { encode, encodeFailure } from './encode.ts'
import { CLIENT_ID, eventNames } from './events.ts'
import { footprint } from './footprint.ts'
import { parseHookOutput } from './hook-output.ts'
import { toolNames } from './tools.ts'

export const client: Client = {
  id: CLIENT_ID,
  backend: 'claude',
  ...footprint,
  capabilities,
  unanswered: ['session.end'],
  says: { mainTypes: true },
  spawns: { tool: 'Agent', field: 'subagent_type' },
  toolNames,
  eventNames,
  refusable: ['PreToolUse', 'PermissionRequest'],
  projectEnv: 'CLAUDE_PROJECT_DIR',
  shellProjectEnv: 'CLAUDE_PROJECT_DIR',
  decode,
  encode,
  hear: parseHookOutput,
  rewritten: (payload, input) => ({ payload: { ...payload, tool_input: input }, input }),
  spent: payload => tokenUsageOf(objectField(payload, 'tool_response')),
  failure: encodeFailure,
}
