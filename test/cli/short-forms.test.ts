import { describe, expect, it } from 'vitest'
import { withStage } from '../support/in-process-command.ts'

/** Runs a command in a project with this policy. */
const run = (policy: string, ...args: readonly string[]) =>
  withStage(async stage => {
    stage.put('signalbox.yaml', policy)
    const code = await stage.run(args)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
    return { code, said: stage.said.replace(/\u001b\[\d+m|\r\u001b\[K/g, '') }
  })

const NO_COMMITS = 'gates: { c: { rules: [{ when: { command: git commit }, then: deny, message: No. }] } }\n'

describe('short forms on the command line', () => {
  it('policy show --gates writes them out, and the other gates not', async () => {
    const { code, said } = await run(`protect: prod/\n${NO_COMMITS}`, 'policy', 'show', '--gates')
    expect(code).toBe(0)
    expect(said).toBe(`# in place of the short forms in signalbox.yaml
gates:
  protect-prod:
    about: No agent changes prod/.
    rules:
      - id: change
        when:
          event: tool.before
          action:
            - write
            - delete
          path: prod/
        then: deny
        message: "\`{path}\` is protected: leave it as it is, and ask the person if it has to change."
`)
  })

  it('policy show --gates says that there are none', async () => {
    expect((await run(NO_COMMITS, 'policy', 'show', '--gates')).said).toBe(
      'No policy here uses short forms (`require`, `protect`, `limit`, `only`).\n',
    )
  })

  it('a fix of check says to write the short form as a gate first: it has no key for the fix', async () => {
    const { code, said } = await run(`limit: { edits: 3, until: git commit }\n${NO_COMMITS}`, 'check')
    expect(code).toBe(1)
    expect(said).toContain('DEADLOCK  3-edits-until-git-commit')
    expect(said.replace(/\s+/g, ' ')).toContain(
      'Fix signalbox.yaml:1 write it as a gate (`signalbox policy show --gates` prints it), then ',
    )
  })

  it('a fix in a gate that a person wrote is as ever', async () => {
    const gate = `initial: closed, transitions: [{ from: closed, to: open, when: { event: tool.after, command: make, succeeded: true } }]`
    const { said } = await run(
      `protect: prod/\ngates: { g: { ${gate}, rules: [{ while: closed, when: { action: run }, then: deny, message: m }] } }\n`,
      'check',
    )
    expect(said).toMatch(/Fix {3}signalbox.yaml:2 (?!write it as a gate)/)
  })
})
