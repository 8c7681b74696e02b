import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type Stage, withStage } from '../support/in-process-command.ts'

const USER = '~/.claude/settings.json'
const POLICY = '~/.config/signalbox/signalbox.yaml'
const handler = (command: string, more: object = {}) => ({ type: 'command', command, ...more })
const SETTINGS = {
  model: 'x',
  hooks: {
    PreToolUse: [
      { matcher: 'Bash', hooks: [handler('echo "no rm" >&2; exit 2', { timeout: 20 })] },
      { hooks: [handler('watch', { async: true })] },
    ],
    Stop: [{ hooks: [handler('true')] }],
  },
}
const adoptAll = ['init', '--adopt', '--client', 'claude-code', '--yes']
const ours = /signalbox\S* hook|\.signalbox\/hook/
const commandsIn = (settings: unknown): readonly string[] =>
  [...JSON.stringify(settings).matchAll(/"command":"((?:[^"\\]|\\.)*)"/g)].flatMap(([, one = '']) =>
    ours.test(one) ? [] : one,
  )

/** As the agent would: the line in its settings, in a shell. */
function call(stage: Stage, settings: string, command: string) {
  const line: string = stage.json(settings).hooks.PreToolUse.at(-1).hooks[0].command
  const input = JSON.stringify({
    session_id: 's',
    cwd: stage.project,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: 't1',
  })
  const env = { PATH: process.env.PATH, HOME: stage.home, CLAUDE_PROJECT_DIR: stage.project }
  const { stdout, status } = spawnSync('sh', ['-c', line], { input, env, cwd: stage.project, encoding: 'utf8' })
  return { status, reply: stdout === '' ? {} : JSON.parse(stdout).hookSpecificOutput }
}

