import { objectField } from '../adapter/decode.ts'
import type { Client } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { CLIENT_ID, decode, eventNames } from './decode.ts'
import { encode, encodeFailure } from './encode.ts'
import { footprint } from './footprint.ts'
import { readOutput } from './hook-output.ts'
import { toNativeInput, toolNames, toolsWithoutEvents } from './tools.ts'

export const client: Client = {
  id: CLIENT_ID,
  ...footprint,
  capabilities,
  eventsWithoutReply: ['session.end'],
  toolsWithoutEvents,
  spawns: { tool: 'task', field: 'subagent_type' },
  toolNames,
  eventNames,
  refusable: ['tool.execute.before'],
  notes: [
    'opencode runs no hook commands: a plugin that Signalbox writes sends each event to the hook and applies the reply. The payloads are those of the plugin.',
    'If the hook cannot be run, hangs or prints something else, the plugin denies the call or lets it pass, as `--on-error` says. opencode ignores a plugin that cannot be loaded.',
    'Plugins run in one process: another plugin can undo what this one does. Protect the folders they are loaded from.',
    'A session with a parent is a subagent of the top session; if the parent cannot be determined, the caller is unknown and `unsure` decides.',
    'There is nobody to ask: `ask` denies. There is no permission event.',
    'A denied prompt is replaced by our reason, so that the model and the person learn why.',
    'A subagent stops when its `task` ends: too late to deny it, so texts go to the agent that started it. A background task does not report its end.',
    'A stop is denied by a prompt of ours, which starts no new turn. `opencode run` ends before that: it works in the TUI and in the server.',
    'Messages to the person are toasts of the TUI.',
    'A shell call reports its exit code; one that was stopped by its timeout reports none and is unknown.',
  ],
  decode,
  encode,
  failure: encodeFailure,
  readOutput: readOutput,
  rewritten: (payload, input) => {
    const args = toNativeInput(input)
    return { payload: { ...payload, output: { ...objectField(payload, 'output'), args } }, input: args }
  },
}
