import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withStage } from '../support/in-process-command.ts'

const ROOT = join(import.meta.dirname, '../..')
const POLICY = 'gates: { g: { rules: [{ when: { command: git push }, then: deny, message: no }] } }\n'
const payload = (command: string) => ({
  hook_event_name: 'PreToolUse',
  session_id: 's',
  tool_name: 'Bash',
  tool_input: { command },
})
const TESTS = '- name: x\n  events: [{ payload: data/p.json, expect: deny }]\n'

it('--watch runs again where a payload changes, and where a folder below gets a policy and tests', () =>
  withStage(async stage => {
    stage.put('signalbox.yaml', POLICY)
    stage.put('x.test.yaml', TESTS)
    stage.put('data/p.json', payload('ls'))
    const child = spawn(process.execPath, [join(ROOT, 'bin/signalbox.cjs'), 'test', '--watch'], {
      cwd: stage.project,
      env: { PATH: process.env.PATH, HOME: stage.home, SIGNALBOX_HOME: stage.home },
    })
    let seen = ''
    child.stdout.on('data', chunk => {
      seen += chunk
    })
    const until = async (text: string) => {
      for (let tries = 0; !seen.includes(text) && tries < 150; tries++) await new Promise(done => setTimeout(done, 100))
      expect(seen).toContain(text)
    }
    await until('1 of 1 failed; watching')
    stage.put('data/p.json', payload('git push'))
    await until('all 1 passed; watching')
    stage.put('deep/down/signalbox.yaml', POLICY.replace('git push', 'npm publish'))
    stage.put('deep/down/y.test.yaml', '- name: y\n  events: [{ shell: npm publish, expect: deny }]\n')
    await until('all 2 passed; watching')
    const ended = new Promise(done => child.on('close', done))
    child.kill('SIGINT')
    expect(await ended).toBe(0)
  }))

it.each([
  '- { name: x, client: [], events: [{ shell: ls, expect: pass }] }\n',
  `client: []\ntests:\n  ${TESTS.replace('\n', '\n  ')}`,
])('an empty list of clients is an error', tests =>
  withStage(async stage => {
    stage.put('signalbox.yaml', POLICY)
    stage.put('data/p.json', payload('git push'))
    stage.put('x.test.yaml', tests)
    expect(await stage.run(['test'], { env: { NO_COLOR: '1' }, width: 200 })).toBe(2)
    expect(stage.said).toContain('`client` is empty: name one, or remove it')
  }),
)
