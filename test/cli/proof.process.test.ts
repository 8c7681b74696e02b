import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withSandbox } from '../support/sandbox.ts'

const STUCK = `gates:
  tests:
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.before, action: write } }
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
    rules:
      - { id: untested, while: closed, when: { event: tool.before, action: run }, then: deny, message: Test first. }
`
const STORY = `DEADLOCK  tests can be closed with no way left to open it
  1 writes some.txt  tests closes
  2 npm test         DENY tests/untested
Stuck: tests needs \`npm test\`, and its own rule untested refuses that.
Fix   signalbox.yaml:8 let \`npm test\` pass: \`unless: { command: npm test }\`
`
/** What mends it where agents do not say how a command ended, too. */
const FOR_ALL = 'let `signalbox run -- npm test` pass: `unless: { command: [npm test, signalbox run -- npm test] }`'
const CLAUDE = ['--client', 'claude-code']

it('init tells how a policy locks an agent up before it is in force, and does not end well', { timeout: 60_000 }, () =>
  withSandbox({ project: STUCK }, async sandbox => {
    const shown = await sandbox.run(['init', '--dry-run', ...CLAUDE])
    expect(shown).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(STORY) })
    const done = await sandbox.run(['init', '--yes', ...CLAUDE])
    const stuck =
      /STUCK {2}the policy is active, and an agent can get stuck in it: tests can be closed with no way left to open it\. To see the fix, run .*signalbox\S* check\n/
    expect([done.exitCode, done.stdout]).toEqual([1, expect.stringMatching(stuck)])
    expect(done.stdout).toMatch(/\nNext {3}.*signalbox\S* check\n$/)
    const told = await sandbox.run(['init', '--yes', '--json', ...CLAUDE])
    expect(told.exitCode).toBe(1)
    expect(JSON.parse(told.stdout)).toMatchObject({
      applied: false,
      verification: { ok: false, findings: [{ kind: 'deadlock' }] },
    })
    const again = await sandbox.run(['init', '--yes', ...CLAUDE])
    expect(again).toMatchObject({ exitCode: 1, stdout: expect.stringContaining(`${STORY}\nNothing to change.\n`) })
    expect(again.stdout).toMatch(stuck)
    const file = join(sandbox.project, 'signalbox.yaml')
    writeFileSync(file, readFileSync(file, 'utf8').replace('then: deny', 'unless: { command: npm test }, then: deny'))
    const mended = await sandbox.run(['init', '--yes', ...CLAUDE])
    expect(mended).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/Nothing to change\.\n$/) })
  }),
)

it('status tells what was found the last time this very policy was proven', { timeout: 60_000 }, () =>
  withSandbox({ project: STUCK }, async sandbox => {
    expect((await sandbox.run(['status'])).stdout).toContain('1 gate, not proven: signalbox check\n')
    expect((await sandbox.run(['check'])).exitCode).toBe(1)
    const found = 'tests can be closed with no way left to open it: signalbox check\n'
    const { stdout } = await sandbox.run(['status'])
    expect(stdout).toMatch(new RegExp(`1 gate\n +Proof +${found}`))
    expect(stdout).toMatch(/\n +How +writes some\.txt: tests closes → npm test: DENY tests\/untested\n/)
    expect(stdout).toMatch(
      /\n +Fix +signalbox\.yaml:8 .* pass: `unless: \{ command: \[npm test, signalbox run -- npm test\] \}`\n/,
    )
    writeFileSync(join(sandbox.project, 'signalbox.yaml'), STUCK.replace('action: run', 'command: git commit'))
    expect((await sandbox.run(['status'])).stdout).toContain('1 gate, not proven: signalbox check\n')
    await sandbox.run(['check'])
    expect((await sandbox.run(['status'])).stdout).toContain('1 gate, no problems\n')
  }),
)

const PUSH = `gates:
  no-push:
    rules: [{ id: never, when: { event: tool.before, command: git push }, then: deny, message: Never. }]
`

