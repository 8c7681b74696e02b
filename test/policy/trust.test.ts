import { readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setTrust, trustRequestsOf } from '../../src/policy/index.ts'
import { House } from './policy-sandbox.ts'

const LOOSE = `
use:
  - orchestrator-boundary: { mode: warn, off: [main-edits], bypass: { env: { X: 1 } }, paths: [docs/] }
gates:
  strict: { rules: [{ id: no, when: { command: x }, then: deny, message: m }, { id: yes, when: {}, then: allow }] }
  coded: { code: ./gate.mjs }
  open: { initial: open, bypass: { env: { Y: 1 } } }
routes:
  pass: { url: "https://a.b", allow: true }
  stop: { url: "https://c.d", message: m }
allow: { commands: [git status] }
hooks: [{ event: tool.after, run: node scripts/x.mjs --flag }]
exports: { routing-session-state: { gate: open, on: [] } }
settings: { budgetMs: 60, onError: closed }
adjust: { strict: { mode: observe } }
`

/** Named, with what is left of them. */
const outline = ({ program, exports }: ReturnType<House['load']>) => ({
  gates: program.gates.map(({ name, mode, bypass, rules, routes }) => [
    name,
    mode,
    bypass !== undefined,
    [...rules, ...(routes?.list ?? [])].map(({ id }) => id).join(),
  ]),
  allow: program.allow.length,
  hooks: program.hooks.length,
  exports: exports.length,
  settings: program.settings,
})

const RESTRICTED = {
  gates: [
    ['orchestrator-boundary', 'block', true, 'main-edits'],
    ['strict', 'block', false, 'no'],
    ['open', 'block', false, ''],
    ['routes', 'block', false, 'stop'],
  ],
  allow: 0,
  hooks: 0,
  exports: 0,
  settings: { onError: 'closed', budgetMs: 2000, expiryHours: 12 },
}

const LOOSENED = {
  gates: [
    ['orchestrator-boundary', 'warn', true, ''],
    ['strict', 'observe', false, 'no,yes'],
    ['coded', 'block', false, ''],
    ['open', 'block', true, ''],
    ['routes', 'block', false, 'pass,stop'],
  ],
  allow: 1,
  hooks: 1,
  exports: 1,
  settings: { onError: 'closed', budgetMs: 60, expiryHours: 12 },
}

function project(): House {
  const house = new House()
  house.project(LOOSE)
  house.write('scripts/x.mjs', '1')
  house.write('gate.mjs', '1')
  return house
}

const trust = (house: House): void => {
  for (const { file, hash } of trustRequestsOf(house.load().layers)) setTrust(house.stateDir, file, hash)
}

describe('trust', () => {
  it("a project's restrictions count at once, what loosens or runs waits", () => {
    const house = project()
    const loaded = house.load()
    expect(outline(loaded)).toEqual(RESTRICTED)
    expect(loaded.layers[0]?.untrusted).toEqual([
      'setting `budgetMs` (signalbox.yaml:14)',
      'pack `orchestrator-boundary` without `main-edits` (signalbox.yaml:3)',
      'gate `orchestrator-boundary` of pack `orchestrator-boundary` in mode `warn` (signalbox.yaml:3)',
      'bypass of gate `orchestrator-boundary` (signalbox.yaml:3)',
      'rule `yes` allows (signalbox.yaml:5)',
      'gate `coded` runs `./gate.mjs` (signalbox.yaml:6)',
      'bypass of gate `open` (signalbox.yaml:7)',
      'route `pass` allows (signalbox.yaml:9)',
      '`allow` lists (signalbox.yaml:11)',
      'hook `node scripts/x.mjs --flag` (signalbox.yaml:12)',
      'export `routing-session-state` (signalbox.yaml:13)',
      'gate `strict` in mode `observe` (signalbox.yaml:15)',
    ])
    expect(loaded.program.notices).toEqual([
      expect.stringMatching(
        /^signalbox.yaml: 12 entries not trusted yet \(run `signalbox trust`\): setting `budgetMs`/,
      ),
    ])
  })

  it('trusted, all of it counts', () => {
    const house = project()
    trust(house)
    const loaded = house.load()
    expect(outline(loaded)).toEqual(LOOSENED)
    expect(loaded.layers[0]).toMatchObject({ trusted: true, untrusted: [] })
    expect(loaded.program.notices).toEqual([])
    expect(statSync(join(house.stateDir, 'trust.json')).mode & 0o777).toBe(0o600)
    expect(Object.keys(JSON.parse(readFileSync(join(house.stateDir, 'trust.json'), 'utf8')))).toEqual([house.root])
  })

  for (const [what, change] of Object.entries<(house: House) => void>({
    'the policy': house => house.project(`${LOOSE}\n# changed`),
    'a script it runs': house => house.write('scripts/x.mjs', '2'),
    'a code gate': house => house.write('gate.mjs', '2'),
    'trust itself': house => setTrust(house.stateDir, join(house.root, 'signalbox.yaml'), null),
  }))
    it(`after a change of ${what} restrictions apply and loosenings wait`, () => {
      const house = project()
      trust(house)
      expect(outline(house.load())).toEqual(LOOSENED)
      change(house)
      expect(outline(house.load())).toEqual(RESTRICTED)
    })

  it('a whitelist file is part of what is trusted', () => {
    const house = new House()
    house.project('allow: { from: whitelist.json }')
    house.write('whitelist.json', '{ "approved_paths": ["docs/"] }')
    trust(house)
    expect(house.load().program.allow).toHaveLength(1)
    house.write('whitelist.json', '{ "approved_paths": ["/"] }')
    expect(house.load().program.allow).toHaveLength(0)
  })

  it('a nested policy is trusted on its own', () => {
    const house = project()
    trust(house)
    house.write('a/signalbox.yaml', 'allow: { commands: [ls] }')
    const loaded = house.load({ cwd: join(house.root, 'a') })
    expect(loaded.layers.map(({ layer, trusted }) => [layer, trusted])).toEqual([
      ['project', true],
      ['nested', false],
    ])
  })

  it("the user's own layer and a built-in pack's own bypass need none", () => {
    const house = new House()
    house.user(LOOSE)
    expect(outline(house.load())).toEqual(LOOSENED)
    expect(house.load().layers[0]).toMatchObject({ trusted: true, needsTrust: [], untrusted: [] })
  })

  it('a damaged trust file trusts nothing', () => {
    const house = project()
    trust(house)
    house.write(join(house.stateDir, 'trust.json'), '{')
    expect(outline(house.load())).toEqual(RESTRICTED)
  })

  it('a template that is a link out of the project is not read', () => {
    const house = new House()
    symlinkSync(house.write(join(house.home, 'diary.md'), 'dear diary'), join(house.root, 'why.md'))
    expect(house.problems('gates: { g: { rules: [{ when: {}, then: deny, message: why.md }] } }')).toEqual([
      'signalbox.yaml:1:56 text file `why.md` is outside the project',
    ])
  })
})
