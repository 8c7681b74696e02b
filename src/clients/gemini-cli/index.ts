import type { Client } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { CLIENT_ID, decode, eventNames, transcriptPathsOf } from './decode.ts'
import { encode, encodeFailure } from './encode.ts'
import { footprint } from './footprint.ts'
import { readOutput } from './hook-output.ts'
import { mergeRewrittenInput } from './rewritten-input.ts'
import { toolNames, toolsWithoutEvents } from './tools.ts'

export const client: Client = {
  id: CLIENT_ID,
  backend: 'gemini',
  ...footprint,
  capabilities,
  eventsWithoutReply: ['session.end'],
  toolsWithoutEvents,
  payloadDetails: { sources: ['user', 'system'] },
  spawns: { tool: 'invoke_agent', field: 'agent_name' },
  toolNames,
  eventNames,
  // `-p` may be combined with other letters (`-yp`) or with its text, and yargs accepts `--p`
  unattended: /^(-\w*p|--p(rompt)?(=|$))/,
  refusable: ['BeforeTool'],
  projectEnv: 'GEMINI_PROJECT_DIR',
  transcriptPathsOf,
  notes: [
    'If no subagent runs, the main agent makes the call; if one runs, that subagent; if several run, the caller is unknown and `unsure` decides.',
    'The client runs the calls of a turn in parallel, so a call right after an agent was spawned may come from the main agent. An agent has its own transcript as soon as it runs: a call before that comes from the main agent. Without transcripts, the caller is unknown until another call has ended, or two seconds have passed without one.',
    '`ask` holds the call until a person answers. If nobody can (`gemini -p`, no terminal, under `signalbox orchestrate`), the client would wait forever: Signalbox denies the call and says so. Linux only.',
    'A subagent stops at its `complete_task`, which can be denied; without it, it stops when `invoke_agent` ends.',
    'If a stop is denied, the client continues with our reason as a prompt; that starts no new turn.',
    'A rewritten `tool_input` may be partial: its fields replace those of the call, the others stay.',
    'A shell call counts as successful only if its result is complete: cancelled, summarised and background runs are unknown.',
  ],
  decode,
  encode,
  failure: encodeFailure,
  readOutput: readOutput,
  rewritten: mergeRewrittenInput,
}
