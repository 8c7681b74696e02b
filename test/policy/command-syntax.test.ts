import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { House } from './policy-sandbox.ts'

const SEVERAL = 'Signalbox evaluates each command of a line: write the one that matters,'

/** A `command` nobody types, and what is said of it. */
const COMMANDS: Readonly<Record<string, string>> = {
  'git push | cat': `\`git push | cat\` is several commands; ${SEVERAL} \`git push\` or \`cat\``,
  'npm run lint && npm test': `\`npm run lint && npm test\` is several commands; ${SEVERAL} \`npm run lint\` or \`npm test\``,
  'a | b | c': `\`a | b | c\` is several commands; ${SEVERAL} \`a\` or \`b\` or \`c\``,
  'a || b': `\`a || b\` is several commands; ${SEVERAL} \`a\` or \`b\``,
  'cd x; make': `\`cd x; make\` is several commands; ${SEVERAL} \`cd x\` or \`make\``,
  'git push.*':
    '`push.*` is not read as a regex; write `git push`, whatever follows it; `*` is any characters in one word',
  'git push .*':
    '`.*` is not read as a regex; write `git push`, whatever follows it; `*` is any characters in one word',
  'git push:*':
    '`push:*` is not read as a regex; write `git push`, whatever follows it; `*` is any characters in one word',
  '^git push$':
    '`^git` is not read as a regex; write `git push`, whatever follows it; `*` is any characters in one word',
  'git (push|pull)':
    '`(push|pull)` is not read as a regex; write a list: `[git push, git pull]`; `*` is any characters in one word',
  'git push|pull':
    '`push|pull` is not read as a regex; write a list: `[git push, git pull]`; `*` is any characters in one word',
  'git.* push':
    '`git.*` is not read as a regex; write `git push`, whatever follows it; `*` is any characters in one word',
  'git\\s+push':
    '`git\\s+push` is not read as a regex; write its first words, whatever follows them; `*` is any characters in one word',
}

const SOUND = [
  'git push',
  'git push *',
  '* * off',
  'git commit --amend',
  'find . -exec rm {} ;',
  'rm *.log',
  'g++ a.c',
  'rm dist/*',
  'rm .*',
  'mkfs.*',
  'git push * +*',
  'git push*',
  'docker run --privileged*',
  'docker run -v /var/run/docker.sock:*',
  'docker pull registry.acme.com:*',
  'tar xf build.*',
]

const house = (text: string): readonly string[] => {
  const made = new House()
  made.project(text)
  expect(made.load().problems).toEqual([])
  return made.warnings()
}

const rule = (command: string): string =>
  `gates:\n  g:\n    rules:\n      - { id: r, when: { command: '${command}' }, then: deny, message: m }\n`

describe('a command that nobody types', () => {
  it.each(Object.entries(COMMANDS))('%s', (command, words) => {
    expect(house(rule(command))).toEqual([`signalbox.yaml:4:35 \`command\` matches the words of one command: ${words}`])
  })

  it.each(SOUND)('is not %s', command => {
    expect(house(rule(command))).toEqual([])
  })
})

const gate = (rest: string, more = ''): string => `gates:
  g:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: agent.stop }${more} }]
    ${rest}
`
const RULE = 'id: r, when: { command: x }, then: deny'

it('a regex in a url may count in braces', () => {
  expect(house('routes: { a: { url: "https://abcd.y/:page([0-9a-f]{32})", message: x } }')).toEqual([])
})

describe('a gate whose state nothing looks at', () => {
  it('is told with what to add', () => {
    expect(house(gate(`rules: [{ ${RULE}, message: m }]`))).toEqual([
      'signalbox.yaml:4:5 no rule uses the state of gate `g`: it decides the same whether open or closed; add `while: closed` to the rule that should depend on the state',
    ])
  })

  it.each([
    ['a rule of its own', gate(`rules: [{ ${RULE}, message: m, while: closed }]`)],
    ['a counter', gate(`rules: [{ ${RULE}, message: 'after {turns}' }]`)],
    ['a limit', gate(`rules: [{ ${RULE}, message: m, limit: 1 }]`)],
    ['time', gate('rules: [{ when: { any: [{ since: { changed: { turns: 1 } } }] }, then: deny, message: m }]')],
    [
      'another gate',
      `${gate(`rules: [{ ${RULE}, message: m }]`)}  h: { rules: [{ ${RULE}, message: m, unless: { gate: { g: open } } }] }\n`,
    ],
    ['what it says when it opens', gate(`rules: [{ ${RULE}, message: m }]`, ', message: opened')],
    ['nobody, and it refuses nothing', gate('about: only told of')],
  ])('is not one that %s looks at', (_, text) => {
    expect(house(text)).toEqual([])
  })
})

const blocks = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/```yaml\n(# signalbox\.yaml\n[\s\S]*?)```/g)].map(found => found[1] ?? '')

const files = ['README.md', ...['examples', 'demo', 'packs', 'docs'].flatMap(filesIn)]

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(one =>
    one.isDirectory() ? filesIn(join(folder, one.name)) : [join(folder, one.name)],
  )
}

const OURS: readonly (readonly [name: string, text: string])[] = files.flatMap(file => {
  const name = basename(file)
  if (name === 'pack.yaml') return [[file, `use: [${basename(dirname(file))}]\n`] as const]
  if (name === 'signalbox.yaml' || dirname(file) === 'packs') return [[file, readFileSync(file, 'utf8')] as const]
  return name.endsWith('.md') ? blocks(file).map((text, at) => [`${file}, block ${at + 1}`, text] as const) : []
})

describe('no doubt is said of a policy of ours', () => {
  it('there are some', () => expect(OURS.length).toBeGreaterThan(20))

  it.each(OURS)('%s', (_, text) => {
    const made = new House()
    made.project(text)
    const { problems, warnings } = made.load({ packsDir: resolve('packs') })
    const told = [...problems, ...warnings].map(one => one.message)
    expect(told.filter(one => /one command|uses the state|is empty|is not a tool|of a url|matches/.test(one))).toEqual(
      [],
    )
  })
})
