import { expect, it } from 'vitest'
import { withStage } from '../support/in-process-command.ts'

/** What must not reach a terminal, or a reader of XML, as it is: tabs and line breaks apart. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

const POLICY = `gates:
  g: { rules: [{ id: r, when: { command: rm }, then: deny, message: "no \\e]0;owned\\a \\u009b31m \\u202e" }] }
`
const TESTS = `- name: "a \\e[2J\\a \\u009b \\u202e \\uFFFE b"
  events:
    - { shell: "rm \\e[31m \\u0001 x", expect: pass }
    - { shell: rm x, expect: { decision: deny, reason: "\\e[5m" } }
`

it.each(['text', 'junit', 'github', 'sarif', 'json'])(
  'reporter %s prints nothing raw that steers a terminal',
  reporter =>
    withStage(async stage => {
      stage.put('signalbox.yaml', POLICY)
      stage.put('x.test.yaml', TESTS)
      const code = await stage.run(['test', '--reporter', reporter], { env: { NO_COLOR: '1' } })
      expect(code).toBe(1)
      expect(stage.said).not.toMatch(RAW)
      if (reporter === 'junit') expect(stage.said).not.toMatch(/[\ufffe\uffff]/)
      expect(stage.said).toMatch(/\\e\[2J|\\u001b\[2J/)
    }),
)
