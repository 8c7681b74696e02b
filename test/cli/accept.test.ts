import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Terminal } from '../../src/cli/command.ts'
import { main } from '../../src/cli/index.ts'

const policyOf = (when: string) => `gates:
  tests:
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.before, action: write } }
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
    rules: [{ id: untested, while: closed, when: { event: tool.before, ${when} }, then: deny, message: Test first. }]
`

/** At a real terminal there is a person; here their answers are written down beforehand. */
it('a person has a policy enforced although an agent can get stuck in it, until it changes', {
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-accept-'))
  const save = (text: string): void => writeFileSync(join(folder, 'project/signalbox.yaml'), text)
  let said = ''
  const run = (args: readonly string[], answer = '', isPerson = true): Promise<number> => {
    said = ''
    const out = (text: string): void => {
      said += text
    }
    const env = { HOME: join(folder, 'home'), SIGNALBOX_HOME: join(folder, 'home') }
    const ask = async (question: string): Promise<string> => {
      out(question)
      return answer
    }
    const terminal: Terminal = { out, err: out, env, cwd: join(folder, 'project'), width: 80, isPerson, ask }
    return main(args, terminal)
  }
  const inForce = async (): Promise<string> => {
    await run(['policy', 'show', '--json'])
    return JSON.parse(said).layers.find(({ layer }: { layer: string }) => layer === 'project').state
  }
  try {
    mkdirSync(join(folder, 'home'))
    mkdirSync(join(folder, 'project/.git'), { recursive: true })
    save(policyOf('command: git commit'))
    expect(await run(['check', '--accept'], 'y')).toBe(0)
    expect(said).toMatch(/Nothing to accept/)
    save(policyOf('action: run'))
    expect(await run(['check'])).toBe(1)
    expect(said).toMatch(/ is still enforced\nIs a person to open it\? `opens: human`.* signalbox check --accept\n/)
    expect(await inForce()).toBe('last-good')
    expect(await run(['check', '--accept'], 'y', false)).toBe(2)
    expect(said).toContain('only a person')
    expect(await run(['check', '--accept'], 'no')).toBe(1)
    expect(await inForce()).toBe('last-good')
    expect(await run(['check', '--accept'], 'y')).toBe(0)
    expect(await inForce()).toBe('active')
    expect(await run(['check'])).toBe(1)
    expect(said).toContain('It is in force: you have accepted that.')
    expect(await inForce()).toBe('active')
    save(`${policyOf('action: run')}# the same, and another\n`)
    expect(await run(['check'])).toBe(1)
    expect(await inForce()).toBe('last-good')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
