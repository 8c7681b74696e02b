import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands } from '../../src/app/cli/index.ts'
import { withStage } from '../support/in-process-command.ts'
import { withSandbox } from '../support/sandbox.ts'

const GATE = `gates:
  no-push:
    rules:
      - when: { event: tool.before, command: git push }
        then: deny
        message: Do not push.
`
const LOOSE = `${GATE}      - when: { event: tool.before, command: ls }
        then: allow
hooks:
  - { event: tool.after, run: ./format.sh }
`
const BROKEN = 'gates:\n  no-push:\n    ruels: []\n'

describe('signalbox', () => {
  it('alone shows what it can do, and exits 2', () =>
    withSandbox({}, async sandbox => {
      const { exitCode, stdout } = await sandbox.run([])
      expect(exitCode).toBe(2)
      expect(stdout).toContain('usage  signalbox <command>')
      const titles = stdout.split('\n').filter(line => /^[A-Z][a-z ]+$/.test(line))
      expect(titles).toEqual([
        'Start here',
        'Your policy',
        'Send work',
        'What happened',
        'In an emergency',
        'For scripts and debugging',
      ])
      expect(stdout).toMatch(/^Start here\n {2}init {2,}/m)
      const named = [...stdout.matchAll(/^ {2}(\S+(?: \S+)?) {2,}[A-Z]/gm)].map(([, name]) => name)
      expect(named.sort()).toEqual(commands.map(({ name }) => name))
    }))

  it.each(commands)('$name is listed as its own file has it', async ({ name, summary, load }) => {
    expect({ name, summary }).toEqual((({ name, summary }) => ({ name, summary }))(await load()))
  })

  it('in a narrow window descriptions go on below themselves', () =>
    withStage(async stage => {
      await stage.run(['--help'], { width: 40 })
      const at = stage.said.split('\n').findIndex(line => line.startsWith('  daemon status'))
      const [first = '', next = ''] = stage.said.split('\n').slice(at)
      expect([first.search(/[A-Z]/), next.search(/\S/)]).toEqual([17, 17])
    }))

  it.each([['--help'], ['help'], ['-h']])('%s exits 0', arg =>
    withSandbox({}, async sandbox => {
      expect((await sandbox.run([arg])).exitCode).toBe(0)
    }),
  )

  it.each([
    'bypass',
    'check',
    'demo',
    'explain',
    'gates',
    'graph',
    'hook',
    'off',
    'on',
    'policy show',
    'stats',
    'test',
    'trust',
    'version',
  ])('%s --help has a usage and an example', name =>
    withSandbox({}, async sandbox => {
      const { exitCode, stdout } = await sandbox.run([...name.split(' '), '--help'])
      expect(exitCode).toBe(0)
      expect(stdout).toMatch(new RegExp(`usage {2}signalbox ${name}[^]*e\\.g\\.   .+`))
    }),
  )

  it('a word that several commands begin with answers too', () =>
    withSandbox({}, async sandbox => {
      const { exitCode, stdout } = await sandbox.run(['policy', '--help'])
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining('usage  signalbox policy show')])
      expect((await sandbox.run(['policy'])).exitCode).toBe(2)
      expect((await sandbox.run(['policy', 'shwo'])).stderr).toContain(
        'unknown command `policy shwo`; did you mean `policy show`?',
      )
      expect((await sandbox.run(['policy', 'xyzzy'])).stderr).toContain(
        'unknown command `policy xyzzy`; there is `policy show`',
      )
      expect((await sandbox.run(['daemon', 'xyzzy'])).stderr.replace(/\s+/g, ' ')).toContain(
        'unknown command `daemon xyzzy`; there are `daemon logs`, `daemon start`, `daemon status`, `daemon stop`',
      )
    }))

  it('the demo ends with a pack: the main agent does not edit, its agent does', () =>
    withSandbox({}, async sandbox => {
      const { exitCode, stdout } = await sandbox.run(['demo', '--json'])
      const played = stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
      expect(exitCode).toBe(0)
      expect(played.slice(-3).map(({ caller, decision }) => `${caller} ${decision}`)).toEqual([
        'main deny',
        'main deny',
        'builder pass',
      ])
    }))

  it('an unknown command is one line with a guess', () =>
    withSandbox({}, async sandbox => {
      const { exitCode, stderr, stdout } = await sandbox.run(['chekc'])
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
      expect(stderr).toBe(
        'signalbox: unknown command `chekc`; did you mean `check`?\nRun `signalbox --help` for the list of commands.\n',
      )
    }))

  it('the demo sends a person on to their own project, from any folder', () =>
    withSandbox({}, async sandbox => {
      const { stdout } = await sandbox.run(['demo'])
      const [, command = ''] = /\nNext {2}go to your project, and run there: (.+) init\n$/.exec(stdout) ?? []
      expect(command).toMatch(/^(signalbox|npx signalbox|node \/\S+\/bin\/signalbox\.cjs)$/)
    }))

  it.each([
    [['gates', '--session'], 'signalbox gates: `--session` needs a value\n'],
    [['log', '--grep', '-x'], 'signalbox log: `--grep` needs a value; one that begins with a dash is `--grep=-…`\n'],
    [['log', '-n'], 'signalbox log: `-n, --lines` needs a value\n'],
    [['--bogus'], 'signalbox: unknown option `--bogus`\n'],
    [['orchestrate', '--workflow', 'nope'], 'signalbox orchestrate: there is no workflow `nope`; the policy has none'],
    [['orchestrate', '--workflow'], 'signalbox orchestrate: `--workflow` needs a value\n'],
  ])('%j says what is missing', (args, why) =>
    withSandbox({}, async sandbox => {
      const { exitCode, stdout, stderr } = await sandbox.run(args)
      expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(why)])
    }),
  )

  it.each([
    ['orchestrate', '--workflow', '--help'],
    ['log', '--bogus', '--help'],
  ])('%s %s %s is the help', (...args) =>
    withSandbox({}, async sandbox => {
      const { exitCode, stdout, stderr } = await sandbox.run(args)
      expect([exitCode, stdout, stderr]).toEqual([0, expect.stringContaining(`usage  signalbox ${args[0]}`), ''])
    }),
  )

  it('an unknown option is an error, never ignored', () =>
    withSandbox({ project: GATE }, async sandbox => {
      const { exitCode, stderr } = await sandbox.run(['check', '--josn'])
      expect(exitCode).toBe(2)
      expect(stderr).toMatch(/^signalbox check: unknown option `--josn`; did you mean `--json`\?\n/)
    }))

  it('prints its version', () =>
    withSandbox({}, async sandbox => {
      expect(await sandbox.run(['--version'])).toEqual({ exitCode: 0, stdout: '0.1.0\n', stderr: '' })
    }))
})

