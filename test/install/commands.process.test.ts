import { describe, expect, it } from 'vitest'
import { installPathsOf } from '../../src/app/cli/environment.ts'
import { openProject } from '../../src/app/cli/project.ts'
import {
  applyInstallPlan,
  applyUninstallPlan,
  findStaleFiles,
  planInstall,
  planUninstall,
  readManifest,
} from '../../src/app/install/index.ts'
import { clients } from '../../src/clients/index.ts'
import type { SettingsScope } from '../../src/clients/settings.ts'
import { setTrust, trustRequestsOf } from '../../src/policy/index.ts'
import { Machine } from './machine.ts'

const OWN = '.config/signalbox/signalbox.yaml'
const policy = (commands: string, more = '') => `use: [master-orchestrator, router-first]
${more}settings:
  orchestrator:
    minutes: 45
    commands:
${commands}`
const TABLE = `      bmad: { agent: bmad-orchestrator, about: 'Plans: "all" of it.' }
      quick-feature: { workflow: quick }
`
const WRITTEN = [
  'my shop/.claude/commands/bmad.md',
  'my shop/.claude/commands/quick-feature.md',
  'my shop/.claude/skills/master-orchestrator/SKILL.md',
  'my shop/.gemini/commands/bmad.toml',
  'my shop/.gemini/commands/quick-feature.toml',
  'my shop/.gemini/skills/master-orchestrator/SKILL.md',
]

const AT_HOME = WRITTEN.map(file => file.slice('my shop/'.length))

const BOTH = clients.filter(({ id }) => ['claude-code', 'gemini-cli'].includes(id))

/** A project that others have told of the hook: only what agents are told of the policy is left to be written. Nothing is started. */
class Shop extends Machine {
  constructor() {
    super()
    for (const file of ['bin/signalbox', 'current/bin/signalbox.cjs']) this.put(`.local/share/signalbox/${file}`, '')
    this.put('my shop/signalbox.yaml', 'gates: {}\n')
  }

  private readonly terminal = { cwd: this.project, env: this.env() }
  private readonly place = installPathsOf(this.terminal)
  private readonly manifest = () => readManifest(this.place.state)
  private readonly policy = () => openProject(this.terminal, { stores: false }).policy.program

  /** The project's policy, with a person's trust. */
  rule(text: string): void {
    this.put('my shop/signalbox.yaml', text)
    const { policy, folders } = openProject(this.terminal, { stores: false })
    for (const { file, hash } of trustRequestsOf(policy.layers)) setTrust(folders.state, file, hash)
  }

  plan = (scope: SettingsScope = 'project') =>
    planInstall({ clients: BOTH, scope, policyInForce: this.policy() }, this.place, this.manifest())

  /** What is done to which file. */
  init(scope: SettingsScope = 'project'): readonly string[] {
    const plan = this.plan(scope)
    expect(plan.problems).toEqual([])
    // the program is not what is looked at
    applyInstallPlan({ ...plan, copy: undefined }, this.place)
    return plan.changes.map(({ file, what, before, after }) => {
      const sign = before === null ? '+' : after === null ? '-' : '~'
      return `${sign} ${file.slice(this.project.length + 1)} ${what}`
    })
  }

  uninstall(scope: SettingsScope = 'project'): readonly string[] {
    const plan = planUninstall(this.place, this.manifest(), [scope])
    expect(plan.problems).toEqual([])
    applyUninstallPlan(plan, this.place)
    return plan.left.map(file => file.slice(this.project.length + 1))
  }

  stale = () =>
    BOTH.flatMap(client => findStaleFiles(client, this.policy(), this.place, this.manifest())).map(
      ({ file, why, isEdited }) => `${file.slice(this.project.length + 1)} ${why}${isEdited ? ', edited' : ''}`,
    )
}

function inShop(work: (shop: Shop) => void): void {
  const shop = new Shop()
  try {
    work(shop)
  } finally {
    shop.remove()
  }
}

const ANY = String.raw`[\s\S]*`

