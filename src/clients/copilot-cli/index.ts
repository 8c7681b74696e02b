import type { JsonObject } from '../../lib/json.ts'
import type { Client } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { CLIENT_ID, decode, eventNames } from './decode.ts'
import { encode, encodeFailure } from './encode.ts'
import { footprint } from './footprint.ts'
import { parseHookOutput } from './hook-output.ts'
import { toolNames, untold } from './tools.ts'

export const client: Client = {
  id: CLIENT_ID,
  ...footprint,
  capabilities,
  unanswered: ['session.end', 'agent.start'],
  untold,
  says: { mcp: 'nothing' },
  spawns: { tool: 'task', field: 'agent_type' },
  toolNames,
  eventNames,
  refusable: ['preToolUse', 'PreToolUse', 'permissionRequest', 'PermissionRequest'],
  unnamed: 'preToolUse',
  projectEnv: 'COPILOT_PROJECT_DIR',
  agentSessions: true,
  notes: [
    'Text for a shell that runs already (`write_bash`) is judged as a line of shell, and as one that cannot be read.',
    'Both spellings of an event work, `preToolUse` and `PreToolUse`, also at once: what comes twice is answered the same and counts once.',
    'It also runs the hooks of `.claude/settings.json` in a folder it trusts. Such an event is known for its own, whatever `--client` says.',
    '`timeoutSec` is in seconds. A hook that crashes before a call refuses it; one that is late lets it pass: Signalbox answers before that.',
    '`ask` without a person (`copilot -p`) is a refusal.',
    'An agent has a session of its own: it is judged in that of the main agent, and so is an agent of an agent.',
    'A refused stop goes on as a prompt that is our reason; it begins no turn.',
    'An agent of your own is called as the `name` in its file says, not as the file.',
    'Tools of MCP servers have plain names: a policy names them as the client does.',
  ],
  decode,
  encode,
  failure: encodeFailure,
  hear: parseHookOutput,
  rewritten: (payload, input) => ({ payload: replaceToolArgs(payload, input), input }),
}

const replaceToolArgs = (payload: JsonObject, input: JsonObject): JsonObject => {
  const key = ['toolArgs', 'tool_args', 'toolInput'].find(name => payload[name] !== undefined) ?? 'tool_input'
  return { ...payload, [key]: input }
}
