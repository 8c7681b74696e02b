import { expect, it } from 'vitest'
import { withStage } from '../support/in-process-command.ts'

const rule = (body: string): string => `gates: { g: { rules: [{ ${body}, then: deny, message: no }] } }\n`
const SIGNED = rule('when: { command: git commit, not: { command: git commit --signoff } }')
const WAITING = (more = ''): string => `gates:
  cooldown:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { since: { closed: { seconds: 60 } } } }
    rules: [{ while: closed, when: { command: kubectl }, then: deny, message: wait }]
${more}`
const COUNTING = `gates:
  review:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { since: { closed: { operations: 3, turns: 1 } } } }
    rules: [{ while: closed, when: { command: kubectl }, then: deny, message: wait }]
`
const PATHS = rule('when: { action: write, path: docs/ }, unless: { path: ["docs/*.md", "docs/img/"] }')

it.each([
  [
    'a variable that the rule asks for is left out, and nothing else',
    rule('when: { command: docker run, assigns: { DEBUG: "1" } }'),
    'DEBUG=1 docker run x',
    ['as `docker run x`, without `DEBUG=1`, this passes'],
  ],
  [
    'a variable before the command stays',
    rule('when: { command: rm -rf }'),
    'A=1 rm -rf x',
    ['as `A=1 rm x`, without `-rf`, this passes'],
  ],
  [
    'the rest of the line stays',
    rule('when: { command: rm -rf }'),
    'rm -rf x > log.txt',
    ['as `rm x > log.txt`, without `-rf`, this passes'],
  ],
  [
    'an option that the rule lets through is added behind what the command does',
    SIGNED,
    "git commit -m 'x y'",
    ["as `git commit --signoff -m 'x y'`, with `--signoff`, this passes"],
  ],
  [
    '… in the whole line',
    SIGNED,
    'ls && git commit -m x; ls',
    [
      'without `git commit -m x` this passes',
      'as `ls && git commit --signoff -m x; ls`, with `--signoff`, this passes',
    ],
  ],
  [
    'what an unless names is offered',
    rule('when: { command: npm publish }, unless: { command: npm publish --dry-run }'),
    'npm publish',
    ['as `npm publish --dry-run`, with `--dry-run`, this passes'],
  ],
  [
    '… and not where another rule refuses that',
    rule('when: { command: npm publish }, unless: { command: npm publish --dry-run }').replace(
      'rules: [',
      'rules: [{ when: { command: npm publish --dry-run }, then: deny, message: no }, ',
    ),
    'npm publish',
    ['none: no change that was tried leads to another decision'],
  ],
  ['a path that the rule lets through', PATHS, 'write: docs/A.txt', ['as docs/A.md, this passes']],
  [
    'a message that begins as the rule wants it',
    rule("when: { command: git commit }, unless: { input: { command: { regex: '-m \"?(feat|fix)(\\(.+\\))?: ' } } }"),
    'git commit -m "stuff" && ls',
    [
      'without `git commit -m stuff` this passes',
      'with another message, such as `git commit -m "feat: stuff" && ls`, this passes',
    ],
  ],
  [
    '… without the word that it refuses',
    rule('when: { command: git commit, input: { command: { regex: "(?i)\\\\bwip\\\\b" } } }'),
    "git commit -m 'a wip b'",
    [
      'as `git commit`, without `-m`, this passes',
      'with another message, such as `git commit -m "a text b"`, this passes',
    ],
  ],
  [
    '… and none where another rule refuses each',
    rule('when: { command: git commit }, unless: { input: { command: { regex: "-m .?feat" } } }').replace(
      'rules: [',
      'rules: [{ when: { command: git }, then: deny, message: no }, ',
    ),
    'git commit -m stuff',
    ['none: no change that was tried leads to another decision'],
  ],
  [
    'a prompt that names what the rule wants',
    rule('when: { event: prompt.submit, not: { prompt: { regex: "[A-Z]+-\\\\d+" } } }'),
    'prompt: hello',
    ['with another message, such as "A-1 hello", this passes'],
  ],
  [
    'a prompt without the word that the rule refuses',
    rule('when: { event: prompt.submit, prompt: password }'),
    'prompt: my password is x',
    ['with another message, such as "my text is x", this passes'],
  ],
  [
    'a value that is no message is not made up',
    rule('when: { command: kubectl, input: { command: { regex: prod } } }'),
    'kubectl --context prod get',
    ['as `kubectl get`, without `--context`, this passes'],
  ],
  ['waiting', WAITING(), 'kubectl get pods', ['waiting 60 s opens cooldown: then this passes']],
  [
    'a count: the call that is judged is not part of it',
    COUNTING,
    'kubectl get pods',
    ['the next event after 1 turn since it closed and 3 operations since it closed opens review: then this passes'],
  ],
  [
    '… but not where another gate goes on refusing',
    WAITING('  never: { rules: [{ when: { command: kubectl }, then: deny, message: no }] }\n'),
    'kubectl get pods',
    ['none: nothing that was tried opens cooldown for it'],
  ],
])('%s', (_, policy, event, flips) =>
  withStage(async stage => {
    stage.put('signalbox.yaml', policy)
    await stage.run(['explain', event], { width: 200, env: { NO_COLOR: '1' } })
    expect([...stage.said.matchAll(/^What if {2}(.*)$/gm)].map(([, flip]) => flip)).toEqual(flips)
  }),
)
