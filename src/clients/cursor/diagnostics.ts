import type { ClientDiagnostics } from '../adapter/diagnostics.ts'
import { CLIENT_ID } from './decode.ts'

export const diagnostics: ClientDiagnostics = {
  id: CLIENT_ID,
  files: [
    { path: '/etc/cursor/hooks.json', scope: 'managed' },
    { path: '/Library/Application Support/Cursor/hooks.json', scope: 'managed' },
    { path: '~/.cursor/hooks.json', scope: 'user' },
    { path: '.cursor/hooks.json', scope: 'project' },
  ],
  shape: 'flat',
  // from the documentation
  events: {
    sessionStart: 'none',
    sessionEnd: 'none',
    beforeSubmitPrompt: 'other',
    preToolUse: 'tool',
    postToolUse: 'tool',
    postToolUseFailure: 'tool',
    beforeShellExecution: 'other',
    afterShellExecution: 'other',
    beforeMCPExecution: 'tool',
    afterMCPExecution: 'tool',
    beforeReadFile: 'other',
    afterFileEdit: 'other',
    subagentStart: 'other',
    subagentStop: 'other',
    preCompact: 'none',
    afterAgentResponse: 'other',
    afterAgentThought: 'other',
    stop: 'other',
    beforeTabFileRead: 'other',
    afterTabFileEdit: 'other',
    workspaceOpen: 'none',
  },
  gates: ['preToolUse', 'beforeShellExecution'],
  types: ['command', 'prompt'],
  typeless: true,
  commands: ['command'],
  timeout: { keys: ['timeout'], unit: 's' },
  needs: { version: 1 },
  closes: { by: ['failClosed', true] },
  broken: 'ignores that entry',
  switches: () => [],
  mcp: name => {
    const [, tool] = /^mcp__[\w-]+?__(\w+)$/.exec(name) ?? []
    return tool ? `MCP:${tool}` : undefined
  },
  // Cursor does not name the server
  policyMcp: name => {
    const [, tool] = /^mcp__[\w-]+?__(\w+)$/.exec(name) ?? []
    return tool ? `mcp__${tool}` : undefined
  },
  starts: {
    shell: 'sh',
    projectEnv: ['CURSOR_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'],
    env: { CURSOR_VERSION: '2.6.0' },
    cwd: { user: '~/.cursor', managed: '/etc/cursor' },
  },
  noHeadlessRunReason: 'it accepts no test model, so doctor cannot run it: ask it to run the test call yourself',
}