describe('signalbox init --adopt', () => {
  it("moves the person's hooks into the person's policy, and they go on running", () =>
    withStage(async stage => {
      stage.put(USER, SETTINGS)
      const before = stage.everything()
      expect(await stage.run(adoptAll, { isPerson: false })).toBe(0)
      expect(stage.said).toContain('Adopt  PreToolUse  echo "no rm" >&2; exit 2')
      expect(stage.said).toMatch(/Stays {2}PreToolUse {2}watch\n\s+a policy cannot express `async`/)
      expect(commandsIn(stage.json(USER))).toEqual(['watch'])
      expect(stage.json(USER).hooks.PreToolUse.every((group: { hooks?: unknown }) => group.hooks)).toBe(true)
      expect(parse(stage.text(POLICY)).hooks).toEqual([
        {
          client: 'claude-code',
          event: 'tool.before',
          called: 'PreToolUse',
          matcher: ['Bash'],
          run: 'echo "no rm" >&2; exit 2',
          timeoutMs: 20_000,
        },
        { client: 'claude-code', event: 'turn.stop', called: 'Stop', run: 'true', timeoutMs: 600_000 },
      ])
      expect(call(stage, USER, 'ls')).toEqual({
        status: 0,
        reply: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no rm' },
      })
      const after = stage.everything()
      expect(await stage.run(adoptAll, { isPerson: false })).toBe(0)
      expect(stage.said).toContain('Nothing to change.')
      expect(stage.everything()).toEqual(after)
      expect(await stage.run(['uninstall', '--yes'])).toBe(0)
      expect(stage.everything()).toEqual(before)
    }))

  it('behind the hooks of a policy that is there, which comes back to the byte', () =>
    withStage(async stage => {
      stage.put(USER, SETTINGS)
      stage.put(POLICY, '# mine\nhooks:\n  - { event: turn.stop, run: mine } # first\n')
      const before = stage.everything()
      expect(await stage.run(adoptAll)).toBe(0)
      expect(parse(stage.text(POLICY)).hooks.map(({ run }: { run: string }) => run)).toEqual([
        'mine',
        'echo "no rm" >&2; exit 2',
        'true',
      ])
      await stage.run(['uninstall', '--yes'])
      expect(stage.everything()).toEqual(before)
    }))

  it('without --adopt nothing of the person is moved', () =>
    withStage(async stage => {
      stage.put(USER, SETTINGS)
      expect(await stage.run(['init', '--client', 'claude-code', '--yes'])).toBe(0)
      expect(commandsIn(stage.json(USER))).toEqual(commandsIn(SETTINGS))
      expect(await stage.run(adoptAll)).toBe(0)
      expect(commandsIn(stage.json(USER))).toEqual(['watch'])
      await stage.run(['uninstall', '--yes'])
      expect(stage.json(USER)).toEqual(SETTINGS)
    }))

  it('puts hooks back where the files were changed since, and each runs once again', () =>
    withStage(async stage => {
      stage.put(USER, SETTINGS)
      stage.put(POLICY, 'hooks:\n  - { event: turn.stop, run: mine }\n')
      await stage.run(adoptAll)
      stage.put(USER, stage.text(USER).replace('"model": "x"', '"model": "y"'))
      stage.put(POLICY, `${stage.text(POLICY)}allow: { commands: [ls] }\n`)
      expect(await stage.run(['uninstall', '--yes'])).toBe(0)
      expect(stage.json(USER).model).toBe('y')
      expect(commandsIn(stage.json(USER)).toSorted()).toEqual(commandsIn(SETTINGS).toSorted())
      expect(stage.json(USER).hooks.PreToolUse).toContainEqual(SETTINGS.hooks.PreToolUse[0])
      expect(parse(stage.text(POLICY))).toEqual({
        hooks: [{ event: 'turn.stop', run: 'mine' }],
        allow: { commands: ['ls'] },
      })
    }))

  describe('of a project', () => {
    const TEAM = '.claude/settings.json'
    const args = [...adoptAll, '--scope', 'project']

    it('a person trusts what they saw, and it runs', () =>
      withStage(async stage => {
        stage.put(TEAM, SETTINGS)
        const before = stage.everything()
        // the launcher of a project looks for the program of the person
        await stage.run(['init', '--client', 'claude-code', '--yes'])
        expect(await stage.run(args)).toBe(0)
        expect(stage.said).toContain('Trust  ./signalbox.yaml')
        expect(commandsIn(stage.json(TEAM))).toEqual(['watch'])
        expect(call(stage, TEAM, 'ls').reply).toMatchObject({
          permissionDecision: 'deny',
          permissionDecisionReason: 'no rm',
        })
        await stage.run(['policy', 'show', '--json'])
        const layers: { layer: string; untrusted: unknown[] }[] = JSON.parse(stage.said).layers
        expect(layers.find(({ layer }) => layer === 'project')?.untrusted).toEqual([])
        expect(await stage.run(['uninstall', '--yes'])).toBe(0)
        expect(stage.everything()).toEqual(before)
      }))

    it('without a person they stay: nobody could trust them', () =>
      withStage(async stage => {
        stage.put(TEAM, SETTINGS)
        await stage.run(args, { isPerson: false })
        expect(stage.said.replace(/\s+/g, ' ')).toContain('runs hooks only after a person trusts it')
        expect(commandsIn(stage.json(TEAM))).toEqual(commandsIn(SETTINGS))
        expect(parse(stage.text('signalbox.yaml')).hooks).toBeUndefined()
      }))

    it('hooks of the person in this one project are named, and stay', () =>
      withStage(async stage => {
        stage.put('.claude/settings.local.json', SETTINGS)
        await stage.run(args)
        expect(stage.said.replace(/\s+/g, ' ')).toContain(
          '.claude/settings.local.json they are your own hooks in this one project',
        )
        expect(stage.json('.claude/settings.local.json')).toEqual(SETTINGS)
      }))
  })

  it('a hook that another agent runs too stays', () =>
    withStage(async stage => {
      stage.put(USER, SETTINGS)
      stage.put('~/.cursor/hooks.json', { version: 1, hooks: {} })
      await stage.run(adoptAll)
      expect(stage.said).toContain('Cursor runs it too')
      expect(commandsIn(stage.json(USER))).toEqual(commandsIn(SETTINGS))
    }))

  it('a policy with problems takes nothing', () =>
    withStage(async stage => {
      stage.put(USER, SETTINGS)
      stage.put(POLICY, 'hoks: []\n')
      await stage.run(adoptAll)
      expect(stage.said.replace(/\s+/g, ' ')).toContain('the policy that would run it has problems')
      expect(commandsIn(stage.json(USER))).toEqual(commandsIn(SETTINGS))
      expect(stage.text(POLICY)).toBe('hoks: []\n')
    }))

  it('settings that cannot be edited keep all their hooks', () =>
    withStage(async stage => {
      const odd = { hooks: { ...SETTINGS.hooks, PostToolUse: 'all' } }
      stage.put(USER, odd)
      expect(await stage.run(adoptAll)).toBe(1)
      expect(stage.json(USER)).toEqual(odd)
      expect(stage.has(POLICY)).toBe(false)
    }))

  it('every file of hooks of an agent that keeps several', () =>
    withStage(async stage => {
      const file = '~/.copilot/hooks/mine.json'
      stage.put(file, { version: 1, hooks: { preToolUse: [{ type: 'command', bash: 'guard', timeoutSec: 3 }] } })
      const before = stage.everything()
      await stage.run(['init', '--adopt', '--client', 'copilot-cli', '--yes'])
      expect(stage.json(file)).toEqual({ version: 1 })
      expect(parse(stage.text(POLICY)).hooks).toEqual([
        { client: 'copilot-cli', event: 'tool.before', called: 'preToolUse', run: 'guard', timeoutMs: 3000 },
      ])
      await stage.run(['uninstall', '--yes'])
      expect(stage.everything()).toEqual(before)
    }))

  it('as JSON', () =>
    withStage(async stage => {
      stage.put(USER, SETTINGS)
      expect(await stage.run(['init', '--adopt', '--client', 'claude-code', '--json', '--dry-run'])).toBe(0)
      const [file] = JSON.parse(stage.said).adopted
      expect(file).toMatchObject({ client: 'claude-code', notMoved: [{ event: 'PreToolUse', what: 'watch' }] })
      expect(file.moved).toHaveLength(2)
      expect(stage.json(USER)).toEqual(SETTINGS)
    }))

  it('the example of the guide', () =>
    withStage(async stage => {
      const page = readFileSync(new URL('../../docs/guide/adopting-hooks.md', import.meta.url), 'utf8')
      const block = (language: string) =>
        new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? ''
      stage.put(USER, block('json'))
      expect(await stage.run(adoptAll)).toBe(0)
      expect(stage.text(POLICY)).toBe(block('yaml'))
      expect(commandsIn(stage.json(USER))).toEqual(['~/bin/watch.sh'])
    }))
})