it('check proves the policies of folders below too, and says which folder it is', { timeout: 60_000 }, () =>
  withSandbox({ project: PUSH }, async sandbox => {
    for (const [folder, policy] of [
      ['app', PUSH.replace('no-push', 'no-app-push').replace('git push', 'make deploy')],
      ['lib/deep', STUCK],
      ['broken', 'gats: {}\n'],
      ['node_modules/x', STUCK],
    ] as const) {
      mkdirSync(join(sandbox.project, folder), { recursive: true })
      writeFileSync(join(sandbox.project, folder, 'signalbox.yaml'), policy)
    }
    const { exitCode, stdout } = await sandbox.run(['check'])
    expect(exitCode).toBe(1)
    expect(stdout).toBe(`STUCK  1 gate, 1 rule from 1 layer; problems in subfolders: broken/, lib/deep/
below  app/  OK  2 gates, 2 rules from 2 layers
below  broken/  FAIL  1 problem in 1 file
below  lib/deep/  STUCK  2 gates, 2 rules from 2 layers; 1 finding (8 states)

In broken/

broken/signalbox.yaml:1:1 unknown key \`gats\` in the policy
  1 | gats: {}
    | ^^^^ did you mean \`gates\`?
Keys here: gates, use, require, protect, limit, only, define, routes, …

broken/signalbox.yaml is not loaded, and there is no earlier version: none of it is enforced

In lib/deep/

${STORY.replaceAll('tests closes', 'lib/deep/tests closes')
  .replace('DENY tests/', 'DENY lib/deep/tests/')
  .replace(/(Fix {3})(.* )let .*/, `$1lib/deep/$2${FOR_ALL}`)}`)

    const told = JSON.parse((await sandbox.run(['check', '--json'])).stdout)
    expect([told.ok, told.proof.ok]).toEqual([false, true])
    expect(told.below.map((one: { folder: string; ok: boolean }) => [one.folder, one.ok])).toEqual([
      ['app', true],
      ['broken', false],
      ['lib/deep', false],
    ])
    // what was found is known where it is in force
    const cwd = join(sandbox.project, 'lib/deep')
    expect((await sandbox.run(['status'], { cwd })).stdout).toContain('tests can be closed with no way left to open it')
    // in the folder itself places are named from there
    expect((await sandbox.run(['check'], { cwd })).stdout).toContain('Fix   signalbox.yaml:8 let')
    expect(await sandbox.run(['check', '--here'])).toMatchObject({
      exitCode: 0,
      stdout: 'OK  1 gate, 1 rule from 1 layer\n',
    })
  }),
)

const OPEN = `gates:
  g:
    initial: closed
    transitions: [{ id: o, from: closed, to: open, when: { event: tool.before, caller: reviewer, tool: "mcp__gh__*" } }]
    rules: [{ id: r, while: closed, when: { command: git push }, then: deny, message: The reviewer first. }]
  deep:
    rules: [{ id: t, when: { action: spawn, agent: reviewer, caller: main }, then: deny, message: Spawn the lead. }]
`

it(
  'what is not certain is neither a proof nor a fault: its first line and its exit code say so',
  { timeout: 60_000 },
  () =>
    withSandbox({ project: OPEN }, async sandbox => {
      const { exitCode, stdout } = await sandbox.run(['check', ...CLAUDE])
      expect(exitCode).toBe(3)
      expect(stdout).toBe(`NOT PROVEN  2 gates, 2 rules from 1 layer
proof  1 finding not certain (2 states)

NOT CERTAIN  g can be closed with no way left to open it
  1 spawns reviewer  DENY deep/t
Stuck: g needs \`spawns reviewer\`, and deep's rule t refuses that.
Not certain: some-agent may spawn reviewer, and agents spawned by agents are not explored.
Fix   signalbox.yaml:4 open it with something an agent can do here, or say \`opens: human\`
`)
      const told = await sandbox.run(['check', '--json', ...CLAUDE])
      expect(told.exitCode).toBe(3)
      expect(JSON.parse(told.stdout).proof).toMatchObject({
        ok: true,
        proven: false,
        inconclusive: [{ kind: 'deadlock' }],
      })
    }),
)

const MUTUAL = `gates:
  tests:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }]
    rules:
      - { id: untested, while: closed, when: { action: spawn, agent: [reviewer, other] }, then: deny, message: 'Run {suggest}.', suggest: npm test }
  review:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: agent.stop, agent: reviewer } }]
    rules: [{ id: unseen, while: closed, when: { event: tool.before, command: [npm test, npm publish] }, then: deny, message: Review first. }]
`

