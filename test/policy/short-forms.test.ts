import { describe, expect, it } from 'vitest'
import { gatesAsYaml, gatesOfShortForms } from '../../src/policy/short-forms/gates-as-yaml.ts'
import { House } from './policy-sandbox.ts'

const namesOf = (text: string): readonly string[] => {
  const house = new House()
  expect(house.problems(text)).toEqual([])
  return house.load().program.gates.map(gate => gate.name)
}

describe('short forms', () => {
  it('stand for gates beside the written ones, named after what they are about', () => {
    expect(
      namesOf(
        [
          'gates: { own: { rules: [{ when: { command: x }, then: deny, message: m }] } }',
          'require: [{ before: git push, passed: [npm test, npm run lint] }, { id: green, before: { event: turn.stop }, passed: make }]',
          'protect: [prod/, { paths: [".env", "*.pem"] }]',
          'limit: [{ edits: 20, until: git commit }, { id: brake, edits: 5, calls: 50, until: prompt }]',
          'only: { agent: dba, paths: migrations/, commands: psql }',
        ].join('\n'),
      ),
    ).toEqual([
      'own',
      'npm-test-before-git-push',
      'npm-run-lint-before-git-push',
      'green',
      'protect-prod',
      'protect-env-pem',
      '20-edits-until-git-commit',
      'brake-edits',
      'brake-calls',
      'only-dba-migrations-psql',
    ])
  })

  it('say where they are written', () => {
    const house = new House()
    house.project('protect:\n  - a/\n  - b/\nonly:\n  agent: dba\n  paths: c/\n')
    const { gates } = house.load().program
    expect(gates.map(gate => gate.at)).toEqual(['signalbox.yaml:2', 'signalbox.yaml:3', 'signalbox.yaml:5'])
    expect(gates.flatMap(gate => gate.rules.map(rule => rule.at))).toEqual([
      'signalbox.yaml:2',
      'signalbox.yaml:3',
      'signalbox.yaml:5',
    ])
  })

  it('can be adjusted like any gate, by a stronger layer too', () => {
    const house = new House()
    house.project('protect: prod/\n')
    house.user('adjust: { protect-prod: { mode: observe } }\n')
    expect(house.load().program.gates.map(gate => gate.mode)).toEqual(['observe'])
  })

  it('do not need an approval: they only restrict', () => {
    const house = new House()
    house.project('protect: prod/\nlimit: { edits: 2, until: prompt }\n')
    expect(house.load().layers.flatMap(layer => layer.needsTrust)).toEqual([])
  })
})

const EVERY_FORM = [
  'require: [{ before: git push, passed: [npm test, npm run lint] }, { before: [a, b], passed: c, since: prompt }, { id: green, before: { event: turn.stop }, passed: make, since: session }]',
  'protect: [prod/, { paths: [.env, "*.pem"], message: "no {path}" }]',
  'limit: [{ edits: 20, until: git commit }, { id: brake, edits: 5, calls: 50, until: prompt }]',
  'only: [{ agent: dba, paths: migrations/, commands: psql }, { agent: [main, ops], paths: infra/ }, { agent: main, commands: npm publish }]',
].join('\n')

describe('short forms written out as gates', () => {
  it('are the same gates, so that a fix of `check` can be applied to them', () => {
    const [short, written] = [new House(), new House()]
    expect(short.problems(EVERY_FORM)).toEqual([])
    expect(written.problems(gatesAsYaml(gatesOfShortForms(EVERY_FORM, 'signalbox.yaml')))).toEqual([])
    const gatesIn = (house: House) =>
      JSON.parse(
        JSON.stringify(house.load().program.gates, (key, value) => (key === 'at' ? undefined : value)).replaceAll(
          house.folder,
          '',
        ),
      )
    expect(gatesIn(written)).toEqual(gatesIn(short))
    expect(gatesIn(short)).toHaveLength(12)
  })

  it('are nothing for a policy that is broken or has none', () => {
    expect(gatesOfShortForms('gates: {}', 'f')).toEqual({})
    expect(gatesOfShortForms('protect: [', 'f')).toEqual({})
    expect(gatesOfShortForms('protect: { path: x }', 'f')).toEqual({})
  })
})

