import type { Client } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { CLIENT_ID, decode, eventNames } from './decode.ts'
import { encode, encodeFailure } from './encode.ts'
import { footprint } from './footprint.ts'
import { parseHookOutput } from './hook-output.ts'
import { toolNames, unreportedTools } from './tools.ts'

export const client: Client = {
  id: CLIENT_ID,
  backend: 'codex',
  ...footprint,
  capabilities,
  unanswered: ['session.end'],
  untold: unreportedTools,
  says: { sources: ['user', 'system', 'agent'], fields: { Bash: ['command'] } },
  spawns: { tool: 'spawn_agent', field: 'agent_type' },
  toolNames,
  eventNames,
  loginShell: true,
  refusable: ['PreToolUse', 'PermissionRequest'],
  notes: [
    'A hook that was not reviewed (`/hooks`) is skipped in silence, and so is one whose command was changed: keep the command as it is.',
    '`timeout` is in seconds. A hook that is late, crashes or is missing lets the call pass: Signalbox answers before that.',
    '`ask` is a refusal that says so: the client takes the question for an error, and runs the call.',
    'How a call ended is not reported: `succeeded` needs `signalbox run -- …` in front of the command.',
    'A patch is read whichever way it comes: as `apply_patch`, or in a shell line (`apply_patch <<EOF`). After the latter there is no PostToolUse.',
    'Input typed into a running command (`write_stdin`) and searches on the web raise no event.',
    'The folder a command is told to run in (`workdir` of `exec_command`) is not in the payload: relative paths count from the folder of the session.',
  ],
  decode,
  encode,
  failure: encodeFailure,
  hear: parseHookOutput,
  rewritten: (payload, input) => ({ payload: { ...payload, tool_input: input }, input }),
}
