import { describe, expect, it } from 'vitest'
import { type Patient, type Report, withPatient } from './doctor-sandbox.ts'

const ENFORCER = 'node "$CLAUDE_PLUGIN_ROOT/hooks/router-first-enforcer.mjs"'
const PLUGIN = '~/.claude/plugins/cache/studio/agent-studio'
const json = (value: unknown): string => JSON.stringify(value, null, 2)

const hooksOf = (command: string) => ({
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] },
})

/** Claude Code with our hook, and a plugin of somebody else. */
function withPlugin(patient: Patient, version: string, command: string, enabled: boolean | 'unsaid' = true): void {
  const file = patient.register('claude-code')
  patient.put(`${PLUGIN}/${version}/hooks/hooks.json`, json(hooksOf(command)))
  if (enabled === 'unsaid') return
  const settings = patient.read(file)
  patient.put('~/.claude/settings.json', json({ ...settings, enabledPlugins: { 'agent-studio@studio': enabled } }))
}

const found = ({ problems, notes }: Report, id: string) => [...problems, ...notes].filter(one => one.id === id)

const ROUTER = 'use: [router-first]\n'

describe('a hook whose work a pack does', () => {
  it('is found in a plugin', () =>
    withPatient({ project: ROUTER }, async patient => {
      withPlugin(patient, '1.0.0', ENFORCER)
      expect(found(await patient.look(), 'HOOK-REPLACED')).toMatchObject([
        {
          severity: 'problem',
          file: `${PLUGIN.replace('~', '/home/dev')}/1.0.0/hooks/hooks.json`,
          effect: expect.stringContaining('the pack `router-first`'),
          fix: 'disable the plugin, or take the hook out of that file',
        },
      ])
    }))

  it.each<readonly [string, string, boolean | 'unsaid']>([
    ['the plugin is disabled', ROUTER, false],
    ['nobody enabled the plugin', ROUTER, 'unsaid'],
    ['the pack is not used', 'use: [tool-routing]\n', true],
    ['the pack only observes', 'use: [{ router-first: { mode: observe } }]\n', true],
  ])('is none where %s', (_, policy, enabled) =>
    withPatient({ user: policy }, async patient => {
      withPlugin(patient, '1.0.0', ENFORCER, enabled)
      expect(found(await patient.look(), 'HOOK-REPLACED')).toEqual([])
    }),
  )

  it('is asked of the newest version of a plugin only', () =>
    withPatient({ project: ROUTER }, async patient => {
      withPlugin(patient, '1.9.0', ENFORCER)
      withPlugin(patient, '1.10.0', 'node other.mjs')
      expect(found(await patient.look(), 'HOOK-REPLACED')).toEqual([])
      expect(found(await patient.look(), 'OTHER-HOOKS')).toMatchObject([
        {
          found: 'PreToolUse: node other.mjs',
          fix: 'none, if you want the plugin that they belong to: `init --adopt` does not read plugins',
        },
      ])
    }))

  it('is found in an extension of Gemini CLI', () =>
    withPatient({ project: ROUTER }, async patient => {
      patient.register('gemini-cli')
      const hooks = { BeforeTool: [{ hooks: [{ type: 'command', command: 'node router_first_enforcer.js' }] }] }
      patient.put('~/.gemini/extensions/studio/hooks/hooks.json', json({ hooks }))
      expect(found(await patient.look(), 'HOOK-REPLACED')).toMatchObject([{ client: 'gemini-cli' }])
      const off = { studio: { overrides: ['!/*'] } }
      patient.put('~/.gemini/extensions/extension-enablement.json', json(off))
      expect(found(await patient.look(), 'HOOK-REPLACED')).toEqual([])
    }))

  it('is found in settings, and in a policy that it was adopted into', () =>
    withPatient(
      { project: ROUTER, user: `hooks: [{ event: tool.before, run: 'node router-first-enforcer.mjs' }]\n` },
      async patient => {
        const settings = patient.read(patient.register('claude-code'))
        settings.hooks.PreToolUse.push({
          hooks: [{ type: 'command', command: 'node .claude/router-first-enforcer.mjs' }],
        })
        patient.put('~/.claude/settings.json', json(settings))
        expect(found(await patient.look(), 'HOOK-REPLACED').map(({ fix }) => fix)).toEqual([
          'signalbox init --client claude-code --adopt',
          'take it out of that policy',
        ])
      },
    ))
})

