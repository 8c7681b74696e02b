import { describe, expect, it } from 'vitest'
import { House } from './policy-sandbox.ts'

describe('a gate', () => {
  it.each([
    ['command: npm test', { line: 'make', silent: ['quiet'] }],
    ['tool: [Bash, Write]', { line: 'make', silent: ['quiet'] }],
    ['tool: Write', 'make'],
  ])('that waits for the success of `%s` suggests `signalbox run` only where that can say it', (what, suggest) => {
    const house = new House()
    house.user(`gates:
  g:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.after, ${what}, succeeded: true } }]
    rules: [{ while: closed, when: { command: git push }, then: deny, message: No., suggest: make }]
`)
    const clients = house.input().clients.map(one => ({ ...one, id: 'quiet', reportsExit: false }))
    const { program } = house.load({ clients })
    expect(program.gates.flatMap(gate => gate.rules.map(one => one.suggest))).toContainEqual(suggest)
  })

  it('has every key of the language', () => {
    const house = new House()
    house.write(`${house.home}/.config/signalbox/why.md`, 'Because of {tool}.\n')
    house.user(`
gates:
  g:
    about: a line
    mode: warn
    initial: closed
    scope: project
    counts: { action: write }
    onError: closed
    opens: human
    yields: false
    bypass: { env: { A: "1", B: { regex: "^x$" } }, message: bypassed }
    transitions:
      - id: t
        from: closed
        to: open
        when: { event: agent.stop, agent: router }
        message: opened
        context: "as {decision.intent}"
        capture: { decision: { json: { type: object } } }
        invalid: { then: ask, message: "no: {problem}" }
    rules:
      - id: r
        while: closed
        when: { event: tool.before, url: "https://x.y/:part" }
        unless: { caller: agent }
        unsure: ask
        then: deny
        message: { default: why.md, generic: "box {part} {{ {operations}" }
        warning: careful
        context: more
        suggest: "get {part}"
        limit: 3
`)
    const loaded = house.load()
    expect(loaded.problems).toEqual([])
    expect(loaded.program.env).toEqual(['A', 'B'])
    expect(loaded.program.gates).toEqual([
      {
        id: 'user/g',
        name: 'g',
        layer: 'user',
        about: 'a line',
        mode: 'warn',
        initial: 'closed',
        scope: 'project',
        counts: {
          all: [
            { key: 'event', in: ['tool.before'] },
            { key: 'action', in: ['write'] },
          ],
        },
        onError: 'closed',
        opens: 'human',
        yields: false,
        bypass: {
          when: {
            key: 'env',
            fields: [
              { field: 'A', in: [{ is: '1' }] },
              { field: 'B', in: [{ regex: '^x$' }] },
            ],
          },
          message: 'bypassed',
        },
        transitions: [
          {
            id: 't',
            from: ['closed'],
            to: 'open',
            clock: false,
            events: ['agent.stop'],
            when: {
              all: [
                { key: 'event', in: ['agent.stop'] },
                { key: 'agent', in: ['router'] },
              ],
            },
            message: 'opened',
            context: 'as {user/g.decision.intent}',
            capture: { name: 'decision', schema: { type: 'object' } },
            invalid: { then: 'ask', message: 'no: {problem}' },
            at: '~/.config/signalbox/signalbox.yaml:17',
          },
        ],
        rules: [
          {
            id: 'r',
            while: 'closed',
            events: ['tool.before'],
            when: {
              all: [
                { key: 'event', in: ['tool.before'] },
                { key: 'url', in: [{ template: { scheme: 'https', host: 'x.y', segments: [':part'] } }] },
              ],
            },
            unless: { key: 'caller', in: ['agent'] },
            unsure: 'ask',
            then: 'deny',
            message: { default: 'Because of {tool}.', generic: 'box {part} {{ {operations}' },
            warning: 'careful',
            context: 'more',
            suggest: 'get {part}',
            limit: 3,
            at: '~/.config/signalbox/signalbox.yaml:25',
          },
        ],
        at: '~/.config/signalbox/signalbox.yaml:3',
      },
    ])
  })

  it('that is off is not there, and who waits for it waits for nothing', () => {
    const house = new House()
    house.user(`
gates:
  off: { mode: off, initial: closed }
  g:
    rules:
      - { id: open, when: { gate: { off: open } }, then: deny, message: m }
      - { id: closed, when: { gate: { off: closed } }, then: deny, message: m }
`)
    const { gates } = house.load().program
    expect(gates.map(gate => gate.id)).toEqual(['user/g'])
    const before = { key: 'event', in: ['tool.before'] }
    expect(gates[0]?.rules.map(rule => rule.when)).toEqual([
      { all: [before, { key: 'gate', states: [] }] },
      { all: [before, { any: [] }] },
    ])
  })

  it('hooks, allow lists, settings and exports', () => {
    const house = new House()
    house.user(`
hooks:
  - { event: [tool.before, tool.after], tool: Edit, run: ./x.sh a, timeoutMs: 10, onError: closed }
  - { event: session.start, run: y }
allow: { paths: [docs/, src], commands: [git status, $reading], patterns: "^ls" }
settings: { onError: closed, budgetMs: 500, expiry: 2d }
gates: { g: { initial: closed } }
exports: { routing-session-state: { gate: g, on: agent, state: .state/routing.json } }
`)
    const { program, exports } = house.load()
    const kinds = ['tool.before', 'tool.after', 'tool.failed']
    expect(program.hooks).toEqual([
      {
        layer: 'user',
        events: kinds,
        when: {
          all: [
            { key: 'event', in: kinds },
            { key: 'tool', in: ['Edit'] },
          ],
        },
        run: './x.sh a',
        timeoutMs: 10,
        onError: 'closed',
      },
      {
        layer: 'user',
        events: ['session.start'],
        when: { key: 'event', in: ['session.start'] },
        run: 'y',
        timeoutMs: 5000,
        onError: 'open',
      },
    ])
    expect(program.allow).toEqual([
      {
        layer: 'user',
        paths: [
          { glob: `${house.root}/docs/**`, head: `${house.root}/docs` },
          { glob: `${house.root}/src` },
          { glob: `${house.root}/src/**`, head: `${house.root}/src` },
        ],
        commands: [{ program: 'git', words: ['status'], options: [] }, { reading: true }],
        patterns: [{ regex: '^ls' }],
      },
    ])
    expect(program.settings).toEqual({ onError: 'closed', budgetMs: 500, expiryHours: 48 })
    expect(exports).toEqual([
      {
        layer: 'user',
        feature: 'routing-session-state',
        gate: 'user/g',
        on: ['agent'],
        state: '.state/routing.json',
      },
    ])
  })
})
