import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withSandbox } from '../sandbox.ts'

const STUCK = `gates:
  tests:
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.before, action: write } }
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
    rules:
      - { id: untested, while: closed, when: { event: tool.before, action: run }, then: deny, message: Test first. }
`
const STORY = `DEADLOCK  tests can be closed with no way left to open it
  1 writes some.txt  tests closes
  2 npm test         DENY tests/untested
Stuck: tests needs \`npm test\`, and its own rule untested refuses that.
Fix   signalbox.yaml:8 let \`npm test\` pass (\`unless\`)
`
const CLAUDE = ['--client', 'claude-code']

it('init tells how a policy locks an agent up before it is in force, and does not end well', { timeout: 60_000 }, () =>
  withSandbox({ project: STUCK }, async sandbox => {
    const shown = await sandbox.run(['init', '--dry-run', ...CLAUDE])
    expect(shown).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(STORY) })
    const told = await sandbox.run(['init', '--yes', '--json', ...CLAUDE])
    expect(told.exitCode).toBe(1)
    expect(JSON.parse(told.stdout)).toMatchObject({
      applied: true,
      proof: { ok: false, findings: [{ kind: 'deadlock' }] },
    })
    const again = await sandbox.run(['init', '--yes', ...CLAUDE])
    expect(again).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(`${STORY}\nNothing to change.\n`) })
    const file = join(sandbox.project, 'signalbox.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('then: deny', 'unless: { command: npm test }, then: deny'))
    const mended = await sandbox.run(['init', '--yes', ...CLAUDE])
    expect(mended).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/Nothing to change\.\n$/) })
  }),
)

it('status tells what was found the last time this very policy was proven', { timeout: 60_000 }, () =>
  withSandbox({ project: STUCK }, async sandbox => {
    expect((await sandbox.run(['status'])).stdout).toContain('1 gate, sound\n')
    expect((await sandbox.run(['check'])).exitCode).toBe(1)
    const found = 'tests can be closed with no way left to open it: signalbox check\n'
    expect((await sandbox.run(['status'])).stdout).toMatch(new RegExp(`1 gate\n +Proof +${found}`))
    writeFileSync(join(sandbox.project, 'signalbox.yaml'), STUCK.replace('action: run', 'command: git commit'))
    expect((await sandbox.run(['status'])).stdout).toContain('1 gate, sound\n')
  }),
)
