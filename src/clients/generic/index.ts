import type { Client } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { CLIENT_ID, decode, tokensSpent } from './decode.ts'
import { encode, encodeFailure } from './encode.ts'
import { footprint } from './footprint.ts'
import { readOutput } from './hook-output.ts'
import { toolNames } from './tools.ts'

export const client: Client = {
  id: CLIENT_ID,
  ...footprint,
  capabilities,
  spawns: { tool: 'Task', field: 'subagent_type' },
  toolNames,
  hasCanonicalTools: true,
  refusable: ['tool.before', 'permission.request'],
  notes: [
    'Input: `{ tool_name, tool_input, context: { agent_name, agent_role, session_id } }`, and where they are known `event` (default `tool.before`; with `tool_result`, `tool.after`), `session_id`, `cwd`, `prompt`, `agent_id`, `tool_use_id`, `timestamp`.',
    'Tools have their canonical names in any case, or the names that known agents use, with their fields (`path`, `filePath`, `cmd`, `patch`, `agent_name`, …); `view`, `create`, `fetch`, `shell` and `terminal` only with such a field.',
    'Output, always: `{ "decision": "approve" | "block", "reason", "warning", "metadata" }`.',
    'If the policy exports `routing-session-state`, `metadata.routing_status` is `bypassed`, `in_progress` (the caller is the router), `completed` or `pending`.',
    'An agent name without an id is the main agent running as that agent. Without a session id there is one session per project.',
    'A payload that comes again with the same `tool_use_id`, or without one with the same `timestamp`, is the same event: it gets the same reply and counts once.',
    'A `tool_result` from the router, or of a spawned agent, is the stop of that agent.',
    'A call has succeeded or failed only if its `tool_result` says so: `exit_code`, `is_error`, `error` or `success`.',
  ],
  decode,
  encode,
  failure: encodeFailure,
  readOutput: readOutput,
  spent: tokensSpent,
  resetWords: {
    message: 'Session state was corrupted and has been reset.',
    reason: 'Router must classify request first. (State was reset due to corruption.)',
  },
}
