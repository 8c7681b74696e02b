import { stringField } from '../adapter/decode/fields.ts'
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
  isSender: payload =>
    stringField(payload, 'cursor_version') !== undefined &&
    (stringField(payload, 'conversation_id') !== undefined || Array.isArray(payload.workspace_roots)),
}
