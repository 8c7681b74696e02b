import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ask } from '../support/daemon-client.ts'
import { isBuilt } from '../support/native/hook.ts'
import { type Installed, isAlive, whereInstalled } from '../support/native/installed.ts'
import { verifyStore } from '../support/store/verify-store.ts'

/** A daemon that dies when the answer is on record and before it is said: the hook becomes a process of its own, and that knows. */
const POLICY = `
hooks: [{ event: turn.stop, run: "echo x >> ran" }]
gates:
  work:
    rules:
      - { when: { event: turn.stop }, then: deny, message: Go on. }
      - { when: { event: tool.before, command: git push }, then: deny, message: Do not push. }
`
/** It is killed as soon as it says a reply to an event. What a person asks of it is answered in JSON. */
const TRAP = `const { Socket } = require('node:net')
const { end } = Socket.prototype
Socket.prototype.end = function (bytes, ...rest) {
  const isAnswer = Buffer.isBuffer(bytes) && bytes.toString('latin1', 0, 4) === 'SBR1' && bytes[4] === 0
  if (isAnswer && !bytes.includes('"upMs"')) process.kill(process.pid, 'SIGKILL')
  return end.call(this, bytes, ...rest)
}
`
const payload = (stage: Installed, hook_event_name: string, more: object = {}) =>
  JSON.stringify({ session_id: 's', cwd: stage.project, hook_event_name, ...more })

/** none of them has an id of its own */
const EVENTS: Record<string, { client: string; event: string; text: (stage: Installed) => string; says: string }> = {
  'a prompt': {
    ...{ client: 'claude-code', event: 'UserPromptSubmit', says: '' },
    text: stage => payload(stage, 'UserPromptSubmit', { prompt: 'go on' }),
  },
  'a stop': {
    ...{ client: 'claude-code', event: 'Stop', says: 'Go on.' },
    text: stage => payload(stage, 'Stop', { stop_hook_active: false }),
  },
  'a call without a number': {
    ...{ client: 'claude-code', event: 'PreToolUse', says: 'Do not push.' },
    text: stage => payload(stage, 'PreToolUse', { tool_name: 'Bash', tool_input: { command: 'git push' } }),
  },
  'a call of a client that registers nowhere': {
    ...{ client: 'generic', event: 'tool.before', says: 'Do not push.' },
    text: ({ project }) =>
      JSON.stringify({ session_id: 's', cwd: project, tool_name: 'Bash', tool_input: { command: 'git push' } }),
  },
}

async function trapped(stage: Installed): Promise<number> {
  const trap = join(stage.folder, 'trap.cjs')
  writeFileSync(trap, TRAP)
  return stage.resident({ NODE_OPTIONS: `--require ${trap}` })
}

describe.runIf(isBuilt)('a call whose daemon died after the answer was on record', { timeout: 60_000 }, () => {
  it.each(Object.entries(EVENTS))('%s: is answered so, and counted once', (_, { client, event, text, says }) =>
    whereInstalled(POLICY, async stage => {
      const pid = await trapped(stage)
      const input = text(stage)
      const told = await stage.hook({ input, args: ['--client', client] })
      expect(isAlive(pid)).toBe(false)
      expect(told).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringContaining(says) })
      expect(stage.records().map(({ name }) => name)).toEqual([event])
      // the same words once more are another event
      await stage.hook({ input, args: ['--client', client], env: { SIGNALBOX_DAEMON: 'off' } })
      expect(stage.records().map(({ name }) => name)).toEqual([event, event])
      expect(stage.store(verifyStore).ok).toBe(true)
    }),
  )

  it('its hooks have run once', () =>
    whereInstalled(POLICY, async stage => {
      await trapped(stage)
      await stage.hook({ input: payload(stage, 'Stop') })
      expect(readFileSync(join(stage.project, 'ran'), 'utf8')).toBe('x\n')
    }))
})

const GATE = `
gates:
  once:
    initial: open
    transitions: [{ from: open, to: closed, when: { event: prompt.submit } }]
    rules: [{ while: closed, when: { event: tool.before, command: git push }, then: deny, message: Do not push. }]
`

describe.runIf(isBuilt)('the id of a call', { timeout: 60_000 }, () => {
  const push = ({ project }: Installed, more: object = {}) =>
    JSON.stringify({ session_id: 's', cwd: project, tool_name: 'Bash', tool_input: { command: 'git push' }, ...more })
  const prompt = ({ project }: Installed) =>
    JSON.stringify({ session_id: 's', cwd: project, event: 'prompt.submit', prompt: 'close it' })
  const decisions = (stage: Installed) =>
    stage.records().flatMap(({ event, decision }) => (event === 'tool.before' ? [decision] : []))

  it.each([
    ['the native hook', {}, ''],
    ['a process of its own', { SIGNALBOX_DAEMON: 'off' }, ''],
    ['a launcher without a native hook', {}, 'sh'],
  ])('cannot be said from outside to be given an old answer: %s', (_, env, how) =>
    whereInstalled(GATE, async stage => {
      await stage.resident()
      const said = { ...env, SIGNALBOX_CALL: '1-00112233445566778899aabbccddeeff' }
      const hook = (input: string) =>
        how === 'sh'
          ? stage.start([stage.launcher, 'hook', '--client', 'generic'], { input, env: said, program: '/bin/sh' })
          : stage.hook({ input, args: ['--client', 'generic'], env: said })
      await hook(push(stage))
      await hook(prompt(stage))
      const told = await hook(push(stage))
      expect([decisions(stage), told.stdout]).toEqual([['pass', 'deny'], expect.stringContaining('Do not push.')])
    }),
  )

  it('is bound to the words: the same id gives another event no answer, nor another session', () =>
    whereInstalled(GATE, async stage => {
      await stage.resident()
      const env = { ...stage.env, SIGNALBOX_CALL: '1-0011' }
      const say = (payload: string) => ask(stage.state, { client: 'generic', payload, cwd: stage.project, env })
      const first = await say(push(stage))
      await say(prompt(stage))
      expect(await say(push(stage))).toEqual(first)
      expect(decisions(stage)).toEqual(['pass'])
      await say(push(stage, { tool_input: { command: 'git push --force' } }))
      await say(push(stage, { session_id: 'other' }))
      expect(decisions(stage)).toEqual(['pass', 'deny', 'pass'])
    }))

  it('reaches no hook of a person’s own', () =>
    whereInstalled('hooks: [{ event: turn.stop, run: env > seen }]', async stage => {
      const seen = async (env: Record<string, string>) => {
        await stage.hook({ input: payload(stage, 'Stop'), env })
        return readFileSync(join(stage.project, 'seen'), 'utf8')
      }
      await stage.resident()
      for (const env of [{}, { SIGNALBOX_DAEMON: 'off' }, { SIGNALBOX_CALL: 'x' }])
        expect(await seen(env)).not.toContain('SIGNALBOX_CALL')
    }))
})
