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
  eventsWithoutReply: ['session.end'],
  toolsWithoutEvents,
  spawns: { tool: 'agent', field: 'subagent_type' },
  toolNames,
  eventNames,
  typedAtStart: true,
  refusable: ['PreToolUse', 'PermissionRequest'],
  projectEnv: 'QWEN_PROJECT_DIR',
  notes: [
    'Timeouts of a `command` hook are in milliseconds (default 60000), of an `http` or `prompt` hook in seconds.',
    'A denial by exit code 2 without text on stderr lets the call run. Signalbox always prints a reason.',
    '`ask` asks the person; in headless runs and in background agents the client treats it as a denial.',
    "A subagent's calls carry an id and no type. Signalbox remembers the type that SubagentStart gives for the id. If it saw no start, it reads the type out of ids like `<type>-call_…`; otherwise the type is unknown, and rules about agents by name follow their `unsure`.",
    'UserPromptSubmit comes again after every batch of tools, with an empty prompt: its source is `system`, and no turn starts. The same applies to the reason of a denied stop.',
    'A call that has run cannot be denied: the agent gets the denial as a text.',
    'A shell call counts as successful only if its report says `Exit Code: 0`; cancelled and background runs are unknown.',
    'The client reads a rewritten input only at PermissionRequest.',
  ],
  decode,
  encode,
  failure: encodeFailure,
  readOutput: readOutput,
  rewritten: (payload, input) => ({ payload: { ...payload, tool_input: input }, input }),
}
