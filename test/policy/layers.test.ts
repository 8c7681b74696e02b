import { chownSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findLayers, setTrust, trustRequestsOf } from '../../src/policy/index.ts'
import { House } from './policy-sandbox.ts'

const gate = (name: string, more = ''): string =>
  `gates:\n  ${name}:\n    rules: [{ id: r, when: { command: x }, then: deny, message: m }]\n${more}`

describe('finding layers', () => {
  it('strongest first, nested ones from the root down', () => {
    const house = new House()
    house.managed('{}')
    house.user('{}')
    house.project('{}')
    house.write('a/signalbox.yaml', '{}')
    house.write('a/b/c/signalbox.yaml', '{}')
    house.write('z/signalbox.yaml', '{}')
    const found = findLayers(house.input({ cwd: join(house.root, 'a/b/c') }))
    expect(found.files.map(({ layer, file }) => `${layer} ${house.label(file)}`)).toEqual([
      'managed /etc/signalbox.yaml',
      'user /home/.config/signalbox/signalbox.yaml',
      'project signalbox.yaml',
      'nested a/signalbox.yaml',
      'nested a/b/c/signalbox.yaml',
    ])
  })

  it('a cwd outside the project has no nested layers', () => {
    const house = new House()
    house.write(`${house.folder}/signalbox.yaml`, '{}')
    expect(findLayers(house.input({ cwd: house.folder })).files).toEqual([])
  })

  it('one file is one layer', () => {
    const house = new House()
    const file = house.project('{}')
    expect(findLayers(house.input({ userFile: file })).files.map(({ layer }) => layer)).toEqual(['user'])
  })

  it('a file spelt `.yml` is not read, and that is said', () => {
    const house = new House()
    house.write('signalbox.yml', '{}')
    expect(house.warnings()).toEqual(['signalbox.yml:1:1 `signalbox.yml` is not read; rename it to `signalbox.yaml`'])
  })

  it.runIf(process.getuid?.() === 0)('the file of another user is ignored, and that is said', () => {
    const house = new House()
    chownSync(house.project(gate('g')), 12345, 12345)
    expect(house.warnings()).toEqual([
      'signalbox.yaml:1:1 this policy is ignored: another user owns it; chown it if it is yours',
    ])
    expect(house.load().program.gates).toEqual([])
  })

  it('a file that cannot be read is a broken layer', () => {
    const house = new House()
    mkdirSync(join(house.root, 'signalbox.yaml'))
    const { layers, problems } = house.load()
    expect(problems.map(({ message }) => message)).toEqual(['the policy cannot be read (it is not a regular file)'])
    expect(layers.map(({ state }) => state)).toEqual(['left-out'])
  })
})

