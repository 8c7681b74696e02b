import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requiredLiterals } from '../../src/policy/compile/routes/required-literals.ts'
import { setTrust } from '../../src/policy/index.ts'
import { House } from './policy-sandbox.ts'

const table = (house: House) => house.load().program.gates.find(({ name }) => name === 'routes')?.routes

const SEED = JSON.stringify({
  routes: {
    atlassian: { pattern: 'https?://[^/]*\\.atlassian\\.net', message: 'Use {mcp} tools.' },
    'github-pr': {
      pattern: 'github\\.com/[^/]+/[^/]+/pull/\\d+',
      message: 'Use `gh pr view <number>` for GitHub PRs.',
    },
    linear: { pattern: 'linear\\.app/[^/]+/issue', message: 'Use Linear MCP tools.' },
  },
})

describe('routes', () => {
  it('compile to conditions, found by host, by rare letters, or always', () => {
    const house = new House()
    house.user(`
routes:
  pr: { url: "https://github.com/:owner/:repo/pull/:number", message: "gh pr view {number} --repo {owner}/{repo}", suggest: "gh pr view {number}" }
  wild: { url: "https://*.atlassian.net", message: m }
  both: { url: ["https://a.b/x", { regex: "docs\\\\.(?P<name>[a-z]+)\\\\.example" }], message: "{name}" }
  short: { pattern: "a.b", message: m }
  tool: { tool: [run_shell_command, "mcp__x__*"], message: m }
  file: { path: secrets/, message: m }
  pass: { pattern: example\\.com/ok, allow: true }
`)
    const found = table(house)
    expect(found?.index).toEqual({
      hosts: { 'github.com': [0], 'www.github.com': [0], 'a.b': [2], 'www.a.b': [2] },
      grams: { '.atl': [1], docs: [2], 'ple.': [6] },
      rest: [3, 4, 5],
    })
    expect(house.load().warnings.map(({ message }) => message)).toEqual([
      'route `short` has no literal of 4 characters: it is tried on every fetch',
    ])
    const before = { key: 'event', in: ['tool.before'] }
    const fetch = { key: 'action', in: ['fetch'] }
    expect(found?.list[0]).toEqual({
      id: 'pr',
      events: ['tool.before'],
      when: {
        all: [
          before,
          fetch,
          {
            key: 'url',
            in: [
              { template: { scheme: 'https', host: 'github.com', segments: [':owner', ':repo', 'pull', ':number'] } },
            ],
          },
        ],
      },
      unsure: 'pass',
      then: 'deny',
      message: 'gh pr view {number} --repo {owner}/{repo}',
      suggest: 'gh pr view {number}',
      pattern: 'https://github.com/:owner/:repo/pull/:number',
      at: '~/.config/signalbox/signalbox.yaml:3',
    })
    expect(found?.list[4]?.when).toEqual({
      all: [before, { key: 'tool', in: ['run_shell_command', 'Bash', 'mcp__x__*'] }],
    })
    expect(found?.list[5]?.when).toEqual({
      all: [before, { key: 'path', in: [{ glob: `${house.root}/secrets/**`, head: `${house.root}/secrets` }] }],
    })
    expect(found?.list[6]).toMatchObject({ allow: true, then: 'allow', message: '' })
  })

  it('of which a command is missing are inactive, and that is said', () => {
    const house = new House()
    house.user(
      'routes: { a: { url: "https://a.b", message: m, needs: { command: glab } }, b: { url: "https://a.b", message: m, needs: { command: gh } } }',
    )
    expect(table(house)?.list.map(({ id }) => id)).toEqual(['b'])
    expect(house.load().warnings.map(({ message }) => message)).toEqual([
      'route `a` is inactive: `glab` is not installed',
    ])
  })

  it('may stand in any gate', () => {
    const house = new House()
    house.user('gates: { g: { mode: warn, routes: { a: { url: "https://a.b", message: m } } } }')
    expect(house.load().program.gates[0]).toMatchObject({ name: 'g', mode: 'warn', routes: { list: [{ id: 'a' }] } })
  })
})