const MISTAKES: Readonly<Record<string, readonly [policy: string, ...problems: string[]]>> = {
  'the same gate twice': [
    'protect: [prod/, prod/**]',
    '1:18 this stands for a gate `protect-prod`, and there is one with this name; give it an `id` of its own',
  ],
  'the name of a written gate': [
    'gates: { protect-prod: { mode: off } }\nprotect: prod/',
    '2:10 this stands for a gate `protect-prod`, and there is one with this name; give it an `id` of its own',
  ],
  'an id twice': [
    'protect: [{ id: p, paths: a }, { id: p, paths: b }]',
    '1:32 this stands for a gate `p`, and there is one with this name; give it an `id` of its own',
  ],
  'a limit of nothing': [
    'limit: { until: git commit }',
    '1:8 `limit` in the policy must say how many `edits`, `calls`, `agents` or `minutes`',
  ],
  'for an agent only, but what': ['only: { agent: dba }', '1:7 `only` in the policy must name `paths` or `commands`'],
  'an unknown key': [
    'require: { before: git push, pased: npm test }',
    '1:30 unknown key `pased` in `require`; did you mean `passed`?',
  ],
  'no command': ['require: { before: git push }', '1:10 `passed` is missing in `require`'],
  'a command that nobody can type': [
    'require: { before: git push, passed: npm run * }',
    '1:38 `passed` in `require` must be a command as it is typed, without `*`, `$` and braces, not `npm run *`',
  ],
  'a wrong word for since': [
    'require: { before: git push, passed: npm test, since: edits }',
    '1:55 `since` in `require` must be edit, prompt or session, not `edits`; did you mean `edit`?',
  ],
  'an unknown variable in a message': [
    'protect: { paths: prod/, message: "no {pth}" }',
    '1:35 unknown variable `{pth}`; did you mean `{path}`?',
  ],
  'an unknown set of paths': ['protect: $secret', '1:10 unknown set `$secret`; did you mean `$secrets`?'],
  'an empty list of commands': [
    'require: { before: git push, passed: [] }',
    '1:38 `passed` in `require` must not be an empty list',
  ],
  'an empty list of forms': ['protect: []', '1:10 `protect` in the policy must not be an empty list'],
  'an empty list of agents': ['only: { agent: [], paths: a/ }', '1:16 `agent` in `only` must not be an empty list'],
  'an empty word': ['protect: ""', '1:10 `protect` in the policy must not be empty, not ``'],
  'a misspelt prompt': [
    'limit: { edits: 3, until: promtp }',
    '1:27 `until` in `limit` must be a command or `prompt`, not `promtp`',
  ],
  'a limit of calls that no call could end': [
    'limit: { calls: 3, until: git commit }',
    '1:8 `limit` in the policy must have `until: prompt` if it limits `calls` or `minutes`',
  ],
  'no edits': ['limit: { edits: 0, until: git commit }', '1:17 `edits` in `limit` must be at least 1, not `0`'],
}

const DEFINITIONS: Readonly<Record<string, readonly [policy: string, ...problems: string[]]>> = {
  'an unknown name': [
    'define: { code: { path: src/ } }\ngates: { g: { rules: [{ when: { is: cod }, then: deny, message: m }] } }',
    '2:37 no condition is defined as `cod`; did you mean `code`?',
  ],
  'no definitions': [
    'gates: { g: { rules: [{ when: { is: code }, then: deny, message: m }] } }',
    '1:37 no condition is defined as `code`; write it under `define`',
  ],
  'a definition by itself': [
    'define: { a: { is: b }, b: { any: [{ path: x }, { is: a }] } }\ngates: { g: { rules: [{ when: { is: a }, then: deny, message: m }] } }',
    '1:55 `a` is defined by itself: `a` → `b` → `a`',
  ],
  'a name that every object has': [
    'gates: { g: { rules: [{ when: { is: constructor }, then: deny, message: m }] } }',
    '1:37 no condition is defined as `constructor`; write it under `define`',
  ],
  'an unknown key in it': [
    'define: { a: { pth: x } }\ngates: { g: { rules: [{ when: { is: a }, then: deny, message: m }] } }',
    '1:16 unknown key `pth` in definition `a`; did you mean `path`?',
  ],
}

