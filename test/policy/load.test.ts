import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { House } from './policy-sandbox.ts'

const gate = (message = 'm', more = ''): string =>
  `gates:\n  g:\n    rules: [{ id: r, when: { command: x }, then: deny, message: ${message} }]\n${more}`

const cacheOf = (house: House): string => {
  const [name = ''] = readdirSync(join(house.stateDir, 'cache'))
  return join(house.stateDir, 'cache', name)
}

describe('the cache', () => {
  it('serves a policy that has not changed, as it was compiled', () => {
    const house = new House()
    house.project(gate())
    const first = house.load()
    expect(house.load()).toEqual({ ...first, fromCache: true })
    expect(house.compilations).toBe(1)
    expect(statSync(cacheOf(house)).mode & 0o777).toBe(0o600)
    expect(statSync(join(house.stateDir, 'cache')).mode & 0o777).toBe(0o700)
  })

  for (const [what, change] of Object.entries<(house: House) => void>({
    'the policy changes': house => house.project(gate('other')),
    'a text changes': house => house.write('why.md', 'other'),
    'a text is gone': house => rmSync(join(house.root, 'why.md')),
    'a missing file appears': house => house.write('tool-routes.json', '{"routes":{}}'),
    'a command is installed': house => {
      house.commands = ['gh', 'glab']
    },
    'a layer is added': house => house.user('{}'),
    'it is damaged': house => writeFileSync(cacheOf(house), '{"key":'),
    'it holds something else': house => writeFileSync(cacheOf(house), '[]'),
    'it is gone': house => rmSync(join(house.stateDir, 'cache'), { recursive: true }),
  }))
    it(`compiles again when ${what}`, () => {
      const house = new House()
      house.write('why.md', 'because')
      house.project(
        gate(
          'why.md',
          'routes: { from: tool-routes.json, a: { url: "https://a.b", message: m, needs: { command: glab } } }',
        ),
      )
      const { hash } = house.load().program
      expect(house.load().fromCache).toBe(true)
      change(house)
      const again = house.load()
      expect(again.fromCache).toBe(false)
      expect(house.load().program.gates).toEqual(again.program.gates)
      expect(typeof hash).toBe('string')
    })

  it('compiles again for another version', () => {
    const house = new House()
    house.project(gate())
    house.load()
    expect(house.load({ version: '2' }).fromCache).toBe(false)
  })

  it('does without when it cannot be written', () => {
    const house = new House()
    house.project(gate())
    house.write(house.stateDir, 'a file where the folder should be')
    expect(house.load().program.gates).toHaveLength(1)
    expect(house.load().fromCache).toBe(false)
  })

  it('does not grow without end', () => {
    const house = new House()
    mkdirSync(join(house.stateDir, 'cache'), { recursive: true })
    for (let nth = 0; nth < 80; nth++) writeFileSync(join(house.stateDir, 'cache', `${nth}.json`), '')
    house.project(gate())
    house.load()
    expect(readdirSync(join(house.stateDir, 'cache')).length).toBeLessThan(64)
    expect(house.load().fromCache).toBe(true)
  })
})

