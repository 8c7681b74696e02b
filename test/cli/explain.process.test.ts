import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Sandbox, withSandbox } from '../support/sandbox.ts'

const ROOT = join(import.meta.dirname, '../..')
const DEMO = readFileSync(join(ROOT, 'demo/signalbox.yaml'), 'utf8')
const POLICY = `${DEMO.replace(
  'gates:\n',
  `gates:
  no-force:
    rules:
      - { id: forced, when: { command: [git push --force, git push -f] }, unless: { caller: releaser }, then: deny, message: Never by force. }
  main-edits:
    mode: observe
    rules:
      - { id: edits, when: { caller: main, action: write }, then: deny, message: Delegate. }
`,
)}`

const call = (command: string, more: object = {}): string =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 's',
    tool_name: 'Bash',
    tool_input: { command },
    ...more,
  })

const explained = (
  args: readonly string[],
  work: (sandbox: Sandbox) => Promise<unknown> = async () => undefined,
  project = POLICY,
) =>
  withSandbox({ project }, async sandbox => {
    await work(sandbox)
    return sandbox.run(['explain', ...args])
  })

describe('signalbox explain', () => {
  it('draws every leaf with what it found, and what would have changed it', async () => {
    const { exitCode, stdout, stderr } = await explained(['git commit -m x'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toBe(`DENY  git commit -m x  tool.before  by project/tests-before-commit, rule-1
|- no-force             pass   signalbox.yaml:3
|  \`- forced would deny, but  signalbox.yaml:5
|     \`- NO  command \`git push --force\` | \`git push -f\`  got \`git commit -m x\`
|- main-edits           pass   signalbox.yaml:6
|  \`- edits would deny, but  signalbox.yaml:9
|     \`- NO  action write                  got run
|- tests-before-commit  DENY   closed  signalbox.yaml:10
|  \`- rule-1 denies  signalbox.yaml:18
|     |- yes while closed                  got closed
|     |- yes event tool.before             got tool.before
|     \`- yes command \`git commit\`          got \`git commit -m x\`
\`- 2 other gates: not relevant (--all lists them)
Reason  Run \`npm test\` first. The commit is allowed when it passes, until the next edit.
Note  gate states at the start of a session: tests-before-commit closed; change them with --given tests-before-commit=open
What if  \`npm test\` that succeeds opens tests-before-commit: then this passes
`)
  })

  it.each([
    [
      'a state',
      ['git commit -m x', '--given', 'tests-before-commit=open'],
      [
        'pass  git commit -m x',
        'NO  while closed                  got open',
        'closes tests-before-commit: then this is DENY',
      ],
    ],
    [
      'the caller',
      ['git push --force', '--client', 'claude-code'],
      ['DENY', 'What if  done by the agent `releaser` this passes'],
    ],
    [
      'the smallest change of a command',
      ['git push --force origin main'],
      ['What if  as `git push origin main`, without `--force`, this passes'],
    ],
    ['a part of a line', ['npm run lint && git commit -am x'], ['What if  without `git commit -am x` this passes']],
    [
      'an exemption',
      ['git push -f', '--as', 'releaser'],
      [
        'pass',
        'forced would deny, but it is exempt',
        'yes unless',
        'yes caller releaser               got agent releaser',
      ],
    ],
    [
      'a gate that only observes',
      ['write: src/a.ts'],
      ['pass  Write src/a.ts', 'main-edits           observed', 'edits denies; the gate is in mode observe'],
    ],
    [
      'a route',
      ['fetch: https://github.com/a/b/pull/1'],
      ['DENY  WebFetch', 'route github-pr denies', 'got https://github.com/a/b/pull/1'],
    ],
    [
      'a page that is nearly one',
      ['fetch: https://github.com/a/b/issues/1'],
      ['pass', 'route github-pr would deny, but', 'NO  url https://github.com/:owner/:repo/pull/:number'],
    ],
    [
      'a transition',
      ['{ shell: npm test, after: succeeded }'],
      ['transition-1 (closed → open) changes the state', 'yes succeeded true                got succeeded'],
    ],
    [
      'one that proves nothing',
      ['{ shell: npm test | tail, after: succeeded }'],
      [
        'transition-1 (closed → open) would change the state, but',
        'got the line succeeded, which does not prove that this command did',
      ],
    ],
    [
      'a client that does not tell',
      ['{ shell: npm test, after: succeeded }', '--client', 'codex-cli'],
      ['Note  Codex CLI does not report how a command ended', 'got unknown: the agent does not report how it ended'],
    ],
    [
      'a command line that cannot be parsed',
      ['eval "$X"'],
      ['warn  eval "$X"  tool.before', '?   command', 'got a command line that cannot be parsed: eval "$X"'],
    ],
    [
      'everything, where it is asked for',
      ['ls', '--all'],
      ['self-protection', 'forced does not match', 'transition-1 (closed → open) is for another kind of event'],
    ],
  ])('tells of %s', async (_, args, says) => {
    const { exitCode, stdout } = await explained(args)
    expect(exitCode).toBe(0)
    expect(says.filter(line => !stdout.includes(line)).map(line => `${line} is not in\n${stdout}`)).toEqual([])
  })

  const SEVERAL = `gates:
  one:
    initial: closed
    transitions: [ { id: t, from: closed, to: open, when: { event: agent.stop, agent: reviewer } } ]
    rules:
      - id: a
        while: closed
        when: { command: git push }
        unless: { any: [ { caller: [boss] }, { action: run, command: git push origin }, { not: { action: run } } ] }
        then: deny
        message: no
  two:
    rules:
      - { id: b, when: { command: git push --force }, then: deny, message: no }
      - { id: c, when: { action: run, command: git push, not: { caller: main } }, then: deny, message: no }
`
  it('of several gates that refuse, what each of them wants; a choice keeps its parts together', async () => {
    const { stdout } = await explained(['git push --force'], undefined, SEVERAL)
    expect(stdout).toBe(`DENY  git push --force  tool.before  by project/one, a
|- one  DENY   closed  signalbox.yaml:2
|  \`- a denies  signalbox.yaml:8
|     |- yes while closed                  got closed
|     |- yes event tool.before             got tool.before
|     |- yes command \`git push\`            got \`git push --force\`
|     \`- NO  unless
|        \`- NO  one of
|           |- NO  caller boss                   got main
|           |- NO  all of
|           |  |- yes action run                    got run
|           |  \`- NO  command \`git push origin\`     got \`git push --force\`
|           \`- NO  not
|              \`- yes action run                    got run
|- two  DENY   signalbox.yaml:12
|  |- b denies  signalbox.yaml:14
|  |  |- yes event tool.before             got tool.before
|  |  \`- yes command \`git push --force\`    got \`git push --force\`
|  \`- c would deny, but  signalbox.yaml:15
|     \`- NO  not caller main               got main
\`- 1 other gate: not relevant (--all lists them)
Reason  no
Note  gate states at the start of a session: one closed; change them with --given one=open
What if  the end of the agent \`reviewer\` opens one, and as \`git push\`, without \`--force\`: then this passes
`)
  })

  const STATE_AND_CALLER = `gates:
  planned:
    initial: closed
    transitions:
      - { id: plan-written, from: closed, to: open, when: { event: tool.before, action: write, path: PLAN.md } }
    rules:
      - { while: closed, when: { action: [write, delete] }, unless: { path: PLAN.md }, then: deny, message: Plan first. }
  delegated:
    rules: [{ when: { action: [write, delete], caller: main }, then: deny, message: Let an agent do it. }]
`
  it.each([
    [
      'a state and a caller are told as the pair that works',
      'write: src/a.ts',
      STATE_AND_CALLER,
      ['writing PLAN.md, by an agent, opens planned, and done by any agent: then this passes'],
    ],
    [
      'a line that is left out whole is no change of it',
      'signalbox run -- npm test',
      'gates: { g: { rules: [{ when: { command: signalbox run }, then: deny, message: no }] } }\n',
      ['none: no change that was tried leads to another decision'],
    ],
  ])('%s', async (_, event, policy, flips) => {
    const { stdout } = await explained([event], undefined, policy)
    expect([...stdout.matchAll(/^What if {2}(.*)$/gm)].map(([, flip]) => flip)).toEqual(flips)
  })

  const opener = (gate: string, when: string, rules: string, more = '') => `  ${gate}:
    initial: closed
    ${more}
    transitions:
      - { from: closed, to: open, when: ${when} }
${rules}`
  const refuses = (what: string, more = '') =>
    `    rules: [ { while: closed, when: ${what}, ${more} then: deny, message: no } ]\n`
  const PUSH = refuses('{ command: git push }')
  const done = (command: string) => `{ event: tool.after, command: ${command}, succeeded: true }`
  const spoils = (command: string) =>
    `      - { from: open, to: closed, when: { event: tool.after, command: ${command} } }\n${PUSH}`
  const EACH_OTHER = `gates:\n${opener('linted', done('npm run lint'), spoils('npm test'))}${opener('tested', done('npm test'), spoils('npm run lint'))}`
  const SPOILT = `gates:
  clean:
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.before, action: write } }
      - { from: closed, to: open, when: { event: tool.after, command: git stash } }
    rules: [ { while: closed, when: { event: turn.stop }, then: deny, message: no } ]
`
  const TESTED = `gates:\n${opener('tested', done('npm test'), PUSH)}`
  const read = (more: string) =>
    `gates:\n${opener('read', `{ event: tool.before, action: read, path: AGENTS.md${more} }`, refuses('{ action: write }'), 'scope: agent')}`
  const NONE = 'none: nothing that was tried opens'
  it.each([
    ['each opens what the other closes', EACH_OTHER, ['git push'], [`${NONE} linted and tested for it`]],
    ['… also where one of them is open', EACH_OTHER, ['git push', '--given', 'tested=open'], [`${NONE} linted for it`]],
    ['a call that closes what it opens', SPOILT, ['stop: true', '--given', 'clean=closed'], [`${NONE} clean for it`]],
    [
      'what only another caller can do',
      read(', caller: main'),
      ['write: a.ts', '--as', 'builder'],
      [`${NONE} read for it`],
    ],
    [
      'what the caller can do itself',
      read(''),
      ['write: a.ts', '--as', 'builder'],
      ['reading AGENTS.md opens read: then this passes'],
    ],
    [
      'an end that the client does not tell',
      TESTED,
      ['git push', '--client', 'codex-cli'],
      ['`signalbox run -- npm test` that succeeds opens tested: then this passes'],
    ],
    [
      'its own opener',
      `gates:\n${opener('verified', done('npm run verify'), refuses('{ command: "npm run *" }'))}`,
      ['npm run x y'],
      [`${NONE} verified for it`],
    ],
    [
      'what another gate wants first',
      `${TESTED}${opener('installed', done('npm ci'), refuses('{ command: npm test }'))}`,
      ['git push'],
      ['`npm ci` that succeeds, then `npm test` that succeeds: then this passes'],
    ],
    [
      'an agent that nobody may spawn',
      'gates: { a: { rules: [ { when: { action: write }, unless: { caller: builder }, then: deny, message: no }, { when: { action: spawn }, then: deny, message: no } ] } }\n',
      ['write: a.ts'],
      ['none: no change that was tried leads to another decision'],
    ],
  ])('a flip holds when it is played: %s', async (_, policy, args, flips) => {
    const { stdout } = await explained(args, undefined, policy)
    expect(stdout.match(/^What if {2}.*$/gm)).toEqual(flips.map(one => `What if  ${one}`))
  })

  it('hints at the state of the gate that decided, not of the first one', async () => {
    const later = SEVERAL.replace(
      '  two:',
      `  late:
    initial: closed
    transitions: [ { id: t, from: closed, to: open, when: { event: agent.stop, agent: tester } } ]
    rules: [ { id: l, while: closed, when: { command: git tag }, then: deny, message: no } ]
  two:`,
    )
    const { stdout } = await explained(['git tag v1'], undefined, later)
    expect(stdout).toContain(
      'Note  gate states at the start of a session: one closed, late closed; change them with --given late=open\n',
    )
  })

  it('says which files are not in force as they are written', async () => {
    const waiting = await explained(
      ['ls'],
      undefined,
      'gates: { g: { rules: [ { id: yes, when: { command: ls }, then: allow } ] } }\n',
    )
    expect(waiting.stdout).toContain('Note  not trusted yet (run `signalbox trust`): rule `yes` allows')
    const broken = await explained(['ls'], async sandbox => {
      await sandbox.run(['check'])
      writeFileSync(join(sandbox.project, 'signalbox.yaml'), 'gates: {')
    })
    expect(broken.stdout).toContain('Note  signalbox.yaml is broken: its last valid version is still enforced')
  })

  it('reads a payload as its agent sends it', async () => {
    const bring = async (sandbox: Sandbox) =>
      writeFileSync(
        join(sandbox.project, 'pay.json'),
        call('git commit -m x', { agent_id: 'a1', agent_type: 'builder' }),
      )
    const { stdout } = await explained(['pay.json', '--json'], bring)
    const told = JSON.parse(stdout)
    expect(told).toMatchObject({
      decision: 'deny',
      gate: 'project/tests-before-commit',
      rule: 'rule-1',
      event: { caller: { kind: 'agent', type: 'builder' } },
    })
    expect(told.counterfactuals).toContainEqual({
      by: 'state',
      decision: 'pass',
      text: '`npm test` that succeeds opens tests-before-commit: then this passes',
    })
  })

  it('a command is a command, whatever file is called like it', async () => {
    const { exitCode, stdout } = await explained(['make'], async ({ project }) =>
      writeFileSync(join(project, 'make'), ''),
    )
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^pass {2}make /)])
  })

  it('stores nothing of what it is asked', () =>
    withSandbox({ project: POLICY }, async sandbox => {
      await sandbox.run(['explain', 'git commit -m x'])
      expect(existsSync(join(sandbox.home, 'state/signalbox.db'))).toBe(false)
    }))

  it.each([
    [[], 'name an event, a file with a payload'],
    [['--last'], 'nothing is recorded yet'],
    [['7'], 'nothing is recorded yet'],
    [['{ shel: ls }'], 'unknown key `shel` in the event; did you mean `shell`?'],
    [['ls', '--client', 'claude'], 'unknown client `claude`'],
    [
      ['ls', '--given', 'test-before-commit=open'],
      'unknown gate `test-before-commit`; did you mean `tests-before-commit`?',
    ],
    [['ls', '--given', 'tests-before-commit=ajar'], '`--given` is like `tests-before-commit=open`'],
    [['ls', '--given', 'no-force=open'], 'gate `no-force` has no state'],
    [['7', '--as', 'builder'], '`--as` cannot be used with a record'],
    [['broken.json'], 'is not a payload: it is not JSON'],
    [['list.json'], 'is not a payload: it is not a JSON object'],
    [['pay.json', '--as', 'builder'], 'a payload contains the caller'],
    [['/tmp/is-not-there/pay.json'], 'there is no file `/tmp/is-not-there/pay.json`'],
    [['https://example.com/x?y=1'], 'a URL is not a command: write `{ fetch: "https://example.com/x?y=1" }`'],
  ])('%j exits 2', async (args, why) => {
    const { exitCode, stdout, stderr } = await explained(args, async ({ project }) => {
      const files = { 'broken.json': '{', 'list.json': '[]', 'pay.json': call('ls') }
      for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text)
    })
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining(why)])
  })
})