it('gates that wait for each other are told once, and what to paste mends it', { timeout: 60_000 }, () =>
  withSandbox({ project: MUTUAL }, async sandbox => {
    const { exitCode, stdout } = await sandbox.run(['check', ...CLAUDE])
    expect([exitCode, stdout]).toEqual([
      1,
      `STUCK  2 gates, 2 rules from 1 layer
proof  1 finding (2 states)

DEADLOCK  tests and review can be closed with no way left to open them
  1 npm test         DENY review/unseen
  2 spawns reviewer  DENY tests/untested
Stuck: tests needs \`npm test\`, and review's rule unseen refuses that; review needs \`spawns reviewer\`, and tests's rule untested refuses that.
Fix   signalbox.yaml:10 let \`npm test\` pass: \`unless: { command: npm test }\`
      signalbox.yaml:6 let \`spawns reviewer\` pass: \`unless: { action: spawn, agent: reviewer }\`
`,
    ])
    const [, paste = ''] = /(unless: \{ action.*\})`/.exec(stdout) ?? []
    writeFileSync(
      join(sandbox.project, 'signalbox.yaml'),
      MUTUAL.replace('agent: [reviewer, other] }, then', `agent: [reviewer, other] }, ${paste}, then`),
    )
    expect((await sandbox.run(['check', ...CLAUDE])).stdout).not.toContain('DEADLOCK')
  }),
)

it(
  'a proof of the version that a broken file left in force says so, and names no line of it',
  { timeout: 60_000 },
  () =>
    withSandbox({ project: STUCK }, async sandbox => {
      await sandbox.run(['check', ...CLAUDE])
      const broken = `# one line more\n${STUCK.replace('action: run }', 'action: run }, unless: npm test')}`
      writeFileSync(join(sandbox.project, 'signalbox.yaml'), broken)
      const { exitCode, stdout } = await sandbox.run(['check', ...CLAUDE])
      expect([exitCode, stdout.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, 'THEN')]).toEqual([
        1,
        `FAIL  1 problem in 1 file

signalbox.yaml:9:91 \`unless\` in gate \`tests\` must be a condition, not \`npm test\`
  9 |       - { id: untested, while: closed, when: { event: tool.before, action: run }, unless: npm test, then: deny, message: Test first. }
    |                                                                                           ^^^^^^^^ for a command: \`{ command: npm test }\`

signalbox.yaml is not loaded; its version of THEN is still enforced

proof of the enforced version: 1 finding (2 states)
  DEADLOCK  tests can be closed with no way left to open it
`,
      ])
      await sandbox.run(['check'])
      const { stdout: status } = await sandbox.run(['status'])
      expect(status).toMatch(
        / Proof +in the version of \d{4}-.*, which is still enforced although the file has changed: tests can be closed/,
      )
      expect(status).not.toMatch(/ Fix /)
    }),
)

it('the verdict is the same whatever is installed here', { timeout: 60_000 }, () => {
  const project = `use: [tool-routing]
gates:
  docs:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, action: fetch, url: 'https://github.com/acme/handbook/pull/:n(\\d+)' } }
    rules: [{ while: closed, when: { action: write }, then: deny, message: Read the handbook. }]
`
  return withSandbox({ project }, async sandbox => {
    const verdictWith = async (programs: string[]) => {
      const PATH = sandbox.install(programs)
      const { exitCode, stdout } = await sandbox.run(['check', '--json', ...CLAUDE], { env: { PATH } })
      return { exitCode, findings: JSON.parse(stdout).proof.findings.length }
    }
    expect(await verdictWith(['gh'])).toEqual(await verdictWith([]))
    expect((await verdictWith([])).exitCode).not.toBe(0)
  })
})

it('check is painted in a window only, and with --client speaks of that one', { timeout: 60_000 }, () =>
  withSandbox(
    {
      project: `${STUCK}  stop: { rules: [{ when: { event: agent.stop }, then: deny, limit: 1, message: Notes. }] }\n`,
    },
    async sandbox => {
      const said = async (policy: string | undefined, env: Record<string, string>): Promise<string> => {
        if (policy !== undefined) writeFileSync(join(sandbox.project, 'signalbox.yaml'), policy)
        const { stdout } = await sandbox.run(['check', ...CLAUDE], { env })
        return stdout.replaceAll('\u001b', '<ESC>')
      }
      const forced = { FORCE_COLOR: '1', NO_COLOR: '' }
      const stuck = await said(undefined, forced)
      expect(stuck).toMatch(/^<ESC>\[31mSTUCK<ESC>\[39m {2}[\s\S]*\n<ESC>\[31mDEADLOCK<ESC>\[39m {2}tests/)
      expect(stuck).not.toContain('opencode')
      expect((await sandbox.run(['check', '--here'])).stdout).toMatch(
        /^STUCK {2}[\s\S]*cannot deny `agent\.stop` on opencode/,
      )
      expect(await said(OPEN, forced)).toMatch(/^<ESC>\[33mNOT PROVEN<ESC>\[39m/)
      expect(await said(PUSH, forced)).toMatch(/^<ESC>\[32mOK<ESC>\[39m/)
      expect(await said(PUSH, { FORCE_COLOR: '1' })).toMatch(/^OK {2}/)
    },
  ),
)
