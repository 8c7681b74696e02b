import type { JsonObject } from '../../lib/json.ts'
import type { ClientFootprint } from '../client.ts'
import { stringFieldOf, timestampOf } from './fields.ts'

/** Only Copilot sends `sessionId`. In the other style its payloads have a timestamp, and any transcript is below `session-state`. */
const isOwnPayload = (payload: JsonObject): boolean => {
  if (timestampOf(payload) === undefined) return false
  if (payload.session_id === undefined) return stringFieldOf(payload, 'sessionId') !== undefined
  const transcript = stringFieldOf(payload, 'transcriptPath')
  return transcript === undefined || /[\\/]session-state[\\/]/.test(transcript)
}

export const footprint: ClientFootprint = {
  title: 'Copilot CLI',
  registrations: [
    '.github/hooks/',
    '.github/copilot/settings.json',
    '.github/copilot/settings.local.json',
    '~/.copilot/hooks/',
    '~/.copilot/settings.json',
    '/etc/github-copilot/',
  ],
  processes: ['copilot', '@github/copilot'],
  marks: ['COPILOT_CLI'],
  moves: { env: 'COPILOT_HOME', from: '~/.copilot' },
  payloadMarks: [{ env: 'COPILOT_CLI', isOwn: isOwnPayload }],
}
