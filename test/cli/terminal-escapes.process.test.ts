import { expect, it } from 'vitest'
import { withSandbox } from '../support/sandbox.ts'

const POLICY = `gates:
  no-force:
    rules: [{ id: forced, when: { command: git push --force }, then: deny, message: Never. }]
`
/** Clears the window, sets its title, goes on in a line of its own, turns what follows around, hides in eight bits. */
const EVIL = 'a\u001b[2J\u001b]0;t\u0007\u009b31m\r\nWhat if  all is well\u202e\u200b'

const call = (id: string) =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: `s${EVIL}`,
    tool_name: 'Bash',
    tool_use_id: id,
    tool_input: { command: `git push --force "${EVIL}"` },
    agent_id: EVIL,
    agent_type: `builder${EVIL}`,
  })

const COMMANDS = [
  ['explain', '--last'],
  ['explain', '1', '--all'],
  ['explain', '1', '--json'],
  ['explain', `git push --force "${EVIL}"`, '--as', EVIL],
  ['replay', '--source', 'audit-log'],
  ['replay', '--source', 'audit-log', '--json'],
  ['log'],
  ['log', '--json'],
  ['stats', '--by', 'session'],
  ['status'],
  ['status', '--json'],
]

it('nothing an agent wrote steers the terminal of whoever looks at it', { timeout: 60_000 }, () =>
  withSandbox({ project: POLICY }, async sandbox => {
    for (const id of ['1', '2']) expect((await sandbox.hook('claude-code', call(id))).stdout).toContain('deny')
    for (const args of COMMANDS) {
      const { stdout, stderr } = await sandbox.run(args)
      const what = args.join(' ')
      expect(stdout, what).not.toBe('')
      expect(`${stdout}${stderr}`.replaceAll('\n', ''), what).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(
        stdout.split('\n').filter(line => line.startsWith('What if  all is well')),
        what,
      ).toEqual([])
      const json = args[0] === 'log' ? stdout.trim().split('\n') : [stdout]
      if (args.includes('--json')) expect(json.map(text => typeof JSON.parse(text))).toContain('object')
    }
  }),
)
