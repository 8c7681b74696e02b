import { expect, it } from 'vitest'
import { withStage } from '../support/in-process-command.ts'

it('a story says how long a count is where it is shown short', () =>
  withStage(async stage => {
    stage.put(
      'signalbox.yaml',
      `gates:
  fresh:
    initial: open
    transitions:
      - { id: stale, from: open, to: closed, when: { since: { changed: { operations: 50 } } } }
      - { id: read, from: closed, to: open, when: { event: tool.after, command: make, succeeded: true } }
    rules: [{ id: r, while: closed, when: { action: run }, then: deny, message: Make first. }]
`,
    )
    await stage.run(['check', '--client', 'claude-code'], { width: 160, env: { NO_COLOR: '1' } })
    expect(stage.said).toMatch(/\n {2}1 make {2}50 times\n {2}2 make .*fresh closes/)
  }))
