import { describe, expect, it } from 'vitest'
import { withStage } from '../support/in-process-command.ts'

const rule = (when: string): string =>
  `gates: { g: { rules: [ { id: r, when: { ${when} }, then: deny, message: no } ] } }\n`

const check = (when: string, put: readonly string[] = []) =>
  withStage(async stage => {
    for (const file of put) stage.put(file, 'x')
    stage.put('signalbox.yaml', rule(when))
    const code = await stage.run(['check'])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
    return { code, said: stage.said.replace(/\u001b\[\d+m|\r\u001b\[K/g, '') }
  })

describe('a pattern without effect fails the check', () => {
  it('in words, at its place', async () => {
    const { code, said } = await check('tool: "Edit|Write"')
    expect(code).toBe(1)
    expect(said).toMatch(/^FAIL {2}1 gate/m)
    expect(said).toContain('NO EFFECT  signalbox.yaml:1:47 `Edit|Write` matches no tool: it is read as one')
    expect(said).toContain('write a list: `[Edit, Write]`')
  })

  it('a folder without its slash does where it is one', async () => {
    const { code, said } = await check('path: src', ['src/a.ts'])
    expect(code).toBe(1)
    expect(said).toContain('NO EFFECT  signalbox.yaml:1:47 `src` matches only this file itself, and nothing')
  })

  it('and is only a warning where nothing is there, and nothing where it is a file', async () => {
    const absent = await check('path: src')
    expect([absent.code, absent.said]).toEqual([
      0,
      expect.stringContaining('warning  signalbox.yaml:1:47 `src` matches'),
    ])
    const file = await check('path: src', ['src'])
    expect([file.code, file.said]).toEqual([0, expect.not.stringContaining('matches')])
  })
})
