import { type ClientSettings, createMarkdownAgent, hookEntriesByEvent, toSeconds } from '../adapter/settings.ts'
import { CLIENT_ID } from './decode.ts'

export const REGISTERED_EVENTS = [
  'sessionStart',
  'userPromptSubmitted',
  'preToolUse',
  'permissionRequest',
  'postToolUse',
  'postToolUseFailure',
  'subagentStart',
  'subagentStop',
  'agentStop',
  'sessionEnd',
]

export const settings: ClientSettings = {
  id: CLIENT_ID,
  programs: ['copilot'],
  folders: ['~/.copilot'],
  files: {
    user: '~/.copilot/hooks/signalbox.json',
    project: '.github/hooks/signalbox.json',
    managed: '/etc/github-copilot/policy.d/signalbox.json',
  },
  hook: {
    kind: 'settings',
    // plain JSON only: with comments or other extensions it silently runs no hook of the file (1.0.102)
    reads: {},
    defaultKeys: { version: 1 },
    // payloads do not name their event, so the command line does
    entries: hookEntriesByEvent(REGISTERED_EVENTS, ({ line, timeoutMs }, event) => ({
      type: 'command',
      bash: `${line} --client ${CLIENT_ID} --event ${event}`,
      timeoutSec: toSeconds(timeoutMs),
    })),
  },
  agents: {
    files: { user: name => `~/.copilot/agents/${name}.agent.md`, project: name => `.github/agents/${name}.agent.md` },
    text: createMarkdownAgent(),
    // agents that `task` offers to the model, and other definitions in the package (1.0.102)
    builtIn: [
      ...['explore', 'task', 'general-purpose', 'code-review', 'research', 'security-review'],
      ...['rubber-duck', 'rem-agent'],
    ],
  },
  memory: { user: '~/.copilot/copilot-instructions.md', project: 'AGENTS.md' },
  canary: ({ command, id, cwd, now }) => ({
    event: 'preToolUse',
    payload: {
      sessionId: id,
      timestamp: Date.parse(now),
      cwd,
      toolName: 'bash',
      toolArgs: { command, description: 'canary' },
    },
  }),
}