describe('layers together', () => {
  it('gates stand strongest first, each under its own layer', () => {
    const house = new House()
    house.managed(gate('g'))
    house.user(gate('g'))
    house.project(gate('g'))
    house.write('a.b/signalbox.yaml', gate('g'))
    const { program } = house.load({ cwd: join(house.root, 'a.b') })
    expect(program.gates.map(({ id }) => id)).toEqual(['managed/g', 'user/g', 'project/g', 'nested/a_b/g'])
  })

  it('without any policy there is an empty program, and nothing is compiled or written', () => {
    const house = new House()
    expect(house.load()).toEqual({
      program: {
        hash: expect.any(String),
        gates: [],
        allow: [],
        hooks: [],
        env: [],
        settings: { onError: 'open', budgetMs: 2000, expiryHours: 12 },
        notices: [],
      },
      layers: [],
      problems: [],
      warnings: [],
      inactive: [],
      exports: [],
      fromCache: false,
    })
    expect(house.compilations).toBe(0)
  })

  it('the strongest layer wins for each setting, and `closed` is closed whoever says it', () => {
    const house = new House()
    house.managed('settings: { budgetMs: 100 }')
    house.user('settings: { budgetMs: 300, expiry: 90m }')
    house.project('settings: { onError: closed }')
    expect(house.load().program.settings).toEqual({ onError: 'closed', budgetMs: 100, expiryHours: 1.5 })
  })

  it('how far the audit trail reaches back is said by a person or the machine, and never by a project', () => {
    const house = new House()
    house.managed('settings: { keepDays: 365 }')
    house.user('settings: { keepDays: 30, keepMb: 64 }')
    expect(house.load().program.settings.keeps).toEqual({ days: 365, bytes: 64 * 1024 * 1024 })
    house.project('settings: { keepDays: 1 }')
    const { problems, program } = house.load()
    expect(problems.map(({ message, help }) => [message, help])).toEqual([
      ['setting `keepDays` works only in your own policy or a managed one', 'all your projects share one audit log'],
    ])
    expect(program.settings.keeps?.days).toBe(365)
  })

  it('a backend that there is not is named, with its place', () => {
    const house = new House()
    house.user('settings: { orchestrator: { backends: [codex, cdoex], commands: { ship: { backend: gpt } } } }')
    expect(house.load().warnings.map(({ message, help, line }) => ({ message, help, line }))).toEqual([
      { message: 'there is no backend `cdoex`', help: expect.stringContaining('codex'), line: 1 },
      { message: 'there is no backend `gpt`', help: 'there are codex', line: 1 },
    ])
  })

  it('an approval lifts what each layer says of its own gates and of weaker ones', () => {
    const house = new House()
    house.managed('gates: { top: {} }\nsettings: { orchestrator: { minutes: 10 } }')
    house.user(
      'gates: { mine: {}, both: {} }\nsettings: { orchestrator: { lifts: [mine, top, low], minutes: 60, log: /tmp/log } }',
    )
    house.project('gates: { low: {}, both: {} }\nsettings: { orchestrator: { lifts: [both], backends: codex } }')
    const waiting = house.load()
    expect(waiting.program.settings.orchestrator).toEqual({
      ...{ lifts: ['user/mine', 'project/low'], minutes: 10, log: '/tmp/log' },
    })
    expect(waiting.warnings.map(({ message }) => message)).toEqual([
      'there is no gate `top` that an approval could lift',
    ])
    expect(waiting.layers.flatMap(({ untrusted }) => untrusted)).toEqual([
      expect.stringContaining('setting `orchestrator`'),
    ])
    for (const { file, hash } of trustRequestsOf(waiting.layers)) setTrust(house.stateDir, file, hash)
    expect(house.load().program.settings.orchestrator).toMatchObject({
      ...{ lifts: ['user/mine', 'project/low', 'project/both'], backends: ['codex'] },
    })
  })

  it('a command of the orchestrator is that of the strongest layer, whole', () => {
    const house = new House()
    const commands = (text: string) => `settings: { orchestrator: { commands: ${text} } }`
    house.managed(commands('{ a: { agent: top } }'))
    house.user(commands('{ a: { agent: mine, about: mine }, b: {} }'))
    expect(house.load().program.settings.orchestrator?.commands).toEqual({ a: { agent: 'top' }, b: {} })
    for (const [text, message] of [
      ['{ Bad_Name: {} }', 'must be made of lower-case letters, digits and `-`'],
      ['{ a: { task: no words } }', 'must contain `{task}`, which is replaced by the request'],
      ['{ a: { agnt: x } }', 'unknown key `agnt`'],
    ] as const) {
      house.user(commands(text))
      expect(
        house
          .load()
          .problems.map(one => one.message)
          .join(),
      ).toContain(message)
    }
  })

  it('a gate is looked up in its own layer, then in stronger ones: a project cannot shadow them', () => {
    const house = new House()
    const rules = 'rules: [{ when: { gate: { a: open, b: open } }, then: deny, message: m }]'
    house.managed('gates: { b: { initial: open } }')
    house.user(`gates: { a: { initial: open }, g: { ${rules} } }`)
    house.project('gates: { a: { initial: open }, b: { initial: open } }')
    const found = house.load().program.gates.find(({ id }) => id === 'user/g')?.rules[0]?.when
    expect(found).toEqual({
      all: [
        { key: 'event', in: ['tool.before'] },
        {
          key: 'gate',
          states: [
            { gate: 'user/a', state: ['open'] },
            { gate: 'managed/b', state: ['open'] },
          ],
        },
      ],
    })
  })

  it('two gates of one name in one layer are refused', () => {
    const house = new House()
    expect(house.problems('use: [router-first]\ngates: { router-first: { initial: open } }')).toEqual([
      expect.stringMatching(
        /^signalbox.yaml:2:10 gate `router-first` is declared twice: at .*router-first\/pack.yaml:\d+ and at signalbox.yaml:2$/,
      ),
    ])
  })
})

