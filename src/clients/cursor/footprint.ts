import type { ClientFootprint } from '../client.ts'

export const footprint: ClientFootprint = {
  title: 'Cursor',
  registrations: [
    '.cursor/hooks.json',
    '~/.cursor/hooks.json',
    '/etc/cursor/',
    '/Library/Application Support/Cursor/hooks.json',
  ],
  // not the editor: the user's own terminal is one of its child processes
  processes: ['cursor-agent'],
  marks: ['CURSOR_AGENT'],
  payloadMarks: [
    { texts: ['cursor_version', 'conversation_id'] },
    { texts: ['cursor_version'], lists: ['workspace_roots'] },
  ],
}
