import type { JsonObject } from '../../lib/json.ts'
import type { Client } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { CLIENT_ID, decode, eventNames } from './decode.ts'
import { encode, encodeFailure } from './encode.ts'
import { footprint } from './footprint.ts'
import { readOutput } from './hook-output.ts'
import { toolNames, toolsWithoutEvents } from './tools.ts'

export const client: Client = {
  id: CLIENT_ID,
  ...footprint,
  capabilities,
  eventsWithoutReply: ['session.end', 'agent.start'],
  toolsWithoutEvents,
  payloadDetails: { mcp: 'nothing' },
  spawns: { tool: 'task', field: 'agent_type' },
  toolNames,
  eventNames,
  refusable: ['preToolUse', 'PreToolUse', 'permissionRequest', 'PermissionRequest'],
  unnamed: 'preToolUse',
  projectEnv: 'COPILOT_PROJECT_DIR',
  agentSessions: true,
  notes: [
    'Text for a running shell (`write_bash`) is evaluated as a shell command that cannot be parsed for certain.',
    'Both spellings of an event work, `preToolUse` and `PreToolUse`, also together: an event that comes twice gets the same reply and counts once.',
    'It also runs the hooks of `.claude/settings.json` in a trusted folder. Signalbox recognizes such an event as Copilot’s, whatever `--client` says.',
    '`timeoutSec` is in seconds. If a hook crashes before a call, the call is denied; if it is late, the call passes. Signalbox replies before the timeout.',
    '`ask` without a person (`copilot -p`) is a denial.',
    'A subagent has its own session; Signalbox evaluates it in the session of the main agent.',
    'If a stop is denied, the client continues with our reason as a prompt; that starts no new turn.',
    'Your own agents are known by the `name` in their file, not by the file name.',
    'Tools of MCP servers have plain names: write them in the policy as the client does.',
  ],
  decode,
  encode,
  failure: encodeFailure,
  readOutput: readOutput,
  rewritten: (payload, input) => ({ payload: replaceToolArgs(payload, input), input }),
}

const replaceToolArgs = (payload: JsonObject, input: JsonObject): JsonObject => {
  const key = ['toolArgs', 'tool_args', 'toolInput'].find(name => payload[name] !== undefined) ?? 'tool_input'
  return { ...payload, [key]: input }
}
