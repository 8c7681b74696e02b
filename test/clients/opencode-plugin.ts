import { objectField, stringField } from '../../src/clients/adapter/decode.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { capture } from '../support/clients/captures.ts'

/** A recorded hook or event (`event.…`) as the plugin sends it. An agent's session was recorded with its parent, or is named here. */
export function fromPlugin(name: string): JsonObject {
  const raw = capture(`opencode-1.18.33/${name}`)
  const type = stringField(raw, 'type')
  const info = objectField(objectField(raw, 'properties'), 'info')
  const session =
    stringField(objectField(raw, 'input'), 'sessionID') ??
    stringField(objectField(raw, 'properties'), 'sessionID') ??
    'ses_1'
  const parent = stringField(info, 'parentID')
  const agent = stringField(objectField(objectField(raw, 'output'), 'message'), 'agent') ?? stringField(info, 'agent')
  const inAgent = parent !== undefined || name.includes('subagent')
  return {
    hook_event_name:
      type ??
      name
        .split('.')
        .slice(0, name.startsWith('tool.') ? 3 : 2)
        .join('.'),
    session_id: parent ?? session,
    caller: inAgent ? 'agent' : 'main',
    ...(inAgent && { agent_id: session }),
    ...(agent !== undefined && { agent_type: agent }),
    cwd: '/home/dev/proj',
    timestamp: '2026-11-15T08:00:00.000Z',
    ...(type === undefined
      ? { input: raw.input ?? null, output: raw.output ?? null }
      : { properties: raw.properties ?? null }),
  }
}
