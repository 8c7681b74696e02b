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
  unverified: 'Made from the documentation and the hook engine of its SDK (1.0.32): it could not be recorded.',
  capabilities,
  untold,
  says: { mcp: 'tool', untyped: true },
  spawns: { tool: 'Task', field: 'subagent_type' },
  toolNames,
  eventNames,
  refusable: ['preToolUse', 'PreToolUse', 'beforeShellExecution', 'beforeMCPExecution', 'beforeReadFile'],
  projectEnv: 'CURSOR_PROJECT_DIR',
  notes: [
    '`timeout` is in seconds (60 unless told). `failClosed: true` refuses where the hook cannot be run: Signalbox always prints an object, so no opinion stays one.',
    'It also runs the hooks of `.claude/settings.json`. Such an event is known for its own by its `cursor_version`, whatever `--client` says, and counts once.',
    'Register `preToolUse`, `postToolUse` and `postToolUseFailure`, or `beforeShellExecution` and its like, not both: a call that is told twice is judged twice. The latter do not say who calls.',
    'A call with `parent_tool_call_id` counts as an agent’s; its type is not told.',
    'An MCP tool is `mcp__<tool>`: its server is not told.',
    'How a shell call ended is known only if its output says `exitCode`.',
    'A stop is held by a `followup_message`, at most five times (`loop_limit`).',
  ],
  decode,
  encode,
  failure: encodeFailure,
  hear: parseHookOutput,
  rewritten: (payload, input) => ({ payload: { ...payload, tool_input: input }, input }),
}
