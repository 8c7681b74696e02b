import { describe, expect, it } from 'vitest'
import { formatPolicyError } from '../../src/policy/index.ts'
import { House } from './policy-sandbox.ts'

const rule = (when: string, more = 'then: deny, message: m'): string =>
  `gates:\n  g:\n    rules:\n      - { id: r, when: ${when}, ${more} }\n`

const CASES: Readonly<Record<string, readonly [policy: string, ...problems: string[]]>> = {
  'a list that does not end': ['a: [', '1:4 `[` is not closed; a `]` is missing at the end'],
  'a mapping that does not end before the next line': [
    'gates:\n  - { b: 1, c: { d: 2 }\n  - { e: [f] } }\n',
    '2:5 `{` is not closed; a `}` is missing at the end',
  ],
  'a quote that does not end': ['gates: "x\n', '1:8 `"` is not closed; a `"` is missing at the end'],
  'a text that begins with a backtick': [
    'message: `npm test` first',
    '1:10 plain value cannot start with reserved character `; put the text in quotes: in YAML it cannot start with a backtick',
  ],
  'a text that begins with an at': [
    'message: @me',
    '1:10 plain value cannot start with reserved character @; put the text in quotes: in YAML it cannot start with `@`',
  ],
  'a text with a colon': [
    'message: Stop: spawn it',
    '1:10 nested mappings are not allowed in compact mappings; put the text in quotes: in YAML a colon and a space start a mapping',
  ],
  'a text with a colon in braces': [
    'a: { message: Stop: spawn it }',
    '1:15 block collections are not allowed within flow collections; put the text in quotes: in YAML a colon and a space start a mapping',
  ],
  'a text that begins with a brace': [
    'message: {path} is not yours',
    '1:17 unexpected scalar at node end; put the text in quotes: in YAML a brace at the start is a mapping',
  ],
  'a key that is indented otherwise, after a blank line': [
    'gates:\n  a:\n    x: 1\n\n  # b\n   b:\n    x: 1\n',
    '6:4 all mapping items must start at the same column; indent it like the lines that it belongs to',
  ],
  'a list at the top': ['- 1', '1:1 the file must be a mapping of keys'],
  'a tab': ['gates:\n\ta: 1', '2:1 a tab is used as indentation: use spaces'],
  'a key written twice': ['gates: {}\ngates: {}', '2:1 key `gates` is written twice; remove one of them, or rename it'],
  'two documents': ['a: 1\n---\nb: 1', '2:1 only one document (no `---`) can be in this file'],
  'a bomb of aliases': [
    `a: &a [${'x,'.repeat(9)}]\n${[...'bcdefgh'].map((name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]},`.repeat(9)}]`).join('\n')}`,
    '3:8 the file uses too many aliases',
  ],
  'an alias of itself': ['a: &x [*x]', '1:7 the file is nested too deeply to be read'],
  'a key that pollutes': ['__proto__: {}', '1:1 `__proto__` cannot be a key'],
  'a key that is no word': ['? [a]\n: 1', '1:3 a key must be a plain word'],
  'no mapping of gates': ['gates: 1', '1:8 `gates` in the policy must be a mapping of gates, not `1`'],
  'unknown keys, all of them': [
    'gats: {}\nruts: {}\nqqqqqq: 1',
    '1:1 unknown key `gats` in the policy; did you mean `gates`?',
    '2:1 unknown key `ruts` in the policy; did you mean `routes`?',
    '3:1 unknown key `qqqqqq` in the policy',
  ],
  'an unknown key deep inside': [
    rule('{ comand: x }'),
    '4:26 unknown key `comand` in gate `g`; did you mean `command`?',
  ],
  'a word that is none of the choices': [
    'gates:\n  g:\n    mode: blok',
    '3:11 `mode` in gate `g` must be off, observe, warn or block, not `blok`; did you mean `block`?',
  ],
  'an unknown event': [
    rule('{ event: tool.befor }'),
    '4:33 unknown `event` `tool.befor` in gate `g`; did you mean `tool.before`?',
  ],
  "an agent's own name of an event": [
    rule('{ event: aftercall }'),
    '4:33 unknown `event` `aftercall` in gate `g`; `AfterCall` is the name in Agent: write `tool.after`',
  ],
  'an action by another name': [
    rule('{ action: edit }'),
    '4:34 unknown `action` `edit` in gate `g`; did you mean `write`?',
  ],
  'a consequence by another name': [
    rule('{}', 'then: block, message: m'),
    '4:34 `then` in gate `g` must be deny, ask, allow or warn, not `block`; did you mean `deny`?',
  ],
  'a key by another name': [
    rule('{ success: true }'),
    '4:26 unknown key `success` in gate `g`; did you mean `succeeded`?',
  ],
  'a variable by another name': [
    rule('{}', 'then: deny, message: "{file}"'),
    '4:49 unknown variable `{file}`; did you mean `{path}`?',
  ],
  'an example by another name': [
    rule('{}', 'then: deny, message: m, examples: { stops: [{ bash: x }] }'),
    '4:72 example `bash: x` of rule `r` in gate `g` cannot be read: unknown key `bash`; did you mean `shell`?',
  ],
  'an unknown event in a list': [rule('{ event: [tool.before, 3] }'), '4:47 unknown `event` `3` in gate `g`'],
  'an unknown action': [rule('{ action: wrte }'), '4:34 unknown `action` `wrte` in gate `g`; did you mean `write`?'],
  'a value left empty': [rule('{ path: }'), '4:32 `path` in gate `g` must be a path or a list, not empty'],
  'a denial without a reason': [
    rule('{ command: x }', 'then: deny'),
    '4:46 `message` is missing in rule `r`: `then: deny` needs a reason',
  ],
  'a rule without a consequence': [rule('{ command: x }', 'message: m'), '4:9 `then` is missing in gate `g`'],
  'one mistake is told once': [
    rule('{ url: { regx: a } }'),
    '4:33 unknown key `regx` in gate `g`; did you mean `regex`?',
  ],
  'a regex that is none': [rule('{ url: { regex: "(" } }'), '4:40 `(` is not a regex: bad pattern'],
  'a url that is none': [rule('{ url: "a b" }'), '4:31 `a b` is not a url; write it like `https://host/:part/*rest`'],
  'a command that is none': [rule('{ command: --x }'), '4:35 `--x` is not a command'],
  'texts without a default': [rule('{}', 'then: deny, message: { other: a }'), '4:49 `default` is missing in gate `g`'],
  'a part without an end': [
    rule('{}', 'then: deny, message: "{?command} x"'),
    '4:49 a part `{?name}` has no end; write `{/}` where the part ends',
  ],
  'an unknown variable of a part': [
    rule('{}', 'then: deny, message: "{?comand} x{/}"'),
    '4:49 unknown variable `{comand}`; did you mean `{command}`?',
  ],
  'an unknown variable': [
    rule('{}', 'then: deny, message: "{comand}"'),
    '4:49 unknown variable `{comand}`; did you mean `{command}`?',
  ],
  'a variable nobody could mean': [
    rule('{}', 'then: deny, message: "{xyz}"'),
    '4:49 unknown variable `{xyz}`; there are {tool} {path} {command} {url} {caller} {agent} {gate} {rule} {pattern} {problem} {suggest} {spawn.tool} {spawn.field} {operations} {turns} {seconds} {remaining}; `{{` is a brace',
  ],
  '`{remaining}` in a gate that waits for nothing': [
    rule('{}', 'then: deny, message: "{remaining} left"'),
    '4:49 `{remaining}` counts down to nothing: no transition and no other rule of this gate uses `since`; add a transition such as `when: { since: { opened: { operations: 50 } } }`',
  ],
  'a counter since something that does not happen': [
    rule('{}', 'then: deny, message: "{turns.opend}"'),
    '4:49 unknown variable `{turns.opend}`; did you mean `{turns.opened}`?',
  ],
  '`{suggest}` in a rule that suggests nothing': [
    rule('{}', 'then: deny, message: "run `{suggest}`"'),
    '4:49 `{suggest}` is empty: there is no `suggest` here; add `suggest: …` to the rule or route, or write the command into the text',
  ],
  '`{suggest}` in a route that suggests nothing': [
    'routes: { a: { pattern: abcd, message: "{suggest}" } }',
    '1:40 `{suggest}` is empty: there is no `suggest` here; add `suggest: …` to the rule or route, or write the command into the text',
  ],
  '`{suggest}` where nothing can be suggested': [
    'gates:\n  g:\n    initial: open\n    transitions: [{ from: open, to: open, when: { event: agent.stop }, message: "{suggest}" }]',
    '4:81 `{suggest}` is empty: there is no `suggest` here; add `suggest: …` to the rule or route, or write the command into the text',
  ],
  '`{suggest}` in other words for a rule that suggests nothing': [
    `${rule('{}')}adjust: { g: { messages: { r: "{suggest}" } } }`,
    '5:31 `{suggest}` is empty: there is no `suggest` here; add `suggest: …` to the rule or route, or write the command into the text',
  ],
  'a part of a url in braces': [
    rule('{ url: "https://x.y/{owner}/z" }'),
    '4:31 `{owner}` is not a part of a url; write `:owner`',
  ],
  'a piece of a part of a url in braces': [
    'routes: { a: { url: "https://{org}.y/z", message: x } }',
    '1:21 `{org}` is not a part of a url; write `:name` or `*` for a whole part of the path',
  ],
  'a regex in a url that does not end': [
    'routes: { a: { url: "https://x.y/:number(\\\\d+", message: x } }',
    '1:21 `:number(\\d+` is not `:name(regex)`; write `:number(\\d+)`',
  ],
  'a permission for a command as a tool': [
    rule('{ tool: "Bash(git push:*)" }'),
    '4:32 `Bash(git push:*)` is not a tool: this is the syntax of permissions; write `command: git push`',
  ],
  'a permission for files as a tool': [
    rule('{ tool: [Read, "Edit(src/**)"] }'),
    '4:39 `Edit(src/**)` is not a tool: this is the syntax of permissions; write `tool: Edit` and `path: src/**`',
  ],
  'a permission for a site as a tool': [
    rule('{ tool: "WebFetch(domain:x.y)" }'),
    '4:32 `WebFetch(domain:x.y)` is not a tool: this is the syntax of permissions; write `url: https://x.y`',
  ],
  'a text file that is not there': [
    rule('{}', 'then: deny, message: a/b.md'),
    '4:49 text file `a/b.md` does not exist; looked for a/b.md',
  ],
  'a text file outside the project': [
    rule('{}', 'then: deny, message: ../b.md'),
    '4:49 text file `../b.md` is outside the project',
  ],
  'an unknown gate': [
    `${rule('{ gate: { hh: open } }')}  h: { initial: open }\n`,
    '4:34 unknown gate `hh`; did you mean `h`?',
  ],
  'a gate without a state': [
    `${rule('{ gate: { h: open } }')}  h: { rules: [] }\n`,
    '4:34 gate `h` is never open or closed: it has no `initial`',
  ],
  'a set that is not there': [rule('{ path: $secret }'), '4:32 unknown set `$secret`; did you mean `$secrets`?'],
  'a set that fits elsewhere': [rule('{ command: $secrets }'), '4:35 `$secrets` cannot be used here'],
  'a capture that is not there': [rule('{ captured: { a.b.c: 1 } }'), '4:38 nothing is captured as `a.b.c`'],
  'an agent that is no capture': [
    rule('{ agent: "{a.b.c}" }'),
    '4:33 unknown variable `{a.b.c}`; only captures can be used here: `{gate.name.field}`',
  ],
  'a stateless gate with `while`': [
    rule('{}', 'while: open, then: allow'),
    '4:28 `while` needs a gate with `initial`: this one keeps no state',
  ],
  'a stateless gate with `since`': [
    rule('{ since: { opened: { turns: 1 } } }'),
    '4:26 `since` needs a gate with `initial`: this one keeps no state',
  ],
  'a stateless gate with transitions': [
    'gates:\n  g:\n    transitions: []',
    '3:5 `transitions` needs `initial` in gate `g`',
  ],
  'an `unless` that clears everything': [
    rule('{}', 'then: allow, unless: {}'),
    '4:49 `unless` of rule `r` is empty: it would exempt everything',
  ],
  'events that exclude each other': [
    rule('{ event: agent.stop, not: { event: agent.stop } }'),
    '4:24 rule `r` can never match: its events exclude each other',
  ],
  'two rules of one id': [
    'gates:\n  g:\n    rules:\n      - { id: a, when: {}, then: allow }\n      - { id: a, when: {}, then: allow }',
    '5:11 rule `a` is declared twice',
  ],
  'a gate whose name would break its key': [
    'gates:\n  g.h: {}',
    '2:3 gate `g.h` must be named with letters, digits, `-` and `_`',
  ],
  'a schema that is not there': [
    'gates:\n  g:\n    initial: open\n    transitions: [{ from: open, to: open, when: { event: agent.stop }, capture: { a: { json: x.json } } }]',
    '4:94 `x.json` is not a JSON Schema that can be read',
  ],
  'two captures at once': [
    'gates:\n  g:\n    initial: open\n    transitions: [{ from: open, to: open, when: { event: agent.stop }, capture: { a: { json: {} }, b: { json: {} } } }]',
    '4:72 transition `transition-1` must capture exactly one thing',
  ],
  '`invalid` without a capture': [
    'gates:\n  g:\n    initial: open\n    transitions: [{ from: open, to: open, when: { event: agent.stop }, invalid: { then: deny, message: m } }]',
    '4:72 transition `transition-1` has `invalid` but captures nothing',
  ],
  'a capture from the clock': [
    'gates:\n  g:\n    initial: open\n    transitions: [{ from: open, to: open, when: {}, capture: { a: { json: {} } } }]',
    '4:53 transition `transition-1` names no event to capture from',
  ],
  'a bypass by nothing': ['gates:\n  g: { bypass: { env: {} } }', '2:8 `bypass` of gate `g` names no variable'],
  'a route that asks nothing': [
    'routes: { a: { message: x } }',
    '1:11 route `a` needs `url`, `pattern`, `tool` or `path`',
  ],
  'a route without a message': ['routes: { a: { pattern: abcd } }', '1:11 `message` is missing in route `a`'],
  'a route with two patterns': [
    'routes: { a: { pattern: abcd, url: "https://a.b", message: x } }',
    '1:16 route `a` has both `url` and `pattern`: keep one',
  ],
  'a route with a bad regex': ['routes: { a: { pattern: "[", message: x } }', '1:25 `[` is not a regex: bad pattern'],
  'a part of a url that has no name': [
    'routes: { a: { url: "https://x.y/:owner", message: "{ownr}" } }',
    '1:52 unknown variable `{ownr}`; did you mean `{owner}`?',
  ],
  'an empty suggestion': ['routes: { a: { pattern: abcd, message: x, suggest: "" } }', '1:52 `suggest` is empty'],
  'a suggestion of no known shape': [
    'routes: { a: { pattern: abcd, message: x, suggest: { agnt: x } } }',
    '1:54 unknown key `agnt` in route `a`; did you mean `agent`?',
  ],
  'settings out of bounds': [
    'settings: { expiry: soon, budgetMs: 1 }',
    '1:21 `expiry` in `settings` must be a number of hours, or like `12h`, `90m`, `7d`, not `soon`',
    '1:37 `budgetMs` in `settings` must be at least 50, not `1`',
  ],
  'a hook without an event': ['hooks: [ { run: x } ]', '1:10 `event` is missing in `hooks`'],
  'a number among the packs': ['use: [1]', '1:7 `use` in `use` must be a pack or { pack: options }, not `1`'],
}

