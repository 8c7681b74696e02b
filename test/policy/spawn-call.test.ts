import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRouterAgent } from '../../src/app/install/agent-docs/router-agent.ts'
import { clients } from '../../src/clients/index.ts'
import { fillSpawnCalls } from '../../src/policy/compile/values/spawn-call.ts'
import { House } from './policy-sandbox.ts'

/** As payloads recorded from the real agents name it. */
const CALLS: Readonly<Record<string, string>> = {
  'claude-code': 'Agent subagent_type',
  'codex-cli': 'spawn_agent agent_type',
  'copilot-cli': 'task agent_type',
  cursor: 'Task subagent_type',
  'gemini-cli': 'invoke_agent agent_name',
  generic: 'Task subagent_type',
  opencode: 'task subagent_type',
  'qwen-code': 'agent subagent_type',
}

describe('the call that starts a subagent', () => {
  it.each(clients.map(client => [client.id, client] as const))(
    'of %s is one that it has',
    (id, { spawns, toolNames }) => {
      expect(`${spawns.tool} ${spawns.field}`).toBe(CALLS[id])
      expect(toolNames[spawns.tool] ?? spawns.tool).toBe('Agent')
    },
  )

  it('is named to each in its own words, whatever text names it', () => {
    const served = clients.map(({ id, spawns }) => ({ id, spawns }))
    const said = fillSpawnCalls({ default: '{{ {spawn.tool} {spawn.field}', generic: 'box' }, served as never)
    for (const [id, call] of Object.entries(CALLS))
      expect(said).toHaveProperty(id, id === 'generic' ? 'box' : `{{ ${call}`)
    expect(fillSpawnCalls('plain {tool}', served as never)).toBe('plain {tool}')
  })

  it('a variable beside it is an error', () => {
    const policy = 'gates: { g: { rules: [{ when: { event: tool.before }, then: deny, message: "{spawn.tol}" }] } }'
    expect(new House().problems(policy).join()).toContain('did you mean `{spawn.tool}`?')
  })
})

it('the router is asked for every field that a decision has', () => {
  const schema = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../packs/router-first/decision.schema.json'), 'utf8'),
  )
  const [json = ''] = /\{"intent"[\s\S]*?\}/.exec(createRouterAgent(undefined).instructions) ?? []
  expect(Object.keys(JSON.parse(json))).toEqual(Object.keys(schema.properties))
})