describe('an MCP server that the policy names', () => {
  const MEMORY = `gates:
  memory:
    rules: [{ when: { event: tool.before, tool: mcp__memory__add }, then: deny, message: No. }]
`
  const SERVERS = { mcpServers: { memory: { command: 'memory' } } }
  const missing = async (patient: Patient) => found(await patient.look(), 'MCP-SERVER')

  it('is noted if nobody is told of it', () =>
    withPatient({ project: MEMORY }, async patient => {
      patient.register('claude-code')
      patient.put('.mcp.json', json({ mcpServers: { memo: { command: 'memo' } } }))
      expect(await missing(patient)).toMatchObject([
        { severity: 'note', line: 3, found: 'the policy names `mcp__memory__add`; servers here: memo' },
      ])
    }))

  it.each<readonly [string, string, unknown]>([
    ['the project', '.mcp.json', SERVERS],
    ['the user', '~/.claude.json', SERVERS],
    ['a plugin', `${PLUGIN}/1.0.0/.mcp.json`, SERVERS],
    ['a plugin, without a key around it', `${PLUGIN}/1.0.0/.mcp.json`, SERVERS.mcpServers],
    ['the manifest of a plugin', `${PLUGIN}/1.0.0/.claude-plugin/plugin.json`, SERVERS],
  ])('is known from %s', (_, file, said) =>
    withPatient({ project: MEMORY }, async patient => {
      withPlugin(patient, '1.0.0', 'true')
      patient.put(file, json(said))
      expect(await missing(patient)).toEqual([])
    }),
  )

  it('is known from the settings for one project, and by the name of its plugin', () =>
    withPatient({ project: MEMORY.replace('mcp__memory', 'mcp__plugin_studio_memory') }, async patient => {
      patient.register('claude-code')
      patient.put('~/.claude.json', json({ projects: { [patient.project]: SERVERS } }))
      expect(await missing(patient)).toEqual([])
    }))

  it.each(['ide', 'claude_ai_Linear'])('is not asked for where it stands in no file: %s', server =>
    withPatient({ project: MEMORY.replace('mcp__memory', `mcp__${server}`) }, async patient => {
      patient.register('claude-code')
      expect(await missing(patient)).toEqual([])
    }),
  )

  it('is known from the TOML of Codex CLI', () =>
    withPatient({ project: MEMORY }, async patient => {
      patient.register('codex-cli')
      expect(await missing(patient)).toHaveLength(1)
      patient.put('~/.codex/config.toml', '[mcp_servers.memory]\ncommand = "memory"\n')
      expect(await missing(patient)).toEqual([])
    }))

  it('is not asked where the places of servers are not all known', () =>
    withPatient({ project: MEMORY }, async patient => {
      patient.register('claude-code')
      patient.register('copilot-cli')
      expect(await missing(patient)).toEqual([])
    }))
})

describe('an agent whose end is all that opens a gate', () => {
  const waitsFor = (...openings: readonly string[]): string => `gates:
  review:
    initial: closed
    transitions: [${openings.map(when => `{ from: closed, to: open, when: ${when} }`).join(', ')}]
    rules: [{ while: closed, when: { event: tool.before, action: write }, then: deny, message: Have it reviewed. }]
`
  const REVIEWED = '{ event: agent.stop, agent: reviewer }'
  const missing = (policy: string, agents: readonly string[] = []) =>
    withPatient({ project: policy }, async patient => {
      patient.register('claude-code')
      for (const agent of agents) patient.put(`.claude/agents/${agent}.md`, `---\nname: ${agent}\n---\n`)
      return found(await patient.look(), 'AGENT-MISSING')
    })

  it('is found if it is missing', async () => {
    const effect =
      'only the end of the agent `reviewer` opens "review", and Claude Code has no such agent: it cannot go on'
    expect(await missing(waitsFor(REVIEWED))).toMatchObject([{ severity: 'problem', effect }])
  })

  it('is none if a plugin brings it', () =>
    withPatient({ project: waitsFor(REVIEWED) }, async patient => {
      withPlugin(patient, '1.0.0', 'true')
      patient.put(`${PLUGIN}/1.0.0/agents/reviewer.md`, '---\nname: reviewer\n---\n')
      expect(found(await patient.look(), 'AGENT-MISSING')).toEqual([])
    }))

  it.each<readonly [string, readonly string[], readonly string[]]>([
    ['is there', [REVIEWED], ['reviewer']],
    ['is one of two, and the other is there', [REVIEWED, REVIEWED.replace('reviewer', 'other')], ['other']],
    ['is not the only way', [REVIEWED, '{ event: tool.after, command: npm test, succeeded: true }'], []],
    ['is any agent', ['{ event: agent.stop }'], []],
    ['is built in', [REVIEWED.replace('reviewer', 'general-purpose')], []],
  ])('is none if it %s', async (_, openings, agents) => {
    expect(await missing(waitsFor(...openings), agents)).toEqual([])
  })
})
