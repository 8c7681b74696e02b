import { describe, expect, it } from 'vitest'
import { redact, redactRecord } from '../../src/store/redact/redact.ts'
import { withInProcessSandbox } from '../support/in-process-sandbox.ts'
import { recordOf } from '../support/store/records.ts'
import { made, SHAPES } from './secret-shapes.ts'
import { MORE_SHAPES } from './secret-shapes-more.ts'

const X = '[redacted]'
const TOKEN = `ghp_${made(36)}`
const capturedOf = (answer: unknown, acts: readonly string[] = []): unknown =>
  JSON.parse(redactRecord(recordOf({ event: 'agent.stop', acts, captured: JSON.stringify(answer) })).captured ?? 'null')

const texts = Object.values({ ...SHAPES, ...MORE_SHAPES })
  .flat()
  .map(shape => shape.replace(/[«»]/g, ''))

describe('an answer that a transition captured is on record without its secrets', () => {
  it('hides in a field all that is hidden in a text, and stays the JSON that a replay reads', () => {
    expect(texts.length).toBeGreaterThan(400)
    const told = texts.map(text => ({ text, left: capturedOf({ summary: text, ok: true, list: [{ text }] }) }))
    const wrong = told.filter(({ text, left }) => {
      const hidden = redact(text)
      return JSON.stringify(left) !== JSON.stringify({ summary: hidden, ok: true, list: [{ text: hidden }] })
    })
    expect(wrong).toEqual([])
  })

  it.each<[unknown, unknown]>([
    [
      { password: 'two words', ok: true },
      { password: X, ok: true },
    ],
    [
      { token: 'abc', pin: 1 },
      { token: X, pin: 1 },
    ],
    [{ env: { DB_PASSWORD: 12345678 } }, { env: { DB_PASSWORD: X } }],
    [{ secret: ['hunter2', { of: 'h' }] }, { secret: [X, { of: X }] }],
    [
      { secret: false, credentials: null, token: '' },
      { secret: false, credentials: null, token: '' },
    ],
    [{ [TOKEN]: 1 }, { [X]: 1 }],
    [`use ${TOKEN}`, `use ${X}`],
    [
      { intent: 'fix', confidence: 0.9, max_tokens: 5 },
      { intent: 'fix', confidence: 0.9, max_tokens: 5 },
    ],
  ])('%j', (answer, left) => expect(capturedOf(answer)).toEqual(left))

  it('hides what an action of the same event shows to be a secret', () => {
    const answer = { summary: 'logged in with correct-horse-battery' }
    expect(capturedOf(answer, ['run login --password correct-horse-battery'])).toEqual({
      summary: `logged in with ${X}`,
    })
  })

  it('hides it also in an answer too long to read, or to keep', () => {
    for (const length of [5000, 100_000]) {
      const answer = JSON.stringify({ note: `password: hunter2hunter2 ${TOKEN}`, rest: 'word '.repeat(length / 5) })
      const { captured = '' } = redactRecord(recordOf({ captured: answer }))
      expect(captured).not.toMatch(/hunter2|ghp_/)
      expect(captured).toMatch(/ characters, sha256 [0-9a-f]{64}\)$/)
    }
  })
})

const POLICY = `gates:
  review:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: agent.stop, agent: reviewer }, capture: { v: { json: review.json } } }
    rules:
      - { while: closed, when: { command: git push }, then: deny, message: Review first., suggest: { agent: reviewer } }
`

it('through the hook: no byte of the secret is in the audit log', () =>
  withInProcessSandbox(
    { project: POLICY.replace('review.json', '{ type: object, required: [verdict] }') },
    async it => {
      const answer = {
        verdict: 'approve',
        seen: `curl -H "X-Auth-Token: ${'correcthorse'}" h`,
        api_key: 'battery-staple',
      }
      const stop = { hook_event_name: 'SubagentStop', agent_type: 'reviewer', agent_id: 'a1', stop_hook_active: false }
      const payload = { session_id: 's', cwd: it.project, ...stop, last_assistant_message: JSON.stringify(answer) }
      await it.hookInProcess('claude-code', JSON.stringify(payload))
      const [record] = it.records().filter(one => one.event === 'agent.stop')
      expect(record?.moves).toHaveLength(1)
      expect(JSON.parse(record?.captured ?? '')).toEqual({
        ...{ verdict: 'approve', seen: `curl -H "X-Auth-Token: ${X}" h`, api_key: X },
      })
      expect(JSON.stringify(it.records())).not.toMatch(/correcthorse|battery-staple/)
    },
  ))