describe('signalbox check', () => {
  it('says OK and counts', () =>
    withSandbox({ project: GATE }, async sandbox => {
      expect(await sandbox.run(['check'])).toEqual({
        exitCode: 0,
        stdout: 'OK  1 gate, 1 rule from 1 layer\n',
        stderr: '',
      })
    }))

  it('without a policy says what is in force all the same', () =>
    withSandbox({}, async sandbox => {
      const { exitCode, stdout } = await sandbox.run(['check'])
      expect(exitCode).toBe(0)
      expect(stdout).toContain("Only Signalbox's own files are protected.")
    }))

  it('shows the place, a mark under it, a guess and the keys', () =>
    withSandbox({ project: BROKEN }, async sandbox => {
      const { exitCode, stdout } = await sandbox.run(['check'])
      expect(exitCode).toBe(1)
      expect(stdout).toContain(`FAIL  1 problem in 1 file

signalbox.yaml:3:5 unknown key \`ruels\` in gate \`no-push\`
  3 |     ruels: []
    |     ^^^^^ did you mean \`rules\`?
Keys here: `)
      expect(stdout).toContain('signalbox.yaml is not loaded, and there is no earlier version')
    }))

  it('tells that an earlier version is still enforced', () =>
    withSandbox({ project: GATE }, async sandbox => {
      await sandbox.run(['check'])
      writeFileSync(join(sandbox.project, 'signalbox.yaml'), BROKEN)
      expect((await sandbox.run(['check'])).stdout).toMatch(
        /signalbox.yaml is not loaded; its version of .+ is still enforced/,
      )
    }))

  it('sees a policy with the wrong ending, and one with nothing in it', () =>
    withSandbox({}, async sandbox => {
      writeFileSync(join(sandbox.project, 'signalbox.yml'), GATE)
      expect((await sandbox.run(['check'])).stdout).toContain('rename it to `signalbox.yaml`')
      writeFileSync(join(sandbox.project, 'signalbox.yaml'), '')
      expect((await sandbox.run(['check'])).stdout).toContain('the policy has no gates, routes or hooks')
    }))

  it.each([
    [
      'a text that begins with a brace',
      GATE.replace('Do not push.', '{command} is not yours'),
      'put the text in quotes',
    ],
    ['a tab', 'gates:\n\tx: {}\n', 'a tab is used as indentation'],
    ['a brace that is not closed', GATE.replace(' }', ''), ''],
  ])('%s is one problem, not three', (_, project, help) =>
    withSandbox({ project }, async sandbox => {
      const { stdout } = await sandbox.run(['check'])
      expect(stdout).toMatch(/^FAIL {2}1 problem in 1 file\n/)
      expect(stdout).toContain(help)
    }),
  )

  it('warns of a refusal that nobody would hear', () =>
    withSandbox({ project: GATE.replace('tool.before, command: git push', 'session.start') }, async sandbox => {
      const { exitCode, stdout } = await sandbox.run(['check'])
      expect(exitCode).toBe(0)
      expect(stdout).toContain('rule `rule-1` cannot deny `session.start` on Claude Code: the agent only gets the text')
    }))

  it('works below the root, and finds a nested policy', () =>
    withSandbox({ project: GATE }, async sandbox => {
      const cwd = join(sandbox.project, 'packages/app')
      mkdirSync(cwd, { recursive: true })
      writeFileSync(join(cwd, 'signalbox.yaml'), GATE)
      expect((await sandbox.run(['check'], { cwd })).stdout).toBe('OK  2 gates, 2 rules from 2 layers\n')
    }))

  it('--json is one object', () =>
    withSandbox({ project: BROKEN }, async sandbox => {
      const { exitCode, stdout } = await sandbox.run(['check', '--json'])
      expect(exitCode).toBe(1)
      expect(JSON.parse(stdout)).toMatchObject({
        ok: false,
        gates: 0,
        problems: [{ line: 3, column: 5, help: 'did you mean `rules`?' }],
      })
    }))
})