describe('tool-routes.json of the seed', () => {
  it('works unchanged', () => {
    const house = new House()
    house.write('tool-routes.json', SEED)
    house.project('routes: { from: tool-routes.json }')
    expect(table(house)?.list.map(({ id, message, pattern, then }) => [id, message, pattern, then])).toEqual([
      ['atlassian', 'Use {{mcp} tools.', 'https?://[^/]*\\.atlassian\\.net', 'deny'],
      ['github-pr', 'Use `gh pr view <number>` for GitHub PRs.', 'github\\.com/[^/]+/[^/]+/pull/\\d+', 'deny'],
      ['linear', 'Use Linear MCP tools.', 'linear\\.app/[^/]+/issue', 'deny'],
    ])
    expect(table(house)?.index).toEqual({ hosts: {}, grams: { http: [0], gith: [1], line: [2] }, rest: [] })
    expect(house.load().warnings).toEqual([])
  })

  it('a bad route takes down itself only, a bad file itself only, and both are named', () => {
    const house = new House()
    house.write(
      'a.json',
      '{ "routes": { "bad": { "pattern": "(", "message": "m" }, "half": { "pattern": "abcd" }, "good": { "pattern": "abcd", "message": "m" } } }',
    )
    house.write('b.json', '{')
    house.write('c.json', '[]')
    house.project('routes:\n  from: [a.json, b.json, c.json, d.json]\n  own: { pattern: wxyz, message: m }')
    expect(table(house)?.list.map(({ id }) => id)).toEqual(['good', 'own'])
    expect(house.warnings()).toEqual([
      'signalbox.yaml:2:10 route `bad` of `a.json` is not used: `(` is not a regex: bad pattern',
      'signalbox.yaml:2:10 route `half` of `a.json` is not used: it needs a pattern and a message',
      'signalbox.yaml:2:18 `b.json` is not used: it is not JSON',
      'signalbox.yaml:2:26 `c.json` is not used: it needs { "routes": { name: { pattern, message } } }',
      'signalbox.yaml:2:34 `d.json` does not exist',
    ])
  })

  it('`tool` of a route is the shell or what fetches, else the route is named as useless', () => {
    const house = new House()
    const route = (tool: string) => ({ tool, pattern: 'git push', message: 'm' })
    const routes = { shell: route('Bash'), web: route('WebFetch'), file: route('Read') }
    house.write('tool-routes.json', JSON.stringify({ routes }))
    house.project('routes: { from: tool-routes.json }')
    expect(table(house)?.list.map(({ id, when }) => [id, JSON.stringify(when).includes('"field":"command"')])).toEqual([
      ['shell', true],
      ['web', false],
    ])
    expect(house.warnings().join()).toContain(
      'route `file` of `tool-routes.json` is not used: `pattern` searches commands and URLs, and `Read` has neither: use `path`',
    )
  })

  it.each([
    ['Task', 'use a gate with a rule about `input`'],
    ['TodoWrite', 'use a gate with a rule about `input`'],
    ['WebSearch', 'use a gate with a rule about `input`'],
    ['NotebookRead', 'use `path`'],
    ['read_file', 'use `path`'],
  ])('`tool: %s` with `pattern` never matches: it is named, in JSON and in YAML', (tool, instead) => {
    const house = new House()
    const route = { tool, pattern: 'abcdef', message: 'm' }
    const fault = `\`pattern\` searches commands and URLs, and \`${tool}\` has neither: ${instead}`
    house.write('tool-routes.json', JSON.stringify({ routes: { r: route } }))
    house.project('routes: { from: tool-routes.json }')
    expect(table(house)?.list ?? []).toEqual([])
    expect(house.warnings().join()).toContain(`route \`r\` of \`tool-routes.json\` is not used: ${fault}`)
    house.write('tool-routes.yaml', JSON.stringify({ routes: { r: route } }))
    house.project('routes: { from: tool-routes.yaml }')
    expect(table(house)?.list ?? []).toEqual([])
    expect(house.warnings().join()).toContain(fault)
  })

  it('with `tool` of an MCP server is for that tool alone, and by another name of the shell for the shell', () => {
    const house = new House()
    const route = (tool: string) => ({ tool, pattern: 'abcdef', message: 'm' })
    const routes = { mcp: route('mcp__browser__navigate'), shell: route('run_shell_command'), web: route('web_fetch') }
    house.write('tool-routes.json', JSON.stringify({ routes }))
    house.project('routes: { from: tool-routes.json }')
    const conditions = table(house)?.list.map(({ id, when }) => [id, 'all' in when ? when.all.slice(1) : []])
    const url = { key: 'url', in: [{ regex: 'abcdef' }] }
    const input = (field: string) => ({ key: 'input', fields: [{ field, in: [{ regex: 'abcdef' }] }] })
    expect(conditions).toEqual([
      ['mcp', [{ key: 'tool', in: ['mcp__browser__navigate'] }, { any: [url, input('url')] }]],
      ['shell', [{ key: 'tool', in: ['Bash'] }, input('command')]],
      ['web', [{ key: 'action', in: ['fetch'] }, url]],
    ])
  })

  it('in YAML with `tests` is used as it is', () => {
    const house = new House()
    const tests = '[{ desc: d, input: { tool_name: Bash, tool_input: { command: git push } }, expect: block }]'
    house.write('tool-routes.yaml', `routes: { push: { tool: Bash, pattern: git push, message: m, tests: ${tests} } }`)
    house.project('routes: { from: tool-routes.yaml }')
    expect(table(house)?.list.map(({ id }) => id)).toEqual(['push'])
    expect(house.warnings()).toEqual([])
  })

  it('on a name conflict the first stays and both sources are named', () => {
    const house = new House()
    house.write('tool-routes.json', SEED)
    house.project('routes:\n  linear: { pattern: mine, message: m }\n  from: [tool-routes.json]')
    expect(table(house)?.list.map(({ id, pattern }) => [id, pattern])[0]).toEqual(['linear', 'mine'])
    expect(house.warnings()).toEqual([
      'signalbox.yaml:3:10 route `linear` of tool-routes.json is dropped: signalbox.yaml:2 has one of that name',
    ])
  })
})