describe('signalbox explain of a payload', () => {
  const capture = (name: string) => join(ROOT, 'test/captures', name)
  it.each([
    ['gemini-cli-0.61.0/BeforeTool.run_shell_command.json', 'Gemini CLI: `--client gemini-cli`'],
    ['copilot-cli-1.0.102/preToolUse.bash.json', 'Copilot CLI: `--client copilot-cli`'],
  ])('finds the agent that sent %s', async (name, sender) => {
    const { exitCode, stdout } = await explained([capture(name)])
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^pass {2}echo hi {2}tool\.before\n/)])
    expect(stdout).toContain(`Note  read as a payload of ${sender}\n`)
  })

  it('explains an event that several agents know as the default one', async () => {
    const { stdout } = await explained([capture('qwen-code-0.24.4/PreToolUse.run_shell_command.json')])
    expect(stdout).not.toContain('read as a payload')
  })

  it('says which agent knows the event, if another one was named', async () => {
    const args = [capture('gemini-cli-0.61.0/BeforeTool.json'), '--client', 'codex-cli']
    const { exitCode, stdout } = await explained(args)
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining(
        'Note  Codex CLI has no event of this name; it is sent by gemini-cli: name the agent with `--client`\n',
      ),
    ])
  })

  it('says what to save, if no agent sends it', async () => {
    const { exitCode, stderr } = await explained([capture('opencode-1.18.33/tool.execute.before.bash.json')])
    expect([exitCode, stderr]).toEqual([
      2,
      'signalbox explain: Claude Code does not send this payload: it names no event; save what the hook gets on stdin, and name the agent with `--client`\n',
    ])
  })
})

