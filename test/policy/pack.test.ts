import { describe, expect, it } from 'vitest'
import { House } from './policy-sandbox.ts'

const brief = (house: House) =>
  house.load().program.gates.map(({ id, mode, onError, transitions, rules }) => ({
    id,
    mode,
    onError,
    parts: [...transitions, ...rules].map(one => one.id),
  }))

describe('using packs', () => {
  it('both packs of the language page compile, examples and all', () => {
    const house = new House()
    house.project('use: [router-first, orchestrator-boundary]')
    const loaded = house.load()
    expect(loaded.problems).toEqual([])
    expect(loaded.layers[0]?.untrusted).toEqual([])
    expect(brief(house)).toEqual([
      { id: 'project/router-first', mode: 'block', onError: 'open', parts: ['routed', 'unrouted'] },
      { id: 'project/orchestrator-boundary', mode: 'block', onError: 'open', parts: ['main-edits'] },
    ])
    expect(loaded.program.env).toEqual(['AMPLIFIER_BYPASS_BOUNDARY', 'CLAUDE_ROUTER_BYPASS'])
    expect(loaded.exports.map(({ layer, feature }) => [layer, feature])).toEqual([['project', 'routing-session-state']])
  })

  it('options fill values, lists and texts; parts appear under their `if`', () => {
    const house = new House()
    house.user('use: [{ router-first: { router: [router, Triage], per: prompt, may: Read } }]')
    const [gate] = house.load().program.gates
    expect(gate?.transitions.map(({ id }) => id)).toEqual(['routed', 'next-prompt'])
    const rule = gate?.rules[0]
    expect(rule?.message).toBe('Spawn the `router, Triage` agent first: nothing else is let through ({tool}).')
    expect(rule?.suggest).toEqual({ agent: ['router', 'Triage'] })
    expect(rule?.unless).toEqual({
      any: [
        { key: 'caller', in: ['agent', 'router', 'triage'] },
        { key: 'action', in: ['ask', 'coordinate'] },
        {
          all: [
            { key: 'action', in: ['spawn'] },
            { key: 'agent', in: ['router', 'triage'] },
          ],
        },
        {
          all: [
            { key: 'action', in: ['run'] },
            { key: 'command', in: [{ program: 'signalbox', words: ['route'], options: [] }] },
          ],
        },
        { key: 'tool', in: ['Read'] },
      ],
    })
  })

  it('every pack takes mode, onError, bypass, off and messages', () => {
    const house = new House()
    house.write(`${house.home}/.config/signalbox/mine.md`, 'Ask {caller} for {router}.')
    house.user(`
use:
  - router-first:
      mode: observe
      onError: closed
      bypass: { env: { MINE: 1 }, message: off }
      off: [routed]
      messages: { unrouted: ./mine.md }
`)
    const [gate] = house.load().program.gates
    expect(gate).toMatchObject({
      mode: 'observe',
      onError: 'closed',
      bypass: { when: { key: 'env', fields: [{ field: 'MINE', in: [{ is: '1' }] }] }, message: 'off' },
      transitions: [],
      rules: [{ id: 'unrouted', message: 'Ask {caller} for router.' }],
    })
  })

  it('a whole gate can be left off', () => {
    const house = new House()
    house.user('use: [{ router-first: { off: router-first } }]')
    expect(brief(house)).toEqual([])
  })

  it('one pack in two layers is two instances', () => {
    const house = new House()
    house.user('use: [{ router-first: { mode: warn } }]')
    house.project('use: [router-first]')
    expect(brief(house).map(({ id, mode }) => [id, mode])).toEqual([
      ['user/router-first', 'warn'],
      ['project/router-first', 'block'],
    ])
  })

  it('a pack of the project: its places are its own, and its loosenings wait', () => {
    const house = new House()
    house.write(
      'my/pack/pack.yaml',
      'routes: { a: { url: "https://a.b", allow: true }, b: { url: "https://c.d", message: m } }',
    )
    house.project('use: [./my/pack]')
    const loaded = house.load()
    expect(loaded.program.gates.map(({ id, routes }) => [id, routes?.list.map(one => one.id)])).toEqual([
      ['project/pack', ['b']],
    ])
    expect(loaded.layers[0]?.untrusted).toEqual(['route `a` allows (my/pack/pack.yaml:1)'])
  })

  it('a locked gate of a pack stays as the pack has it', () => {
    const house = new House()
    house.write('p/pack.yaml', 'gates: { g: { locked: true, rules: [{ id: r, when: {}, then: deny, message: m }] } }')
    house.write(house.userFile, `use: [{ ${house.root}/p: { mode: warn, off: [r] } }]`)
    expect(brief(house)).toEqual([{ id: 'user/g', mode: 'block', onError: 'open', parts: ['r'] }])
    expect(house.load().warnings.map(({ message }) => message)).toContain(
      'gate `g` is locked: its pack does not allow changes',
    )
  })
})