describe('files of routes', () => {
  it('in YAML that let through are part of what a person trusts', () => {
    const house = new House()
    const ids = () => table(house)?.list.map(({ id }) => id)
    const file = house.project('routes: { from: r.yaml }')
    house.write('r.yaml', 'routes: { a: { url: "https://a.b", message: m }, b: { url: "https://c.d", allow: true } }')
    expect(ids()).toEqual(['a'])
    setTrust(house.stateDir, file, house.load().layers[0]?.trustHash ?? '')
    expect(ids()).toEqual(['a', 'b'])
    house.write('r.yaml', 'routes: { a: { url: "https://a.b", message: m }, c: { url: "https://*", allow: true } }')
    expect(ids()).toEqual(['a'])
    expect(house.load().layers[0]?.untrusted).toEqual(['route `c` allows (r.yaml:1)'])
  })

  it('are read again when they change, appear or go', () => {
    const house = new House()
    const ids = () => table(house)?.list.map(({ id }) => id)
    house.project('routes: { from: r.yaml, own: { url: "https://a.b", message: m } }')
    expect(ids()).toEqual(['own'])
    house.write('r.yaml', 'routes: { a: { url: "https://a.b", message: m } }')
    expect(ids()).toEqual(['a', 'own'])
    house.write('r.yaml', 'routes: { b: { url: "https://a.b", message: m } }')
    expect(ids()).toEqual(['b', 'own'])
  })

  it('below a folder of the environment are compiled once for each folder', () => {
    const house = new House()
    const ids = () => table(house)?.list.map(({ id }) => id)
    house.user('routes: { from: $PLUGIN/r.json, own: { url: "https://a.b", message: m } }')
    for (const name of ['one', 'two'])
      house.write(`${house.folder}/${name}/r.json`, `{"routes": {"${name}": {"pattern": "abcd", "message": "m"}}}`)
    const turns = ['one', undefined, 'two', 'one', undefined, 'two'].map(name => {
      house.env = name === undefined ? {} : { PLUGIN: `${house.folder}/${name}` }
      return ids()
    })
    expect(turns).toEqual([['one', 'own'], ['own'], ['two', 'own'], ['one', 'own'], ['own'], ['two', 'own']])
    expect(house.compilations).toBe(3)
  })

  it('a route whose pattern is none leaves the rest of its layer in force', () => {
    const house = new House()
    house.project('routes: { a: { pattern: "[", message: m }, b: { pattern: abcd, message: m } }')
    const loaded = house.load()
    expect(loaded.layers[0]?.state).toBe('active')
    expect(loaded.problems.map(({ message }) => message)).toEqual(['`[` is not a regex: bad pattern'])
    expect(table(house)?.list.map(({ id }) => id)).toEqual(['b'])
  })
})

