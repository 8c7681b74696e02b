import type { JsonObject } from '../../pattern/index.ts'
import type { Traces } from '../client.ts'
import { timeOf, word } from './fields.ts'

export const traces: Traces = {
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
  isSender: (payload, env) => Boolean(env.COPILOT_CLI) && isOwn(payload),
}

/** One style is nobody else's. The other is timed, and has a transcript only in its own folder: others have one everywhere. */
const isOwn = (payload: JsonObject): boolean => {
  if (timeOf(payload) === undefined) return false
  if (payload.session_id === undefined) return word(payload, 'sessionId') !== undefined
  const transcript = word(payload, 'transcriptPath')
  return transcript === undefined || /[\\/]session-state[\\/]/.test(transcript)
}