describe('what became of a route', () => {
  const ROUTES = `use: [tool-routing]
routes:
  bad: { pattern: "(", message: m }
  good: { pattern: wiki\\.acme, message: m }
  linear: { url: "https://linear.app/acme", message: m }
  from: [tool-routes.json]
`
  const files = { 'tool-routes.json': '{ "routes": { "ahead": { "pattern": "x(?=y)", "message": "m" } } }' }

  it('is said by check: what is broken, dropped, left out, or waits for a program', () =>
    withSandbox({ project: ROUTES }, async sandbox => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(sandbox.project, name), text)
      const { exitCode, stdout } = await sandbox.run(['check'], { env: { PATH: sandbox.install(['gh']) } })
      expect(exitCode).toBe(1)
      expect(stdout.replace(/pack\.yaml:\d+/, 'pack.yaml:99')).toBe(`FAIL  1 problem in 1 file

signalbox.yaml:3:19 \`(\` is not a regex: error parsing regexp: missing closing ): \`(\`
  3 |   bad: { pattern: "(", message: m }
    |                   ^^^

The marked parts are ignored; the rest of the file is enforced

warning  signalbox.yaml:6:10 route \`ahead\` of \`tool-routes.json\` is not used: \`x(?=y)\` cannot be used: look-around (\`(?=\`) is not supported, since every regex runs in linear time
  6 |   from: [tool-routes.json]
    |          ^^^^^^^^^^^^^^^^ write what it excludes as a separate route before it, with \`allow: true\`

warning  signalbox.yaml:1:1 route \`linear\` of packs/tool-routing/pack.yaml:99 is dropped: signalbox.yaml:5 has one of that name
  1 | use: [tool-routing]
    | ^^^

inactive  gitlab-mr: \`glab\` is not installed
inactive  buildkite: \`bk\` is not installed
inactive  npm-scoped-package, npm-package: \`npm\` is not installed
`)
    }))

  it('is said by policy show --resolved, with the source of each', () =>
    withSandbox({ project: ROUTES }, async sandbox => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(sandbox.project, name), text)
      const { stdout } = await sandbox.run(['policy', 'show', '--resolved'], { env: { PATH: sandbox.install(['gh']) } })
      expect(stdout).toContain('route good: event tool.before, action fetch, url /wiki\\.acme/  signalbox.yaml:4\n')
      expect(stdout).toMatch(/route github-pr: .* {2}packs\/tool-routing\/pack\.yaml:\d+\n/)
      expect(stdout).toContain('note  signalbox.yaml:6:10 route `ahead` of `tool-routes.json` is not used: ')
      expect(stdout).toContain('inactive  gitlab-mr: `glab` is not installed\n')
    }))
})