describe('what can be wrong with a pack', () => {
  const CASES: Readonly<Record<string, readonly [use: string, ...problems: string[]]>> = {
    'an unknown pack': ['[router-frist]', '1:7 unknown pack `router-frist`; did you mean `router-first`?'],
    'a name that is a path in disguise': [
      '["a/../../b"]',
      '1:7 unknown pack `a/../../b`; there are orchestrator-boundary, router-first',
    ],
    'an unknown option': [
      '[{ router-first: { pr: 1 } }]',
      '1:25 unknown option `pr` of pack `router-first`; did you mean `per`?',
    ],
    'a value that is no choice': [
      '[{ router-first: { per: promt } }]',
      '1:25 option `per` of pack `router-first` must be session or prompt; did you mean `prompt`?',
    ],
    'a value of the wrong kind': [
      '[{ router-first: { handoff: maybe } }]',
      '1:25 option `handoff` of pack `router-first` must be true or false',
    ],
    'a list where a text is wanted': [
      '[{ orchestrator-boundary: { builder: [a] } }]',
      '1:34 option `builder` of pack `orchestrator-boundary` must be a text',
    ],
    'a mode that is none': [
      '[{ router-first: { mode: blok } }]',
      '1:31 `mode` in pack `router-first` must be off, observe, warn or block, not `blok`; did you mean `block`?',
    ],
    'an id it does not have': [
      '[{ router-first: { off: [unroutd], messages: { x: y } } }]',
      '1:31 pack `router-first` has nothing named `unroutd`; did you mean `unrouted`?',
      '1:53 pack `router-first` has nothing named `x`',
    ],
    'two packs in one entry': ['[{ a: {}, b: {} }]', '1:7 each entry of `use` is one pack, or { pack: options }'],
    'options that are none': [
      '[{ router-first: 1 }]',
      '1:23 `router-first` in `use` must be a mapping of options, not `1`',
    ],
  }
  for (const [name, [use, ...problems]] of Object.entries(CASES))
    it(name, () => {
      expect(new House().problems(`use: ${use}`)).toEqual(problems.map(problem => `signalbox.yaml:${problem}`))
    })

  const broken = (pack: string): readonly string[] => {
    const house = new House()
    house.write('p/pack.yaml', pack)
    return house.problems('use: [./p]')
  }

  it('its own file is named where it is wrong', () => {
    expect(broken('options: { a: { default: 1 } }\ngates: { g: { mode: $b } }')).toEqual([
      'p/pack.yaml:2:21 unknown option `$b` in pack `p`; did you mean `$a`?',
    ])
    expect(broken('use: [x]')).toEqual([
      'p/pack.yaml:1:7 unknown pack `x`; there are orchestrator-boundary, router-first',
    ])
    expect(broken('options: { a: { defalt: 1 } }')).toEqual([
      'p/pack.yaml:1:17 unknown key `defalt` in `a` of the options of pack `p`; did you mean `default`?',
    ])
    expect(broken('gates: { g: { if: { x: 1 }, rules: [] } }')).toEqual([
      'p/pack.yaml:1:21 unknown option `$x` in pack `p`',
    ])
  })

  it('a value that an option brought in points to where the person wrote it', () => {
    const house = new House()
    house.write('p/pack.yaml', 'options: { m: { default: block } }\ngates: { g: { mode: $m } }')
    expect(house.problems('use: [{ ./p: { m: blok } }]')).toEqual([
      'signalbox.yaml:1:19 `mode` in gate `g` must be off, observe, warn or block, not `blok`; did you mean `block`?',
    ])
  })

  it('`if` is for packs only', () => {
    expect(new House().problems('gates: { g: { if: { x: 1 } } }')).toEqual([
      'signalbox.yaml:1:15 unknown key `if` in gate `g`',
    ])
  })
})