describe('a broken layer', () => {
  it('is told of as it is now: what was wrong with the version in force is no fault of it', () => {
    const house = new House()
    house.project('routes: { wiki: { pattern: "x(", message: m }, ok: { url: "https://x.org/a", message: m } }')
    const before = house.load().problems
    house.project('routes: { wiki: { urll: x } }')
    const { problems, layers } = house.load()
    expect(before).toHaveLength(1)
    expect(layers[0]?.state).toBe('last-good')
    expect(problems.length).toBeGreaterThan(0)
    expect(problems).not.toContainEqual(before[0])
  })

  it('is replaced by its last good version, and every session is told', () => {
    const house = new House()
    house.write('why.md', 'because')
    house.project(gate('why.md'))
    house.load()
    rmSync(join(house.root, 'why.md'))
    house.project('gates: [')
    const loaded = house.load()
    expect(loaded.program.gates[0]?.rules[0]?.message).toBe('because')
    expect(loaded.layers).toMatchObject([{ layer: 'project', state: 'last-good', savedAt: expect.any(Number) }])
    expect(loaded.program.notices).toEqual([
      expect.stringMatching(
        /^signalbox.yaml is broken \(signalbox.yaml:1:8 `\[` is not closed; .*\); its version of \d{4}-\d\d-\d\d \d\d:\d\d UTC is still enforced$/,
      ),
    ])
    expect(house.load().fromCache).toBe(true)
  })

  it('counts again once it is mended', () => {
    const house = new House()
    house.project(gate())
    house.load()
    house.project('gates: [')
    house.load()
    house.project(gate('new'))
    expect(house.load()).toMatchObject({ problems: [], layers: [{ state: 'active' }], program: { notices: [] } })
  })

  it('that breaks in the same way twice falls back on the version in between, and is another policy', () => {
    const house = new House()
    const broken = 'gates: ['
    const inForce = (text: string) => {
      house.project(text)
      const { layers, program } = house.load()
      return [layers[0]?.state, program.gates[0]?.rules[0]?.message, program.hash]
    }
    inForce(gate('first'))
    const [, , once] = inForce(broken)
    inForce(gate('second'))
    const [state, message, again] = inForce(broken)
    expect([state, message]).toEqual(['last-good', 'second'])
    expect(again).not.toBe(once)
    expect(house.load()).toMatchObject({ fromCache: true, program: { hash: again } })
  })

  it('falls back on what was in force last, also where that was an older version once more', () => {
    const house = new House()
    for (const text of [gate('first'), gate('second'), gate('first')]) {
      house.project(text)
      house.load()
    }
    house.project('gates: [')
    expect(house.load().program.gates[0]?.rules[0]?.message).toBe('first')
  })

  it('is left out when there is no older version', () => {
    const house = new House()
    house.user(gate())
    house.project('gates: [')
    const loaded = house.load()
    expect(loaded.program.gates.map(({ id }) => id)).toEqual(['user/g'])
    expect(loaded.layers.map(({ layer, state }) => [layer, state])).toEqual([
      ['user', 'active'],
      ['project', 'left-out'],
    ])
    expect(loaded.program.notices).toEqual([
      expect.stringMatching(/^signalbox.yaml is broken \(.*\); it is not enforced$/),
    ])
  })

  it('that is managed denies every call when there is no older version', () => {
    const house = new House()
    house.managed('gats: {}')
    house.project(gate())
    const loaded = house.load()
    expect(loaded.program.gates.map(({ id }) => id)).toEqual(['managed/broken-policy', 'project/g'])
    expect(loaded.program.gates[0]?.rules[0]).toMatchObject({
      events: ['tool.before'],
      then: 'deny',
      message: expect.stringContaining(
        'etc/signalbox.yaml:1:1 unknown key `gats` in the policy; did you mean `gates`?).',
      ),
    })
    expect(loaded.layers[0]?.state).toBe('denies')
    expect(loaded.program.notices).toEqual([expect.stringMatching(/every tool call is denied until it is fixed$/)])
  })

  it('that is managed and was good before is enforced as it was', () => {
    const house = new House()
    house.managed(gate())
    house.load()
    house.managed('gats: {}')
    expect(house.load().program.gates.map(({ id }) => id)).toEqual(['managed/g'])
  })

  it('does not make those who name its gates look wrong', () => {
    const house = new House()
    house.user('gates: { a: { initial: open } }')
    house.project('gates: { g: { rules: [{ when: { gate: { a: open } }, then: deny, message: m }] } }')
    house.load()
    house.user('gates: [')
    expect(house.load().layers.map(({ layer, state }) => [layer, state])).toEqual([
      ['user', 'last-good'],
      ['project', 'active'],
    ])
  })

  it('whose older version is broken by now is left out', () => {
    const house = new House()
    house.user('gates: { a: { initial: open } }')
    house.project('gates: { g: { rules: [{ when: { gate: { a: open } }, then: deny, message: m }] } }')
    house.load()
    house.user('{}')
    expect(house.load().layers.map(({ layer, state }) => [layer, state])).toEqual([
      ['user', 'active'],
      ['project', 'left-out'],
    ])
  })
})

describe('the posture', () => {
  const posture = (house: House): string => {
    house.load()
    const [name = ''] = readdirSync(join(house.stateDir, 'posture'))
    expect(name).toMatch(/^[0-9a-f]{16}$/)
    return readFileSync(join(house.stateDir, 'posture', name), 'utf8')
  }

  it('is closed as soon as one gate that blocks asks for it', () => {
    const house = new House()
    house.project(gate())
    expect(posture(house)).toBe('open')
    house.project(gate('m', '    onError: closed\n'))
    expect(posture(house)).toBe('closed')
    house.project(gate('m', '    onError: closed\n    mode: warn\n'))
    expect(posture(house)).toBe('open')
    house.project('settings: { onError: closed }')
    expect(posture(house)).toBe('closed')
    house.project(gate())
    expect(posture(house)).toBe('open')
    house.user('hooks: [{ event: tool.before, run: check, onError: closed }]')
    expect(posture(house)).toBe('closed')
    house.user('hooks: [{ event: tool.before, run: check }]')
    rmSync(join(house.root, 'signalbox.yaml'))
    expect(posture(house)).toBe('open')
  })

  it('is not written where there is no policy, nor again when it is the same', () => {
    const house = new House()
    house.load()
    expect(() => readdirSync(join(house.stateDir, 'posture'))).toThrow()
    house.project(gate())
    posture(house)
    const folder = join(house.stateDir, 'posture')
    const before = statSync(join(folder, readdirSync(folder)[0] ?? '')).ino
    house.load()
    expect(statSync(join(folder, readdirSync(folder)[0] ?? '')).ino).toBe(before)
  })
})
