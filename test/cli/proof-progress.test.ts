import { expect, it, vi } from 'vitest'
import { withStage } from '../support/in-process-command.ts'

it('what is being proven is one line that goes away', () =>
  withStage(async stage => {
    stage.put(
      'signalbox.yaml',
      'gates: { g: { rules: [ { id: r, when: { command: git push }, then: deny, message: no } ] } }\n',
    )
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 1000
      return now
    })
    try {
      expect(await stage.run(['check'])).toBe(0)
    } finally {
      clock.mockRestore()
    }
    const [before = '', ...shown] = stage.written.split('\r\u001b[K')
    expect(before).toBe('')
    expect(shown.slice(0, -1).map(text => text.replace(/ … .+/, ''))).toContain('proving')
    expect(shown.slice(0, -1).join('')).not.toContain('\n')
    expect(shown.at(-1)).toBe('\u001b[32mOK\u001b[39m  1 gate, 1 rule from 1 layer\n')
  }))
