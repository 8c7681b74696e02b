import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { main } from '../../src/app/cli/index.ts'
import { type Sandbox, withSandbox } from '../support/sandbox.ts'

const configure = ({ project }: Sandbox, text: string): void => {
  mkdirSync(join(project, '.claude'), { recursive: true })
  writeFileSync(join(project, '.claude/config.yaml'), text)
}

/** A person at a terminal says yes. */
const trust = async ({ home, project }: Sandbox): Promise<void> => {
  const quiet = { out: () => {}, err: () => {}, width: 80, isPerson: true, ask: async () => 'y' }
  expect(await main(['trust'], { ...quiet, env: { HOME: home, SIGNALBOX_HOME: home }, cwd: project })).toBe(0)
}

describe.concurrent('packs on the command line', () => {
  it('check and policy show name them', () =>
    withSandbox({ project: 'use: [{ router-first: { per: prompt } }, orchestrator-boundary]' }, async sandbox => {
      const { stdout } = await sandbox.run(['check'])
      expect(stdout.replace(/\d+ states/, 'N states')).toBe(`OK  2 gates, 2 rules from 1 layer
packs  router-first, orchestrator-boundary
proof  no deadlock (N states, complete)
`)
      expect((await sandbox.run(['policy', 'show'])).stdout).toBe(`project  signalbox.yaml  active
         uses router-first (per: prompt)
         uses orchestrator-boundary
built-in part of Signalbox  active
         uses self-protection (onError: closed)

2 gates, and 1 built in
Next  signalbox policy show --resolved
`)
    }))

  it('a misspelt pack gets a guess, any other the list', () =>
    withSandbox({ project: 'use: [router-firts]' }, async sandbox => {
      expect((await sandbox.run(['check'])).stdout).toContain(`signalbox.yaml:1:7 unknown pack \`router-firts\`
  1 | use: [router-firts]
    |       ^^^^^^^^^^^^ did you mean \`router-first\`?
`)
      writeFileSync(join(sandbox.project, 'signalbox.yaml'), 'use: [something]')
      expect((await sandbox.run(['check'])).stdout).toMatch(/there are .*orchestrator-boundary, .*router-first/)
    }))

  it("options of the project's configuration count as far as they are trusted", () =>
    withSandbox({ project: 'use: [router-first]' }, async sandbox => {
      const uses = async () => /uses (.*)/.exec((await sandbox.run(['policy', 'show'])).stdout)?.[1]
      configure(sandbox, 'routing: { per: prompt, may: [Read] }')
      expect(await uses()).toBe('router-first (per: prompt)')
      expect((await sandbox.run(['check'])).stdout).toContain('signalbox trust')
      await trust(sandbox)
      expect(await uses()).toBe('router-first (per: prompt, may: ["Read"])')
      configure(sandbox, 'other: 1\nrouting: { may: [Read], per: prompt }')
      expect(await uses()).toBe('router-first (per: prompt)')
      configure(sandbox, 'other: 2\nrouting: { per: prompt, may: [Read] }')
      expect(await uses()).toBe('router-first (per: prompt, may: ["Read"])')
      configure(sandbox, 'routing: { per: prompt, may: [Read, Bash] }')
      expect(await uses()).toBe('router-first (per: prompt)')
    }))

  it("an option of a project's policy that loosens waits for trust, and check names it", () =>
    withSandbox({ project: 'use: [{ orchestrator-boundary: { paths: [src/], builder: mason } }]' }, async sandbox => {
      const uses = async () => /uses (.*)/.exec((await sandbox.run(['policy', 'show'])).stdout)?.[1]
      expect(await uses()).toBe('orchestrator-boundary (builder: mason)')
      expect((await sandbox.run(['check'])).stdout).toContain(
        'need your trust:\n  option `paths` of pack `orchestrator-boundary` (signalbox.yaml:1)\nNext  signalbox trust\n',
      )
      await trust(sandbox)
      expect(await uses()).toBe('orchestrator-boundary (paths: ["src/"], builder: mason)')
    }))

  it('what is wrong in it is a warning with a guess', () =>
    withSandbox({ project: 'use: [router-first]' }, async sandbox => {
      configure(sandbox, 'routing: { hand-off: true }')
      const { stdout, exitCode } = await sandbox.run(['check'])
      expect(exitCode).toBe(0)
      expect(stdout).toContain(
        'warning  .claude/config.yaml:1:12 there is no option `hand-off` in pack `router-first`: it is ignored',
      )
      expect(stdout).toContain('did you mean `handoff`?')
    }))
})