describe('mistakes in short forms and definitions', () => {
  for (const [name, [policy, ...problems]] of Object.entries({ ...MISTAKES, ...DEFINITIONS }))
    it(`reports ${name}`, () => {
      expect(new House().problems(policy)).toEqual(problems.map(problem => `signalbox.yaml:${problem}`))
    })

  it('warns of a definition that nothing uses', () => {
    const house = new House()
    house.project('define: { a: { path: x } }\nprotect: y/\n')
    expect(house.warnings()).toEqual([
      'signalbox.yaml:1:11 no condition uses the definition `a`; write `is: a` in a condition, or remove it',
    ])
  })

  it('reports a mistake in a definition once, wherever it is used', () => {
    expect(
      new House().problems(
        'define: { a: { path: $x } }\ngates: { g: { rules: [{ when: { any: [{ is: a }, { is: a }] }, then: deny, message: m }] } }',
      ),
    ).toEqual(['signalbox.yaml:1:22 unknown set `$x`'])
  })

  it('a definition that doubles itself again and again is too large, and only its own layer is left out', () => {
    const house = new House()
    const lines = Array.from(
      { length: 30 },
      (_, index) => `  d${index}: { any: [{ is: d${index + 1} }, { is: d${index + 1} }] }`,
    )
    house.project(
      `define:\n${lines.join('\n')}\n  d30: { path: x/ }\ngates: { g: { rules: [{ when: { is: d0 }, then: deny, message: m }] } }\n`,
    )
    house.user('protect: y/\n')
    const loaded = house.load()
    expect(loaded.program.gates.map(gate => gate.name)).toEqual(['protect-y'])
    expect(loaded.problems.map(problem => problem.message)).toEqual([
      'signalbox.yaml is too large: the policies of a project are limited to 30,000 keys and values together',
    ])
  })
})

describe('a short form that takes back what another gives', () => {
  const warnings = (text: string): readonly string[] => {
    const house = new House()
    expect(house.problems(text)).toEqual([])
    return house.warnings()
  }

  it.each([
    ['protect: db/', 'only: { agent: dba, paths: db/ }', 'db/', 'dba', 'db/'],
    [
      'protect: [prod/, db/**]',
      'only: { agent: [dba, main], paths: [a/, ./db/x.sql] }',
      './db/x.sql',
      'dba or main',
      'db/**',
    ],
    ['protect: { paths: .env }', 'only: [{ agent: ops, paths: .env }]', '.env', 'ops', '.env'],
  ])('%s, %s', (protect, only, path, agents, by) => {
    expect(warnings(`${protect}\n${only}\n`)).toEqual([expect.stringMatching(/^signalbox\.yaml:2:\d+ /)])
    expect(warnings(`${protect}\n${only}\n`)[0]).toContain(
      `no agent changes \`${path}\`, not even \`${agents}\`: \`protect\` keeps \`${by}\` from everybody; remove it from \`protect\``,
    )
  })

  it.each([
    'protect: prod/\nonly: { agent: dba, paths: db/ }',
    'protect: prod/db/\nonly: { agent: dba, paths: prod/ }',
    'protect: db.sql\nonly: { agent: dba, paths: db.sql.gz }',
    'protect: db/\nonly: { agent: dba, paths: db2/ }',
    'protect: db/\nonly: { agent: dba, commands: psql }',
  ])('not here: %s', text => {
    expect(warnings(text)).toEqual([])
  })
})

describe('a definition named like a key', () => {
  it.each(['path', 'command', 'event', 'not'])('`%s` is warned of', name => {
    const house = new House()
    const gate = `gates: { g: { rules: [{ when: { is: ${name} }, then: deny, message: m }] } }`
    expect(house.problems(`define: { ${name}: { action: write } }\n${gate}\n`)).toEqual([])
    expect(house.warnings()).toEqual([
      `signalbox.yaml:1:11 the definition \`${name}\` has the name of a condition key; give it a name that says what it matches: \`is: ${name}\` reads like the key`,
    ])
  })
})
