import type { Client } from '../client.ts'
import { object, spentOf } from '../wire.ts'
import { capabilities } from './capabilities.ts'
import { decode } from './decode.ts'
import { encode } from './encode.ts'
import { eventNames, ID } from './events.ts'
import { failure } from './failure.ts'
import { hear } from './hear.ts'
import { toolNames } from './tools.ts'
import { traces } from './traces.ts'

export const client: Client = {
  id: ID,
  backend: 'claude',
  ...traces,
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
  hear,
  rewritten: (payload, input) => ({ payload: { ...payload, tool_input: input }, input }),
  spent: payload => spentOf(object(payload, 'tool_response')),
  failure,
}
