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
  unverified: 'Based on its documentation and the hook engine of its SDK (1.0.32), not on recordings.',
  capabilities,
  toolsWithoutEvents,
  payloadDetails: { mcp: 'tool', untyped: true },
  spawns: { tool: 'Task', field: 'subagent_type' },
  toolNames,
  eventNames,
  refusable: ['preToolUse', 'PreToolUse', 'beforeShellExecution', 'beforeMCPExecution', 'beforeReadFile'],
  projectEnv: 'CURSOR_PROJECT_DIR',
  notes: [
    '`timeout` is in seconds (default 60). `failClosed: true` denies a call if the hook cannot be run. Signalbox always prints an object, so that no reply is taken for a failure.',
    'It also runs the hooks of `.claude/settings.json`. Signalbox recognizes such an event by its `cursor_version`, whatever `--client` says, and counts it once.',
    'Register `preToolUse`, `postToolUse` and `postToolUseFailure`, or `beforeShellExecution` and similar, not both: a call that is reported twice is evaluated twice. The latter do not report the caller.',
    'A call with `parent_tool_call_id` counts as a subagent’s; the client does not report its type.',
    'An MCP tool is `mcp__<tool>`: the client does not report its server.',
    'How a shell call ended is known only if its output says `exitCode`.',
    'A stop is denied by a `followup_message`, at most five times (`loop_limit`).',
  ],
  decode,
  encode,
  failure: encodeFailure,
  readOutput: readOutput,
  rewritten: (payload, input) => ({ payload: { ...payload, tool_input: input }, input }),
}