describe('signalbox policy show', () => {
  it('--resolved says how long the trail is kept, as the person says', () =>
    withSandbox({ user: 'settings: { keepDays: 30, keepMb: 64 }' }, async sandbox => {
      const { stdout } = await sandbox.run(['policy', 'show', '--resolved'])
      expect(stdout).toContain('\n          keeps the audit log for 30 days, at most 64 MB\n')
    }))

  it('--resolved shows every gate as it is enforced, and what waits for trust', () =>
    withSandbox({ project: LOOSE, user: GATE }, async sandbox => {
      const { exitCode, stdout } = await sandbox.run(['policy', 'show', '--resolved'])
      expect(exitCode).toBe(0)
      expect(stdout).toBe(`user     ~/signalbox.yaml  active
project  signalbox.yaml  active, 2 parts not trusted yet: \`signalbox trust\`
         not trusted: rule \`rule-2\` allows (signalbox.yaml:8)
         not trusted: hook \`./format.sh\` (signalbox.yaml:10)
built-in part of Signalbox  active
         uses self-protection (onError: closed)

settings  onError open, time limit 2000 ms, a session expires after 12 h without events
          keeps the audit log for 90 days, at most 1,024 MB (change it with keepDays and keepMb in your user policy)

user/no-push  block  stateless  ~/signalbox.yaml:2
  rule-1: deny when event tool.before, command \`git push\`

project/no-push  block  stateless  signalbox.yaml:2
  rule-1: deny when event tool.before, command \`git push\`

built-in/self-protection  block  stateless  denies on error  packs/self-protection/pack.yaml:5
  Only people change the policy, the hook registrations, the stored data and the switches.
  rules: policy, policy-as-output, registration, store, key, program, removal, unreadable, code, other-programs, switches, unreadable-switch, other-terminals, variables, profiles, switch-in-file, unguarded-agent, agent-elsewhere, mcp, unknown-tool

note  signalbox.yaml:10:26 \`./format.sh\` does not exist; looked for format.sh
`)
    }))

  it('--json --resolved is the compiled program', () =>
    withSandbox({ project: GATE }, async sandbox => {
      const { stdout } = await sandbox.run(['policy', 'show', '--resolved', '--json'])
      expect(JSON.parse(stdout)).toMatchObject({
        gates: [
          { id: 'project/no-push', mode: 'block' },
          { id: 'built-in/self-protection', yields: false },
        ],
        hooks: [],
      })
    }))
})

describe('signalbox trust', () => {
  it('is for a person at a terminal', () =>
    withSandbox({ project: LOOSE }, async sandbox => {
      const { exitCode, stdout, stderr } = await sandbox.run(['trust'], { input: 'y\n' })
      const shown =
        'signalbox.yaml\n  rule `rule-2` allows (signalbox.yaml:8)\n  hook `./format.sh` (signalbox.yaml:10)\n'
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: shown })
      expect(stderr).toContain('only a person can do this')
    }))

  it('has nothing to ask where nothing loosens', () =>
    withSandbox({ project: GATE }, async sandbox => {
      const { exitCode, stdout } = await sandbox.run(['trust'])
      expect(exitCode).toBe(0)
      expect(stdout).toContain('Nothing to trust')
    }))
})