describe('workflow commands', () => {
  it('are made of the policy, twice is once, and every byte is as it was', () =>
    inShop(shop => {
      shop.rule(policy(TABLE))
      shop.put('my shop/.claude/commands/mine.md', 'my own\n')
      const before = shop.tree()
      expect(shop.init()).toEqual(
        expect.arrayContaining([
          '+ .claude/commands/bmad.md a command: /bmad',
          '+ .gemini/skills/master-orchestrator/SKILL.md a skill: master-orchestrator',
        ]),
      )
      expect(WRITTEN.filter(file => !shop.has(file))).toEqual([])
      expect(shop.read('my shop/.claude/commands/bmad.md')).toMatch(
        new RegExp(
          `^---\\n# signalbox [0-9a-f]{12}: .*\\ndescription: "Plans: \\\\"all\\\\" of it\\."\\n${ANY}\\$ARGUMENTS\\n${ANY} {4}signalbox orchestrate '/bmad <task>'\\n${ANY}45 minutes`,
        ),
      )
      expect(shop.read('my shop/.gemini/commands/bmad.toml')).toMatch(
        new RegExp(
          `^# signalbox [0-9a-f]{12}: .*\\ndescription = "Plans: \\\\"all\\\\" of it\\."\\nprompt = """\\n${ANY}{{args}}\\n${ANY}'\\\\\\\\''`,
        ),
      )
      expect(shop.read('my shop/CLAUDE.md')).toContain('if it fits one: `/bmad`, `/quick-feature`.')
      expect(shop.init()).toEqual([])
      expect(shop.stale()).toEqual([])
      expect(shop.uninstall()).toEqual([])
      expect(shop.tree()).toEqual(before)
    }))

  it('follow the policy, unless somebody edited them; doctor tells', () =>
    inShop(shop => {
      shop.rule(policy(TABLE))
      shop.init()
      const edited = 'my shop/.claude/commands/bmad.md'
      shop.put(edited, `${shop.read(edited)}Be kind.\n`)
      expect(shop.stale()).toEqual([])
      // git may give it other ends of lines
      const other = 'my shop/.gemini/commands/bmad.toml'
      shop.put(other, shop.read(other).replaceAll('\n', '\r\n'))
      expect(shop.init()).toEqual([])
      shop.rule(policy('      bmad: { agent: another }\n', 'routing: { workflows: { any: slow } }\n'))
      expect(shop.stale()).toEqual([
        '.claude/commands/bmad.md changed, edited',
        '.claude/commands/quick-feature.md gone',
        '.claude/skills/master-orchestrator/SKILL.md changed',
        '.claude/agents/router.md changed',
        'CLAUDE.md changed',
        '.gemini/commands/bmad.toml changed',
        '.gemini/commands/quick-feature.toml gone',
        '.gemini/skills/master-orchestrator/SKILL.md changed',
        '.gemini/agents/router.md changed',
        'GEMINI.md changed',
      ])
      expect(shop.init()).toEqual(
        expect.arrayContaining([
          '- .claude/commands/quick-feature.md no longer in the policy',
          '~ .gemini/commands/bmad.toml a command: /bmad',
        ]),
      )
      expect(shop.has('my shop/.gemini/commands/quick-feature.toml')).toBe(false)
      expect(shop.read('my shop/.gemini/commands/bmad.toml')).toContain('a task to another,')
      expect(shop.read('my shop/.claude/agents/router.md')).toContain('- any other: `slow`')
      expect(shop.read(edited)).toMatch(/Be kind\.\n$/)
      expect(shop.stale()).toEqual(['.claude/commands/bmad.md changed, edited'])
      expect(shop.uninstall()).toEqual(['.claude/commands/bmad.md'])
      expect(shop.has('my shop/.gemini')).toBe(false)
    }))

  it("somebody's own of that name stays, and a teammate's is renewed", () =>
    inShop(shop => {
      shop.rule(policy(TABLE))
      shop.put('my shop/.claude/commands/bmad.md', 'my own\n')
      shop.init()
      expect(shop.read('my shop/.claude/commands/bmad.md')).toBe('my own\n')
      const file = 'my shop/.gemini/commands/bmad.toml'
      const written = shop.read(file)
      shop.uninstall()
      expect(shop.read('my shop/.claude/commands/bmad.md')).toBe('my own\n')
      // as it comes with the project, without a record of it here
      shop.put(file, written)
      shop.rule(policy('      bmad: { about: Other words }\n'))
      shop.init()
      expect(shop.read(file)).toContain('description = "Other words"')
      shop.uninstall()
      expect(shop.read(file)).toBe(written)
    }))

  it.each([
    ['nothing of it in the policy', 'gates: {}\n', []],
    ['a gate that only observes', 'use: [{ master-orchestrator: { mode: observe } }]\n', []],
    ['the pack alone', 'use: [master-orchestrator]\n', WRITTEN.filter(file => file.endsWith('SKILL.md'))],
    ['the table alone', policy(TABLE).replace(/^use.*/, ''), WRITTEN.filter(file => !file.endsWith('SKILL.md'))],
  ])('%s', (_, text, written) =>
    inShop(shop => {
      shop.rule(text)
      shop.init()
      expect(WRITTEN.filter(shop.has)).toEqual(written)
    }),
  )

  it('a boundary writes its section and the agent that edits, and takes both back', () =>
    inShop(shop => {
      const before = shop.tree()
      shop.init()
      // nothing of a pack that is off: no boundary, no routing, no section
      expect(Object.keys(shop.tree()).filter(path => /(CLAUDE|GEMINI)\.md|\/agents\//.test(path))).toEqual([])
      shop.uninstall()
      expect(shop.tree()).toEqual(before)
      shop.rule('use: [{ orchestrator-boundary: { builder: coder } }]\n')
      const ruled = shop.tree()
      shop.init()
      const section = shop.read('my shop/CLAUDE.md')
      for (const words of [
        '## Orchestrator Boundary',
        'by the agent `coder`',
        'You CAN ',
        'You CANNOT ',
        'ANALYZE',
        'VALIDATE',
      ])
        expect(section).toContain(words)
      expect(shop.read('my shop/.gemini/agents/coder.md')).toMatch(/^---\nname: coder\n/)
      // it has the tools of everybody
      expect(shop.read('my shop/.claude/agents/coder.md')).not.toMatch(/^tools:/m)
      expect(shop.read('my shop/GEMINI.md')).toContain('Orchestrator Boundary')
      expect(shop.stale()).toEqual([])
      shop.uninstall()
      expect(shop.tree()).toEqual(ruled)
    }))

  it('where every edit goes through the orchestrator, no section sends edits to an agent who is refused too', () =>
    inShop(shop => {
      shop.rule('use: [orchestrator-boundary, master-orchestrator]\n')
      shop.init()
      const section = shop.read('my shop/CLAUDE.md')
      expect(section).toContain('Code is changed and tests are run through `signalbox orchestrate')
      expect(section).not.toContain('modular-builder')
      expect(shop.stale()).toEqual([])
      // what goes there is only a part of the edits
      shop.rule(`use: [orchestrator-boundary]
gates:
  prod:
    rules:
      - { when: { event: tool.before, action: write, path: prod/ }, then: deny, message: Not here., suggest: signalbox orchestrate "<task>" }
`)
      shop.init()
      expect(shop.read('my shop/CLAUDE.md')).toContain('by the agent `modular-builder`')
    }))

  it('a pack that is taken out takes its agents and its section with it, and nothing that a person wrote', () =>
    inShop(shop => {
      shop.put('my shop/GEMINI.md', '# Shop\n')
      shop.rule('use: [{ router-first: { router: [triage] } }, orchestrator-boundary]\n')
      shop.init()
      expect(shop.read('my shop/GEMINI.md')).toContain('spawn the agent `triage`')
      expect(shop.read('my shop/.claude/agents/triage.md')).toMatch(/^---\nname: triage\n/)
      const edited = 'my shop/.claude/agents/modular-builder.md'
      shop.put(edited, `${shop.read(edited)}Be kind.\n`)
      shop.rule('gates: {}\n')
      expect(shop.stale()).toEqual([
        '.claude/agents/triage.md gone',
        '.claude/agents/modular-builder.md gone, edited',
        'CLAUDE.md changed',
        '.gemini/agents/triage.md gone',
        '.gemini/agents/modular-builder.md gone',
        'GEMINI.md changed',
      ])
      expect(shop.init()).toEqual(
        expect.arrayContaining(['- .claude/agents/triage.md an agent: no longer needed here']),
      )
      expect(shop.has('my shop/CLAUDE.md')).toBe(false)
      expect(shop.read('my shop/GEMINI.md')).toBe('# Shop\n')
      expect(shop.read(edited)).toMatch(/Be kind\.\n$/)
      expect(shop.stale()).toEqual(['.claude/agents/modular-builder.md gone, edited'])
    }))

  it.each([
    ['observes', 'use: [{ router-first: { mode: observe } }]\n'],
    [
      'waits for another agent',
      'gates: { review: { initial: closed, transitions: [{ from: closed, to: open, when: { event: agent.stop, agent: reviewer }, capture: { verdict: { json: verdict.json } } }], rules: [{ while: closed, when: { event: tool.before, command: git push }, then: deny, message: Review first., suggest: { agent: reviewer } }] } }\n',
    ],
  ])('no router is written for a gate that only %s', (_, text) =>
    inShop(shop => {
      shop.put(
        'my shop/verdict.json',
        '{"type":"object","required":["approved"],"properties":{"approved":{"type":"boolean"}}}',
      )
      shop.rule(text)
      shop.init()
      expect(Object.keys(shop.tree()).filter(path => /(CLAUDE|GEMINI)\.md|\/agents\//.test(path))).toEqual([])
    }),
  )

  it("of a person's own policy are at home, and a project's files have none of it", () =>
    inShop(shop => {
      shop.put(OWN, policy(TABLE, 'routing: { workflows: { any: mine } }\n'))
      shop.rule('use: [router-first]\n')
      const before = shop.tree()
      // for everybody who works here: as if that policy were not there
      shop.init()
      const shared = Object.entries(shop.tree()).filter(([path]) => path.startsWith('my shop/'))
      const texts = shared.map(([path, told]) => `${path} ${Buffer.from(told.split(' ')[1] ?? '', 'base64')}`)
      expect(texts.length).toBeGreaterThan(3)
      expect(texts.join('\n')).not.toMatch(/bmad|45 minutes|`mine`|orchestrate/)
      expect(shop.read('my shop/.claude/agents/router.md')).toContain('Choose the workflow file of the project')
      shop.uninstall()
      expect(shop.tree()).toEqual(before)
      // for this person
      shop.init('user')
      expect(WRITTEN.filter(shop.has)).toEqual([])
      expect(AT_HOME.filter(file => !shop.has(file))).toEqual([])
      expect(shop.read('my shop/CLAUDE.md')).not.toContain('orchestrate')
      expect(shop.read('.claude/CLAUDE.md')).toContain('if it fits one: `/bmad`, `/quick-feature`.')
      expect(shop.read('.claude/agents/router.md')).toContain('- any other: `mine`')
      expect(shop.has('my shop/.claude/agents/router.md')).toBe(false)
      expect(shop.stale()).toEqual([])
      expect(shop.init('user')).toEqual([])
      shop.put(OWN, 'gates: {}\n')
      shop.put('my shop/signalbox.yaml', 'gates: {}\n')
      expect(shop.init('user')).toEqual(expect.arrayContaining([expect.stringContaining('no longer in the policy')]))
      expect(AT_HOME.filter(shop.has)).toEqual([])
      for (const file of ['.claude/CLAUDE.md', '.claude/agents/router.md', 'my shop/CLAUDE.md', 'my shop/GEMINI.md'])
        expect(shop.has(file), file).toBe(false)
      expect(shop.stale()).toEqual([])
    }))

  it("a project's are the project's, beside those of a person", () =>
    inShop(shop => {
      shop.put(OWN, policy('      mine: { agent: my-own }\n'))
      shop.rule(policy('      bmad: { agent: ours }\n', 'routing: { workflows: { any: ours } }\n').replace('45', '20'))
      shop.init('user')
      expect(shop.read('my shop/.claude/skills/master-orchestrator/SKILL.md')).toMatch(
        /20 minutes[\s\S]*'\/bmad <task>'/,
      )
      expect(shop.read('.claude/skills/master-orchestrator/SKILL.md')).toMatch(/45 minutes[\s\S]*'\/mine <task>'/)
      expect(shop.read('my shop/.claude/agents/router.md')).toContain('- any other: `ours`')
      // for projects without a policy of their own
      expect(shop.read('.claude/agents/router.md')).not.toContain('`ours`')
      expect(['my shop/.claude/commands/mine.md', '.claude/commands/bmad.md'].filter(shop.has)).toEqual([])
      expect(shop.stale()).toEqual([])
    }))

  it('a project that nobody trusts brings none', () =>
    inShop(shop => {
      shop.put('my shop/signalbox.yaml', policy(TABLE))
      expect(shop.plan().changes.filter(({ what }) => what.startsWith('a command'))).toEqual([])
    }))
})
