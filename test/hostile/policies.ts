/** A project's files, by path from its root. */
export type Files = Readonly<Record<string, string>>

const times = (many: number, one: (nth: number) => string, by = '\n'): string =>
  Array.from({ length: many }, (_, nth) => one(nth)).join(by)

const rule = (when: string, more = ''): string => `{ when: ${when}, then: deny, message: no${more} }`
const gateOf = (rules: string): string => `gates:\n  g:\n    rules:\n${rules}`
const policy = (text: string): Files => ({ 'signalbox.yaml': text })

/** What a repository may bring to take time or room: each in as many parts as it is asked for. */
export const HOSTILE: Readonly<Record<string, (many: number) => Files>> = {
  'regexes with repeats': many =>
    policy(
      gateOf(
        times(
          many,
          nth => `      - ${rule(`{ input: { command: { regex: "(x+x+)+y${nth}|([a-z]{1,100}){1,9}Q" } } }`)}`,
        ),
      ),
    ),
  'plain regexes': many =>
    policy(gateOf(times(many, nth => `      - ${rule(`{ input: { command: { regex: "(x+x+)+y${nth}$" } } }`)}`))),
  'one regex of alternatives': many =>
    policy(gateOf(`      - ${rule(`{ input: { command: { regex: "${times(many, nth => `w${nth}x*`, '|')}" } } }`)}`)),
  'nested counts in a regex': many =>
    policy(
      gateOf(times(many, nth => `      - ${rule(`{ input: { command: { regex: "((a{1,9}){1,9}${nth}){1,9}" } } }`)}`)),
    ),
  'unknown keys': many => policy(times(many, nth => `k${nth}: 1`)),
  'one key again and again': many => policy(times(many, () => 'gates: {}')),
  'keys of one mapping in one line': many => policy(`gates: { ${times(many, nth => `g${nth}: {}`, ', ')} }`),
  'empty gates': many => policy(`gates:\n${times(many, nth => `  g${nth}: {}`)}`),
  gates: many => policy(`gates:\n${times(many, nth => `  g${nth}: { rules: [${rule(`{ command: x${nth} }`)}] }`)}`),
  'stateful gates': many =>
    policy(
      `gates:\n${times(
        many,
        nth =>
          `  g${nth}: { initial: open, counts: { action: run }, transitions: [{ from: open, to: closed, when: { event: tool.before, command: x${nth} } }], rules: [${rule(`{ gate: { g${(nth * 7) % many}: closed } }`)}] }`,
      )}`,
    ),
  rules: many => policy(gateOf(times(many, nth => `      - ${rule(`{ command: x${nth} }`)}`))),
  'rules that all speak': many =>
    policy(
      gateOf(times(many, nth => `      - { when: { event: tool.before }, then: warn, message: "${nth} {command}" }`)),
    ),
  transitions: many =>
    policy(
      `gates:\n  g:\n    initial: closed\n    transitions:\n${times(
        many,
        nth => `      - { from: closed, to: open, when: { event: tool.after, command: x${nth}, succeeded: true } }`,
      )}`,
    ),
  captures: many =>
    policy(
      `gates:\n  g:\n    initial: closed\n    transitions:\n${times(
        many,
        nth =>
          `      - { from: closed, to: open, when: { event: agent.stop }, capture: { c${nth}: { json: { type: object } } } }`,
      )}`,
    ),
  'a list of commands': many =>
    policy(gateOf(`      - ${rule(`{ command: [${times(many, nth => `x${nth}`, ', ')}] }`)}`)),
  'commands of many words': many =>
    policy(gateOf(times(many, () => `      - ${rule(`{ command: "* ${'* '.repeat(100)}x" }`)}`))),
  'paths of many stars': many =>
    policy(
      gateOf(`      - ${rule(`{ path: [${times(many, nth => `"**/${'*a'.repeat(20)}*/**/*${nth}*"`, ', ')}] }`)}`),
    ),
  'choices in paths': many =>
    policy(
      gateOf(
        `      - ${rule(`{ path: [${times(many, nth => `"**/{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}*${nth}"`, ', ')}] }`)}`,
      ),
    ),
  'engine sets': many => policy(gateOf(`      - ${rule(`{ path: [${times(many, () => '$registrations', ', ')}] }`)}`)),
  'texts to find': many =>
    policy(gateOf(`      - ${rule(`{ event: prompt.submit, prompt: [${times(many, nth => `"zz${nth}"`, ', ')}] }`)}`)),
  'a long unless': many =>
    policy(
      gateOf(
        `      - { when: { event: tool.before }, unless: { any: [${times(many, nth => `{ command: x${nth} }`, ', ')}] }, then: warn, message: no }`,
      ),
    ),
  'deep conditions': many =>
    policy(gateOf(`      - ${rule(`${'{ not: '.repeat(many)}{ command: a }${' }'.repeat(many)}`)}`)),
  'deep lists': many => policy(`a: ${'['.repeat(many)}${']'.repeat(many)}`),
  'open brackets': many => policy('['.repeat(many)),
  'dashes in one line': many => policy(`a: ${'- '.repeat(many)}`),
  'question marks': many => policy(times(many, nth => `? k${nth}\n: 1`)),
  'wrong values': many => policy(`gates:\n${times(many, nth => `  g${nth}: 1`)}`),
  'unknown gates': many =>
    policy(gateOf(`      - ${rule(`{ gate: { ${times(many, nth => `h${nth}: open`, ', ')} } }`)}`)),
  'unknown variables': many =>
    policy(gateOf(times(many, nth => `      - { when: { command: a }, then: deny, message: "{v${nth}}" }`))),
  aliases: many =>
    policy(
      `x: &a [${times(9, () => 'x', ', ')}]\n${times(Math.min(many, 90), nth => `y${nth}: &b${nth} [${times(9, () => (nth === 0 ? '*a' : `*b${nth - 1}`), ', ')}]`)}`,
    ),
  'one large list by aliases': many =>
    policy(
      `${gateOf(`      - ${rule(`{ command: &a [${times(many, nth => `x${nth}`, ', ')}] }`)}\n${times(90, () => `      - ${rule('{ command: *a }')}`)}`)}`,
    ),
  anchors: many => policy(`gates: {}\nx: [${times(many, nth => `&a${nth} 1`, ', ')}]`),
  comments: many => policy(times(many, nth => `# ${nth}`)),
  'blank lines': many => policy(`gates: {}${'\n'.repeat(many)}x`),
  'one long text': many =>
    policy(gateOf(`      - { when: { command: a }, then: deny, message: "${'x'.repeat(many * 10)}" }`)),
  'escapes in a text': many =>
    policy(gateOf(`      - { when: { command: a }, then: deny, message: "${'\\u0041'.repeat(many)}" }`)),
  'text over many lines': many =>
    policy(gateOf(`      - { when: { command: a }, then: deny, message: ${'x\n          '.repeat(many)} }`)),
  documents: many => policy(times(many, () => '---\na: 1')),
  tags: many => policy(`x: [${times(many, nth => `!t${nth} 1`, ', ')}]`),
  'a template used by all': many => ({
    'signalbox.yaml': gateOf(
      times(many, () => '      - { when: { event: tool.before }, then: warn, message: t/x.md }'),
    ),
    't/x.md': 'x {command} '.repeat(10_000),
  }),
  'variables in a text': many =>
    policy(gateOf(`      - { when: { event: tool.before }, then: warn, message: "${'{command}'.repeat(many)}" }`)),
  examples: many =>
    policy(
      gateOf(
        `      - ${rule('{ command: zz }', `, examples: { stops: [${times(many, nth => `"zz ${nth}"`, ', ')}] }`)}`,
      ),
    ),
  'a long example': many =>
    policy(
      gateOf(
        `      - ${rule('{ command: zz }', `, examples: { stops: ["zz ${'$(a '.repeat(many)}${')'.repeat(many)}"] }`)}`,
      ),
    ),
  'built-in packs': many => policy(`use: [${times(many, () => 'master-orchestrator', ', ')}]`),
  'packs of its own': many => ({
    'signalbox.yaml': `use: [${times(many, nth => `./p${nth}`, ', ')}]`,
    ...Object.fromEntries(
      Array.from({ length: Math.min(many, 300) }, (_, nth) => [
        `p${nth}/pack.yaml`,
        `about: x\ngates: { g${nth}: { rules: [{ id: a, when: { command: x${nth} }, then: deny, message: no }] } }`,
      ]),
    ),
  }),
  'an option put into many places': many => ({
    'signalbox.yaml': 'use: [./p]',
    'p/pack.yaml': `about: x\noptions: { l: { default: [${times(1000, nth => `x${nth}`, ', ')}] } }\ngates:\n  g:\n    rules:\n${times(many, nth => `      - { id: r${nth}, when: { command: $l }, then: deny, message: no }`)}`,
  }),
  routes: many =>
    policy(
      `routes:\n${times(many, nth => `  r${nth}: { url: "https://example.com/:a/${nth}/:b", message: "use {a}" }`)}`,
    ),
  'routes without a literal': many =>
    policy(`routes:\n${times(many, nth => `  r${nth}: { pattern: "([a-z]{1,60}){1,15}Q${nth}", message: no }`)}`),
  'imported routes': many => ({
    'signalbox.yaml': 'routes: { from: [l.json] }',
    'l.json': JSON.stringify({
      routes: Object.fromEntries(
        Array.from({ length: many }, (_, nth) => [`r${nth}`, { pattern: `x+y${nth}`, message: 'no' }]),
      ),
    }),
  }),
  'adjusted gates': many => policy(`adjust:\n${times(many, nth => `  a${nth}: { mode: observe }`)}`),
  variables: many => policy(gateOf(`      - ${rule(`{ env: { ${times(many, nth => `V${nth}: a`, ', ')} } }`)}`)),
  'classes of unicode in regexes': many =>
    policy(
      gateOf(
        times(
          many,
          nth =>
            `      - ${rule(`{ input: { command: { regex: "(?i)([\\\\p{L}\\\\p{N}_]{1,40}[^\\\\p{Lu}]){1,8}${nth}" } } }`)}`,
        ),
      ),
    ),
  'one long glob': many => policy(gateOf(`      - ${rule(`{ path: "${'?*'.repeat(many)}x" }`)}`)),
  'nested choices in a path': many =>
    policy(gateOf(`      - ${rule(`{ path: "${'{a,b'.repeat(many)}${'}'.repeat(many)}" }`)}`)),
  'deep mappings': many => policy(`${'{ a: '.repeat(many)}1${' }'.repeat(many)}`),
  'one long key': many => policy(`${'k'.repeat(many * 10)}: 1`),
  'gates with long names': many =>
    policy(`gates:\n${times(many, nth => `  ${'g'.repeat(200)}${nth}: { rules: [${rule('{ command: a }')}] }`)}`),
  'a chain of merges': many =>
    policy(`x0: &x0 { a: 1 }\n${times(many, nth => `x${nth + 1}: &x${nth + 1} { <<: *x${nth}, b${nth}: 1 }`)}`),
  'a capture with a large schema': many =>
    policy(
      `gates:\n  g:\n    initial: closed\n    transitions:\n      - { from: closed, to: open, when: { event: agent.stop }, capture: { c: { json: { type: object, properties: { ${times(many, nth => `p${nth}: { type: string, enum: [a, b] }`, ', ')} }, required: [${times(many, nth => `p${nth}`, ', ')}] } } } }`,
    ),
  'a text for each client': many =>
    policy(
      gateOf(
        times(
          many,
          nth =>
            `      - { when: { command: a }, then: deny, message: { default: d${nth}, generic: g${nth}, codex-cli: c${nth} } }`,
        ),
      ),
    ),
  'regexes of prompts': many =>
    policy(
      gateOf(
        times(
          many,
          nth =>
            `      - { when: { event: prompt.submit, prompt: { regex: "(a|b|ab)*c{1,90}${nth}" } }, then: warn, message: no }`,
        ),
      ),
    ),
  'routes of many parts': many =>
    policy(`routes:\n  r: { url: "https://example.com/${times(many, nth => `:p${nth}`, '/')}", message: no }`),
  'packs that use packs': many => ({
    'signalbox.yaml': 'use: [./p0]',
    ...Object.fromEntries(
      Array.from({ length: Math.min(many, 300) }, (_, nth) => [
        `p${nth}/pack.yaml`,
        `about: x\nuse: [../p${nth + 1}, ../p${nth}]\ngates: { g${nth}: {} }`,
      ]),
    ),
  }),
  'a large list of routes in one file': many => ({
    'signalbox.yaml': `routes: { from: [${times(40, () => 'l.json', ', ')}] }`,
    'l.json': `{"routes":${'['.repeat(many)}${']'.repeat(many)}}`,
  }),
  'nested policies': many =>
    Object.fromEntries(
      Array.from({ length: 60 }, (_, depth) => [
        `${'d/'.repeat(depth)}signalbox.yaml`,
        gateOf(times(Math.ceil(many / 60), nth => `      - ${rule(`{ command: x${nth} }`)}`)),
      ]),
    ),
}

/** Where a hostile project's agent works: the deepest folder with a policy. */
export const deepest = (files: Files): string =>
  Object.keys(files)
    .filter(file => file.endsWith('signalbox.yaml'))
    .map(file => file.slice(0, -'signalbox.yaml'.length))
    .reduce((a, b) => (b.length > a.length ? b : a), '')
