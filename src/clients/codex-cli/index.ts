import type { Client } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { CLIENT_ID, decode, eventNames } from './decode.ts'
import { encode, encodeFailure } from './encode.ts'
import { footprint } from './footprint.ts'
import { readOutput } from './hook-output.ts'
import { toolNames, unreportedTools } from './tools.ts'

export const client: Client = {
  id: CLIENT_ID,
  backend: 'codex',
  ...footprint,
  capabilities,
  eventsWithoutReply: ['session.end'],
  toolsWithoutEvents: unreportedTools,
  payloadDetails: { sources: ['user', 'system', 'agent'], fields: { Bash: ['command'] } },
  spawns: { tool: 'spawn_agent', field: 'agent_type' },
  toolNames,
  eventNames,
  loginShell: true,
  refusable: ['PreToolUse', 'PermissionRequest'],
  notes: [
    'Codex CLI silently skips a hook that was not reviewed (`/hooks`), and one whose command changed after the review. Do not change the command.',
    '`timeout` is in seconds. If a hook is late, crashes or is missing, the call passes. Signalbox replies before the timeout.',
    '`ask` becomes a denial that says so: the client would treat a question as an error and run the call.',
    'The client does not report exit codes: `succeeded` needs `signalbox run -- …` in front of the command.',
    'Signalbox reads a patch as `apply_patch` or in a shell command (`apply_patch <<EOF`). The latter has no PostToolUse.',
    'Input for a running command (`write_stdin`) and web searches cause no event.',
    'The payload does not contain the folder of a command (`workdir` of `exec_command`): relative paths start at the folder of the session.',
  ],
  decode,
  encode,
  failure: encodeFailure,
  readOutput: readOutput,
  rewritten: (payload, input) => ({ payload: { ...payload, tool_input: input }, input }),
}
