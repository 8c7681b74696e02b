import { type ClientSettings, createMarkdownAgent, hookEntriesByEvent, toSeconds } from '../adapter/settings.ts'
import { CLIENT_ID } from './decode.ts'

export const REGISTERED_EVENTS = [
  'sessionStart',
  'beforeSubmitPrompt',
  'preToolUse',
  'postToolUse',
  'postToolUseFailure',
  'subagentStart',
  'subagentStop',
  'stop',
]

export const settings: ClientSettings = {
  id: CLIENT_ID,
  programs: ['cursor-agent', 'cursor'],
  folders: ['~/.cursor'],
  files: { user: '~/.cursor/hooks.json', project: '.cursor/hooks.json', managed: '/etc/cursor/hooks.json' },
  hook: {
    kind: 'settings',
    // not tested, so all extensions are allowed
    reads: { comments: true, trailingCommas: true, byteOrderMark: true },
    defaultKeys: { version: 1 },
    entries: hookEntriesByEvent(REGISTERED_EVENTS, ({ line, timeoutMs }, event) => ({
      command: `${line} --client ${CLIENT_ID}`,
      timeout: toSeconds(timeoutMs),
      ...(event === 'preToolUse' && { failClosed: true }),
    })),
  },
  agents: {
    files: { user: name => `~/.cursor/agents/${name}.md`, project: name => `.cursor/agents/${name}.md` },
    text: createMarkdownAgent('model: inherit\n', 'readonly: true\n'),
  },
  // Cursor keeps rules for all projects in its settings, not in a file
  memory: { project: 'AGENTS.md' },
  canary: ({ command, id, cwd }) => ({
    event: 'preToolUse',
    payload: {
      conversation_id: id,
      generation_id: id,
      hook_event_name: 'preToolUse',
      cursor_version: 'canary',
      workspace_roots: [cwd],
      cwd,
      tool_name: 'Shell',
      tool_input: { command },
      tool_use_id: id,
    },
  }),
}
