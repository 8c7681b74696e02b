import type { Client } from '../client.ts'
import { objectField, tokenUsageOf } from '../shared/decode/fields.ts'
import { capabilities } from './capabilities.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'
import { CLIENT_ID, eventNames } from './events.ts'
import { encodeFailure } from './failure.ts'
import { parseHookOutput } from './hook-output.ts'
import { toolNames } from './tools.ts'
import { footprint } from './footprint.ts'

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