describe('what is wrong with a policy, and where', () => {
  for (const [name, [policy, ...problems]] of Object.entries(CASES))
    it(name, () => {
      expect(new House().problems(policy)).toEqual(problems.map(problem => `signalbox.yaml:${problem}`))
    })

  it('is shown with its line, a mark and the keys that could stand there', () => {
    const house = new House()
    house.problems('gates:\n  g:\n    rules:\n      - { when: {}, thn: deny, message: m }')
    const [problem] = house.load().problems
    expect(problem && formatPolicyError(problem, house.label)).toBe(
      [
        'signalbox.yaml:4:21 unknown key `thn` in gate `g`',
        '  4 |       - { when: {}, thn: deny, message: m }',
        '    |                     ^^^ did you mean `then`?',
        'Keys here: then, id, while, when, unless, unsure, message, warning, …',
      ].join('\n'),
    )
  })

  it('is shown with all the words that could stand there, the one that was meant in front', () => {
    const house = new House()
    house.problems(rule('{ action: edit }'))
    const [problem] = house.load().problems
    expect(problem && formatPolicyError(problem, house.label).split('\n').slice(2)).toEqual([
      '    |                                  ^^^^ did you mean `write`?',
      'One of: write, run, read, delete, fetch, search, spawn, ask, coordinate, mcp, other',
    ])
  })
})