describe('adjusting', () => {
  const modes = (house: House) => Object.fromEntries(house.load().program.gates.map(({ id, mode }) => [id, mode]))

  it('a stronger layer has the last word over a weaker one', () => {
    const house = new House()
    house.managed(`${gate('m')}adjust: { p: { mode: observe } }`)
    house.user(`adjust: { p: { mode: warn } }`)
    house.project(gate('p'))
    expect(modes(house)).toEqual({ 'managed/m': 'block', 'project/p': 'observe' })
  })

  it('a weaker layer cannot touch a stronger one, and is told so', () => {
    const house = new House()
    house.managed(gate('m'))
    house.user('adjust: { m: { mode: off } }')
    expect(modes(house)).toEqual({ 'managed/m': 'block' })
    expect(house.warnings()).toEqual([
      '/home/.config/signalbox/signalbox.yaml:1:11 gate `m` cannot be adjusted here: it belongs to a stronger layer (managed)',
    ])
  })

  it('a locked gate is adjusted only where it is declared', () => {
    const house = new House()
    house.managed('adjust: { u: { mode: warn } }')
    house.user(`${gate('u', '    locked: true\n')}adjust: { u: { messages: { r: mine } } }`)
    const { program } = house.load()
    expect(program.gates.map(({ mode, rules }) => [mode, rules[0]?.message])).toEqual([['block', 'mine']])
    expect(house.warnings()).toEqual(['/etc/signalbox.yaml:1:11 gate `u` is locked: other layers cannot adjust it'])
  })

  it('takes out rules, rewords them, and switches gates off', () => {
    const house = new House()
    house.user(`
gates:
  a: { rules: [{ id: x, when: {}, then: deny, message: m }, { id: y, when: { url: "https://h/:part" }, then: deny, message: m }] }
  b: { rules: [] }
routes: { one: { url: "https://a.b", message: m }, two: { url: "https://c.d", message: m } }
adjust:
  a: { off: x, messages: { y: "about {part}" } }
  b: { mode: off }
  routes: { off: [one] }
  c: { mode: off }
`)
    const { gates } = house.load().program
    expect(
      gates.map(({ name, rules, routes }) => [
        name,
        rules.map(({ id, message }) => [id, message]),
        routes?.list.map(({ id }) => id),
        routes?.index.hosts,
      ]),
    ).toEqual([
      ['a', [['y', 'about {part}']], undefined, undefined],
      ['routes', [], ['two'], { 'c.d': [0], 'www.c.d': [0] }],
    ])
    expect(house.warnings()).toEqual(['/home/.config/signalbox/signalbox.yaml:10:3 there is no gate `c` to adjust'])
  })

  it("rewords a pack's rule with the pack's own options", () => {
    const house = new House()
    house.user('use: [router-first]\nadjust: { router-first: { messages: { unrouted: "ask {router}" } } }')
    expect(house.load().program.gates[0]?.rules[0]?.message).toBe('ask router')
  })
})