describe('signalbox explain of what is on record', () => {
  const refused = async (sandbox: Sandbox) => {
    await sandbox.hook('claude-code', call('npm test'))
    await sandbox.hook('claude-code', call('npm run lint && git commit -m x'))
    await sandbox.hook('claude-code', call('ls'))
  }

  it('--last is the latest call that a gate spoke of', async () => {
    const { exitCode, stdout } = await explained(['--last'], refused)
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      /^DENY {2}npm run lint && git commit -m x {2}#2 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d claude-code main \d+ ms {2}by project\/tests-before-commit, rule-1\n/,
    )
    expect(stdout).toContain('yes command `git commit`          got `git commit -m x`')
    expect(stdout).toContain('What if  without `git commit -m x` this passes')
  })

  it('--last is also what a gate only observed', async () => {
    const { stdout } = await explained(['--last'], async sandbox => {
      await refused(sandbox)
      await sandbox.hook(
        'claude-code',
        call('', { tool_name: 'Write', tool_input: { file_path: 'a.ts', content: '' } }),
      )
      await sandbox.hook('claude-code', call('ls'))
    })
    expect(stdout).toMatch(/^pass {2}write .*#4 /)
    expect(stdout).toContain('edits denies; the gate is in mode observe')
    expect(stdout).not.toContain('Reason')
  })

  it('says what the agent was told then, also where the words are others now', async () => {
    const { stdout } = await explained(['--last'], async sandbox => {
      await sandbox.hook('claude-code', call('git push --force'))
      const file = join(sandbox.project, 'signalbox.yaml')
      writeFileSync(file, POLICY.replace('Never by force.', 'Ask first.'))
    })
    expect(stdout).toContain('Reason  Never by force.')
  })

  it('a number is that record, in the states of its time', async () => {
    const after = { hook_event_name: 'PostToolUse', tool_response: { stdout: '', interrupted: false } }
    const session = async (sandbox: Sandbox) => {
      await sandbox.hook('claude-code', call('npm test', after))
      await sandbox.hook('claude-code', call('git commit -m x'))
    }
    const opened = await explained(['1'], session)
    expect(opened.stdout).toContain('transition-1 (closed → open) changes the state')
    expect(opened.stdout).toContain('got succeeded')
    expect(opened.stdout).toMatch(/tests-before-commit +opens +closed → open/)
    expect(opened.stdout).not.toMatch(/how a call ended is not recorded|no rule for this kind of event/)
    const passed = await explained(['2'], session)
    expect(passed.stdout).toMatch(/^pass {2}git commit -m x {2}#2/)
    expect(passed.stdout).toContain('NO  while closed                  got open')
  })

  it('says what the record does not keep: secrets, and what was cut', async () => {
    const secret = await explained(['--last'], sandbox =>
      sandbox.hook('claude-code', call('git commit -m "password=hunter2hunter2"')),
    )
    expect(secret.stdout).toContain('Note  secrets were redacted when it was recorded')
    expect(secret.stdout).not.toContain('hunter2')
    const long = await explained(['--last'], sandbox =>
      sandbox.hook('claude-code', call(`git commit -m ${'x'.repeat(500)}`)),
    )
    expect(long.stdout).toContain('Note  it was truncated when it was recorded, so the rest is unknown')
    expect(long.stdout).toContain('yes command `git commit`')
  })

  it('says that the policy has changed, and where today decides otherwise', async () => {
    const { stdout } = await explained(['--last'], async sandbox => {
      await refused(sandbox)
      writeFileSync(
        join(sandbox.project, 'signalbox.yaml'),
        POLICY.replace('command: git commit }', 'command: git rebase }').replace(
          / {8}examples: \{ stops: \[git commit.*\n/,
          '',
        ),
      )
    })
    expect(stdout).toContain('Note  another policy, or another copy of Signalbox, decided it')
    expect(stdout).toContain('Note  the recorded decision was deny; the decision from the recorded data is pass')
  })

  const OTHER = POLICY.replace('command: git commit }', 'command: git rebase }').replace(
    / {8}examples: \{ stops: \[git commit.*\n/,
    '',
  )
  it('a record is explained with the gates of the project it happened in, and --last is of this one', () =>
    withSandbox({ project: POLICY }, async sandbox => {
      const cwd = join(sandbox.folder, 'other')
      mkdirSync(join(cwd, '.git'), { recursive: true })
      writeFileSync(join(cwd, 'signalbox.yaml'), OTHER)
      await sandbox.hook('claude-code', call('git commit -m x'))
      const nothing = await sandbox.run(['explain', '--last'], { cwd })
      expect(nothing).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('nothing of this project is recorded'),
      })
      const there = await sandbox.run(['explain', '1'], { cwd })
      const [whose = '', ...rest] = there.stdout.split('\n').filter(line => line.startsWith('Note'))
      expect(whose).toBe(
        'Note  belongs to another project and is explained with the policy of that project: /home/dev/proj',
      )
      const here = await sandbox.run(['explain', '1'])
      expect([there.stdout.replace(`${whose}\n`, ''), rest]).toEqual([here.stdout, []])
      await sandbox.run(['hook', '--client', 'claude-code'], { cwd, input: call('git rebase x', { session_id: 't' }) })
      expect((await sandbox.run(['explain', '--last'], { cwd })).stdout).toMatch(/^DENY {2}git rebase x {2}#2/)
      expect((await sandbox.run(['explain', '--last'])).stdout).toMatch(/^DENY {2}git commit -m x {2}#1/)
      rmSync(cwd, { recursive: true })
      const gone = await sandbox.run(['explain', '2'])
      expect([gone.exitCode, gone.stderr]).toEqual([
        2,
        expect.stringMatching(/record 2 belongs to the project `.*other`, which does not exist/),
      ])
    }))

  it('a number that is not there', async () => {
    for (const number of ['4', '99', '99999'])
      expect((await explained([number], refused)).stderr).toContain(
        `there is no record ${number}: the log has records 1 to 3`,
      )
  })
})
