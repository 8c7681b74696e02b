import type { Traces } from '../client.ts'
import { text } from '../wire.ts'

export const traces: Traces = {
  title: 'Cursor',
  registrations: [
    '.cursor/hooks.json',
    '~/.cursor/hooks.json',
    '/etc/cursor/',
    '/Library/Application Support/Cursor/hooks.json',
  ],
  // not the editor: a person's own terminal is one of its children
  processes: ['cursor-agent'],
  marks: ['CURSOR_AGENT'],
  isSender: payload =>
    text(payload, 'cursor_version') !== undefined &&
    (text(payload, 'conversation_id') !== undefined || Array.isArray(payload.workspace_roots)),
}
