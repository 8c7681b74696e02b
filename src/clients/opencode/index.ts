import { objectField } from '../adapter/decode.ts'
import type { Client } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { CLIENT_ID, decode, eventNames } from './decode.ts'
import { encode, encodeFailure } from './encode.ts'
import { footprint } from './footprint.ts'
import { parseHookOutput } from './hook-output.ts'
import { toNativeInput, toolNames, untold } from './tools.ts'

export const client: Client = {
  id: CLIENT_ID,
  ...footprint,
  capabilities,
  unanswered: ['session.end'],
  untold,
  spawns: { tool: 'task', field: 'subagent_type' },
  toolNames,
  eventNames,
  refusable: ['tool.execute.before'],
  notes: [
    'opencode runs no hook commands: a plugin that Signalbox writes carries each event to the hook, and does what it says. The payloads are those of the plugin.',
    'If the hook cannot be run, hangs or prints garbage, the plugin refuses the call or lets it pass, as it was written to: `--on-error`. A plugin that cannot be loaded is ignored by opencode.',
    'Plugins run in one process: another plugin can undo whatever this one does. Guard the folders they are loaded from.',
    'A session with a parent is an agent of the session at the top; where the parent cannot be asked for, the caller is unknown and `unsure` decides.',
    'There is nobody to ask: `ask` refuses. There is no permission event to answer.',
    'A refused prompt reaches the model as our reason in its place: a throw would refuse it too, but nobody would learn why.',
    'An agent stops when its `task` ends: too late to be refused, so words go to who spawned it. A background task does not say when it ends.',
    'A stop is held by a prompt of ours, which begins no turn. `opencode run` ends before it is heard: it holds in the TUI and in the server.',
    'Messages to the person are toasts of the TUI.',
    'A shell call says its exit code; one that was cut off (by its timeout) says none, and is unknown.',
  ],
  decode,
  encode,
  failure: encodeFailure,
  hear: parseHookOutput,
  rewritten: (payload, input) => {
    const args = toNativeInput(input)
    return { payload: { ...payload, output: { ...objectField(payload, 'output'), args } }, input: args }
  },
}