describe('a hook that a pack replaces', () => {
  const ENFORCER = 'node "$CLAUDE_PROJECT_DIR/.claude/hooks/router-first-enforcer.mjs"'
  const HOOKS = {
    hooks: {
      PreToolUse: [
        { matcher: '*', hooks: [handler(ENFORCER)] },
        { matcher: 'Edit|Write', hooks: [handler('~/hooks/pre-tool-use-boundary.py'), handler('~/hooks/mine.sh')] },
        { matcher: 'WebFetch', hooks: [handler('uv run --project ~/x tool-routing check')] },
        { matcher: '*', hooks: [handler('python3 ~/.claude/hooks/enforce-orchestrator.py')] },
      ],
    },
  }
  const runs = (stage: Stage): readonly string[] =>
    (parse(stage.text(POLICY)).hooks ?? []).map(({ run }: { run: string }) => run)

  it('is left out where the pack is in force, and comes back', () =>
    withStage(async stage => {
      stage.put(USER, HOOKS)
      stage.put(POLICY, 'use: [router-first, orchestrator-boundary, tool-routing, master-orchestrator]\n')
      const before = stage.everything()
      expect(await stage.run(adoptAll, { isPerson: false })).toBe(0)
      expect(stage.said).toContain('Drop   PreToolUse  node "$CLAUDE_PROJECT_DIR/')
      expect(stage.said).toContain('       the pack `router-first` replaces it\n')
      expect(stage.said).toContain('       the pack `orchestrator-boundary` replaces it\n')
      const told = stage.said.replace(/\n +/g, ' ')
      expect(told).toContain(
        'the pack `tool-routing` replaces it; to use its routes, name their file in `from: [tool-routes.json]`',
      )
      expect(told).toContain('the pack `master-orchestrator` replaces it; to use its whitelist, name the file')
      expect(told).toContain('1 of yours moved, 4 replaced by a pack')
      expect(runs(stage)).toEqual(['~/hooks/mine.sh'])
      expect(commandsIn(stage.json(USER))).toEqual([])
      expect(await stage.run(adoptAll, { isPerson: false })).toBe(0)
      expect(stage.said).toContain('Nothing to change.')
      expect(await stage.run(['uninstall', '--yes'])).toBe(0)
      expect(stage.everything()).toEqual(before)
    }))

  it('alone, it leaves the policy as it is', () =>
    withStage(async stage => {
      stage.put(USER, { hooks: { PreToolUse: [{ matcher: '*', hooks: [handler(ENFORCER)] }] } })
      stage.put(POLICY, 'use: [router-first]\n')
      expect(await stage.run([...adoptAll, '--json'], { isPerson: false })).toBe(0)
      expect(JSON.parse(stage.said).adopted).toMatchObject([
        { moved: [], replaced: [{ event: 'PreToolUse', run: ENFORCER, pack: 'router-first' }] },
      ])
      expect(stage.text(POLICY)).toBe('use: [router-first]\n')
      expect(commandsIn(stage.json(USER))).toEqual([])
    }))

  it.each([
    ['no policy', {}],
    ['a pack that is off', { [POLICY]: 'use: [{ router-first: { mode: off } }]\n' }],
    ['a pack that only observes', { [POLICY]: 'use: [{ router-first: { mode: observe } }]\n' }],
    [
      'a pack that an adjustment switches off',
      { [POLICY]: 'use: [router-first]\nadjust: { router-first: { mode: off } }\n' },
    ],
    ["a project's policy, where the settings are the person's", { 'signalbox.yaml': 'use: [router-first]\n' }],
  ])('goes on with %s, and the pack is named', (_, files: Readonly<Record<string, string>>) =>
    withStage(async stage => {
      stage.put(USER, { hooks: { PreToolUse: [{ matcher: '*', hooks: [handler(ENFORCER)] }] } })
      for (const [file, text] of Object.entries(files)) stage.put(file, text)
      await stage.run(adoptAll, { isPerson: false })
      expect(stage.said).toContain('Adopt  PreToolUse  node "$CLAUDE_PROJECT_DIR/')
      expect(stage.said).toContain('the pack `router-first` would replace it: `use: [router-first]`')
      expect(runs(stage)).toEqual([ENFORCER])
    }),
  )

  it('stays where nothing can be moved, and the pack is named', () =>
    withStage(async stage => {
      stage.put('.claude/settings.json', { hooks: { PreToolUse: [{ matcher: '*', hooks: [handler(ENFORCER)] }] } })
      stage.put('signalbox.yaml', 'use: [router-first]\n')
      await stage.run([...adoptAll, '--scope', 'project'], { isPerson: false })
      expect(stage.said).toMatch(
        /Stays {2}PreToolUse[^\n]*\n {7}a project's policy[\s\S]*\n {7}the pack `router-first` replaces it\n/,
      )
      expect(commandsIn(stage.json('.claude/settings.json'))).toEqual([ENFORCER.replaceAll('"', '\\"')])
    }))
})
