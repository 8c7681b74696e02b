import { expect, it } from 'vitest'
import { type Stage, withStage } from '../support/in-process-command.ts'

const SECRETS = /hunter2sec|ghp_abcd|supersecret9|correct-horse/
const LINE =
  'git push https://user:hunter2secret@github.com/x?token=ghp_abcdefghijklmnopqrstuvwxyz0123456789 --password=supersecret99'
const INPUT = { command: LINE, description: 'push', password: 'correct-horse-battery' }
const PAYLOAD = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: INPUT }
const POLICY = `gates:
  push:
    mode: observe
    rules:
      - { id: r, when: { command: git push, input: { password: { regex: "." } } }, then: deny, message: "no {command}" }
  other: { rules: [{ id: o, when: { command: git push --force }, then: deny, message: m }] }
`

function transcript({ project }: Stage): string {
  const line = (nth: number, type: string, content: unknown) =>
    JSON.stringify({
      type,
      message: { role: type, content },
      sessionId: 's1',
      cwd: project,
      timestamp: `2026-11-15T10:00:0${nth}.000Z`,
      isSidechain: false,
    })
  return [
    line(0, 'user', 'hi'),
    line(1, 'assistant', [{ type: 'tool_use', id: 'h', name: 'Bash', input: INPUT }]),
    line(2, 'user', [{ type: 'tool_result', tool_use_id: 'h', content: 'x' }]),
    '',
  ].join('\n')
}

const ASKED = ['replay', '--gate', 'push', '--mode', 'block']

it.each([[[]], [['--json']]])('replay --diff %j hides the secrets that its list hides', json =>
  withStage(async stage => {
    stage.put('signalbox.yaml', POLICY)
    stage.put('~/.claude/projects/x/s.jsonl', transcript(stage))
    await stage.run([...ASKED, ...json])
    const id = /(?:--diff |"id": ")(\w+)/.exec(stage.said)?.[1] ?? ''
    expect(stage.said).not.toMatch(SECRETS)
    expect(await stage.run([...ASKED, '--diff', id, ...json])).toBe(0)
    expect(stage.said).toContain('[redacted]')
    expect(stage.said).not.toMatch(SECRETS)
  }),
)

it.each([[[]], [['--json']], [['--all']]])('explain %j of a payload hides its secrets', json =>
  withStage(async stage => {
    stage.put('signalbox.yaml', POLICY.replace('observe', 'block'))
    stage.put('p.json', PAYLOAD)
    expect(await stage.run(['explain', 'p.json', ...json])).toBe(0)
    expect(stage.said).toMatch(/deny/i)
    expect(stage.said).toContain('[redacted]')
    expect(stage.said).not.toMatch(SECRETS)
  }),
)

const TESTS = `- name: x
  events:
    - { payload: p.json, expect: { decision: ask, gate: other } }
    - { payload: ${JSON.stringify(PAYLOAD)}, expect: allow }
`

it.each(['text', 'junit', 'github', 'sarif', 'json'])('reporter %s hides the secrets of payloads', reporter =>
  withStage(async stage => {
    stage.put('signalbox.yaml', POLICY.replace('observe', 'block'))
    stage.put('p.json', PAYLOAD)
    stage.put('x.test.yaml', TESTS)
    expect(await stage.run(['test', '--reporter', reporter])).toBe(1)
    expect(stage.said).toContain('[redacted]')
    expect(stage.said).not.toMatch(SECRETS)
  }),
)
