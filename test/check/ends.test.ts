import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clients } from '../../src/clients/index.ts'
import { withStage } from '../support/in-process-command.ts'

/** A call of each kind, as a gate waits for its success, and as it is done. */
const CALLS: Readonly<Record<string, readonly [when: string, step: string, byLine?: true]>> = {
  // `signalbox run` says what the client does not, of a command and of what a command does
  shell: ['command: npm test', 'shell: npm test', true],
  'any command': ['action: run', 'shell: npm test', true],
  'any call of the shell': ['tool: Bash', 'shell: npm test', true],
  'any write by whatever': ['action: write', 'write: plan.md', true],
  'write by whatever': ['action: write, path: plan.md', 'write: plan.md', true],
  'fetch by whatever': ['action: fetch, url: "https://docs.example/**"', 'fetch: "https://docs.example/a"', true],
  write: ['tool: Write, path: plan.md', 'write: plan.md'],
  fetch: ['tool: WebFetch, url: "https://docs.example/**"', 'fetch: "https://docs.example/a"'],
  mcp: ['tool: mcp__tracker__get', 'tool: mcp__tracker__get'],
  spawn: ['action: spawn, agent: planner', 'spawn: planner'],
}

const policyOf = (when: string): string => `gates:
  plan:
    initial: closed
    transitions:
      - { id: made, from: closed, to: open, when: { event: tool.after, ${when}, succeeded: true } }
    rules:
      - { id: none, while: closed, when: { command: git commit }, then: deny, message: Plan first. }
`

describe.each(Object.entries(CALLS))('a gate that the success of a call opens: %s', (kind, [when, step, byLine]) => {
  it('the proof and a test agree on it, on every client', () =>
    withStage(async stage => {
      stage.put('signalbox.yaml', policyOf(when))
      const found: Record<string, string> = {}
      for (const { id } of clients) {
        writeFileSync(
          join(stage.project, 'plan.test.yaml'),
          `client: ${id}\ntests:\n  - name: opens\n    events:\n      - { ${step}, id: a }\n      - { ${step}, id: a, after: succeeded, expect: { gates: { plan: open } } }\n`,
        )
        const isOpened = (await stage.run(['test'])) === 0
        await stage.run(['check', '--json', '--here', '--client', id])
        const { proof } = JSON.parse(stage.said.slice(stage.said.indexOf('{')))
        const isStuck = proof.findings.some((one: { kind: string }) => one.kind === 'deadlock')
        found[id] = `${isOpened ? 'opened' : 'not opened'}, ${isStuck ? 'stuck' : 'not stuck'}`
      }
      expect(found).toEqual(
        Object.fromEntries(
          clients.map(({ id, capabilities, payloadDetails }) => {
            const isTold = step.startsWith('shell') ? capabilities.reportsExit : capabilities.reportsEnd
            // a test may be written with a name that no event of the client has
            const isUnnamed = kind === 'mcp' && payloadDetails?.mcp !== undefined
            const isStuck = isUnnamed || (!isTold && !byLine)
            return [id, `${isTold ? 'opened' : 'not opened'}, ${isStuck ? 'stuck' : 'not stuck'}`]
          }),
        ),
      )
    }))
})

it('what nobody tells of is told so, and what opens it then', () =>
  withStage(async stage => {
    stage.put('signalbox.yaml', policyOf('tool: Write, path: plan.md'))
    await stage.run(['check', '--here', '--client', 'generic'], { width: 160, env: { NO_COLOR: '1' } })
    expect(stage.said).toBe(`STUCK  1 gate, 1 rule from 1 layer
proof  1 finding (1 state)

DEADLOCK  plan can be closed with no way left to open it
Stuck: the success of \`writes plan.md\` would open plan, but the result of such a call is not reported.
Fix   signalbox.yaml:5 accept unknown results: \`succeeded: [true, unknown]\`
      signalbox.yaml:5 open it with something an agent can do here, or say \`opens: human\`, and in its message that the user opens it
`)
    stage.put('signalbox.yaml', policyOf('tool: Write, path: plan.md').replace('d: true', 'd: [true, unknown]'))
    expect(await stage.run(['check', '--here', '--client', 'generic'])).toBe(0)
  }))

it('a command that does what the gate waits for, by `signalbox run`, opens it in a test too', () =>
  withStage(async stage => {
    stage.put('signalbox.yaml', policyOf('action: write, path: plan.md'))
    const line = 'shell: signalbox run -- touch plan.md, id: a'
    stage.put(
      'plan.test.yaml',
      `client: codex-cli\ntests:\n  - name: opens\n    events:\n      - { ${line} }\n      - { ${line}, after: unknown, signed: { touch plan.md: 0 }, expect: { gates: { plan: open } } }\n`,
    )
    expect(await stage.run(['test'])).toBe(0)
  }))
