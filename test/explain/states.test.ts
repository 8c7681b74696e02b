import { expect, it } from 'vitest'
import { withStage } from '../support/in-process-command.ts'

it('a gate is shown as it was when the event came, and as it is after it', () =>
  withStage(async stage => {
    stage.put(
      'signalbox.yaml',
      `gates:
  made:
    initial: closed
    transitions: [{ id: made, from: closed, to: open, when: { event: tool.before, command: make } }]
    rules: [{ id: unmade, while: closed, when: { command: git push }, then: deny, message: Make first. }]
`,
    )
    const told = async (line: string): Promise<string> => {
      await stage.run(['explain', '--all', line], { width: 160, env: { NO_COLOR: '1' } })
      return / made .*/.exec(stage.said)?.[0]?.replace(/ +/g, ' ') ?? stage.said
    }
    expect(await told('make')).toContain(' closed → open signalbox.yaml:2')
    expect(await told('git push')).toContain(' DENY closed signalbox.yaml:2')
  }))