describe('whitelist.json of the seed', () => {
  const WHITELIST = JSON.stringify({
    approved_paths: ['~/.claude/hooks', 'docs/', '.bmad/'],
    approved_commands: ['git status', 'npm test'],
    auto_approve_patterns: ['^git (status|log|diff)', '('],
  })

  it('works unchanged, and stands beside the lists of the policy', () => {
    const house = new House()
    house.write(`${house.home}/.claude/hooks/whitelist.json`, WHITELIST)
    house.user('allow: { commands: ls, from: "~/.claude/hooks/whitelist.json" }')
    const { program, warnings } = house.load()
    expect(program.allow).toEqual([
      {
        layer: 'user',
        paths: [
          { glob: `${house.home}/.claude/hooks` },
          { glob: `${house.root}/docs/**`, head: `${house.root}/docs` },
          { glob: `${house.root}/.bmad/**`, head: `${house.root}/.bmad` },
          { glob: `${house.home}/.claude/hooks/**`, head: `${house.home}/.claude/hooks` },
        ],
        commands: [
          { program: 'ls', words: [], options: [] },
          { program: 'git', words: ['status'], options: [] },
          { program: 'npm', words: ['test'], options: [] },
        ],
        patterns: [{ regex: '^git (status|log|diff)' }],
      },
    ])
    expect(warnings.map(({ message }) => message)).toEqual([
      '`(` of `~/.claude/hooks/whitelist.json` is not used: bad pattern',
    ])
  })

  it('a bad one clears nothing', () => {
    const house = new House()
    house.write(`${house.home}/w.json`, '{ "approved_paths": "all" }')
    house.user('allow: { from: "~/w.json" }')
    expect(house.load().program.allow).toEqual([{ layer: 'user', paths: [], commands: [], patterns: [] }])
    expect(house.load().warnings).toHaveLength(1)
  })
})

describe('literals a regex needs', () => {
  const CASES: Readonly<Record<string, readonly string[]>> = {
    'github\\.com/[^/]+/pull/\\d+': ['github.com/', '/pull/'],
    'abc|def': [],
    '(?:abcd|efgh)ij': ['ij'],
    '(abcd)?efgh': ['efgh'],
    '(?i)ABCD': ['abcd'],
    'abcde?': ['abcd'],
    'abcde+f': ['abcde', 'f'],
    'abcde*f': ['abcd', 'f'],
    'ab{0}cd': ['a', 'cd'],
    'ab{2,}cd': ['ab', 'cd'],
    '(?P<host>docs)\\.x': ['docs', '.x'],
    '^https?://x[.]y$': ['http', '://x.y'],
    'a[]b]c[[:alpha:]]d': ['a', 'c', 'd'],
    '\\x41bcd': [],
    '\\Qa.b\\E': [],
    'é-abcd': ['-abcd'],
    '(((abcd)))': ['abcd'],
    '(ab': [],
  }
  for (const [source, literals] of Object.entries(CASES))
    it(source, () => {
      expect(requiredLiterals(source)).toEqual(literals)
    })

  it('every text a regex matches contains them', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'ab',
        'cd',
        '\\.',
        '[ab]',
        '[.]',
        '.',
        '\\d',
        'x?',
        'y+',
        'z*',
        'w{0,1}',
        'v{2}',
        '(?:ab)?',
        '(cd|ef)',
        '(?:gh)',
        '^',
        '$',
      ),
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 6 }),
        fc.array(fc.constantFrom(...'abcdefghvwxyz.1'), { maxLength: 14 }),
        (pieces, chars) => {
          const source = pieces.join('')
          const text = chars.join('')
          const found = new RegExp(source, 'i').exec(text)
          if (found) for (const literal of requiredLiterals(source)) expect(text).toContain(literal)
        },
      ),
      { numRuns: 3000 },
    )
  })
})
