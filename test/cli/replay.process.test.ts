import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ReplayPolicyLoader, type ReplayVariant, replay } from '../../src/analysis/replay/index.ts'
import { cliDependencies } from '../../src/app/cli/project.ts'
import { foldersOf } from '../../src/hook/index.ts'
import { regex } from '../../src/hook/services/regex.ts'
import { type Stage, withStage } from '../support/in-process-command.ts'
import { withSandbox } from '../support/sandbox.ts'
import { recordOf } from '../support/store/records.ts'
import { put } from '../support/store/stats-book.ts'

const CAPTURES = resolve(import.meta.dirname, '../captures/transcripts')
/** Without the sessions whose end a hook refused: they have a test of their own. */
const SESSIONS = readdirSync(CAPTURES).filter(name => !name.startsWith('denied-stop-'))
const POLICY = `gates:
  tests-before-commit:
    mode: observe
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
      - { from: open, to: closed, when: { event: tool.before, action: [write, delete], caller: main } }
    rules:
      - { while: closed, when: { event: tool.before, command: git commit }, then: deny, message: Test first. }
  no-force:
    rules:
      - { id: forced, when: { event: tool.before, command: git push --force }, then: deny, message: Never by force. }
`

/** The recorded homes of several agents in one, as if they had worked in the project of the stage. */
function recorded(stage: Stage, folders = SESSIONS): void {
  for (const folder of folders) cpSync(join(CAPTURES, folder), stage.home, { recursive: true })
  for (const path of readdirSync(stage.home, { recursive: true, encoding: 'utf8' })) {
    const file = join(stage.home, path)
    if (!statSync(file).isFile()) continue
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('/home/dev/proj', stage.project))
  }
}

const replayed = (args: readonly string[], prepare: (stage: Stage) => void = recorded) =>
  withStage(async stage => {
    prepare(stage)
    stage.put('signalbox.yaml', POLICY)
    const exitCode = await stage.run(['replay', ...args], { env: { TZ: 'UTC' }, width: 200 })
    // the line of progress is written over, and gone at the end
    return { exitCode, said: stage.said.split('\r\u001b[K').at(-1) ?? '' }
  })

const ALL = ['claude-code-2.1.197', 'claude-code-2.1.325', 'codex-cli-0.166.0', 'gemini-cli-0.61.0']

describe('signalbox replay', () => {
  it('counts what this policy denies, and a hook denied then, as the same', async () => {
    const denied = SESSIONS.filter(name => name.startsWith('denied-'))
    const policy = POLICY.replace('mode: observe', 'mode: block')
    const told = await withStage(async stage => {
      recorded(stage, denied)
      stage.put('signalbox.yaml', policy)
      await stage.run(['replay', '--json'], { env: { TZ: 'UTC' } })
      return JSON.parse(stage.said.split('\r\u001b[K').at(-1) ?? '')
    })
    expect(told).toMatchObject({ sessions: 4, differ: 0, sessionsStopped: 0 })
  })

  it('shows one event as JSON', async () => {
    const id = /(\w{6}) {2}\d{4}-/.exec((await replayed([])).said)?.[1] ?? ''
    const { said, exitCode } = await replayed(['--diff', id, '--json'])
    expect({ exitCode, told: JSON.parse(said) }).toMatchObject({
      exitCode: 0,
      told: {
        id,
        before: 'pass',
        after: 'deny',
        explanation: { decision: 'deny' },
        counterfactuals: expect.any(Array),
      },
    })
  })

  it('says what the policy in force would have stopped, by gate and with samples', async () => {
    const { exitCode, said } = await replayed([])
    expect({ exitCode, said: said.replace(/ \d\d:\d\d /g, ' HH:MM ') }).toEqual({
      exitCode: 0,
      said: `126 events, 45 calls, 8 sessions (claude-code 4, gemini-cli 2, codex-cli 2), 2026-11-15 to 2026-11-15: 118 same, 4 differ, 4 follow from stopped calls
the current policy compared with what happened

     4 would DENY  no-force, forced  in 4 sessions
       inz91z  2026-11-15 HH:MM  claude-code main  git push --force origin main
       and 3 more

gate                    DENY      ASK     warn observed
no-force                   4        0        0        0
tests-before-commit        0        0        0        5

Worst  session 9fcf90a6-3a04-4477-8d77-509e5ef0fffc (claude-code): stopped once, first at minute 0
Note  after a denial the agent would have continued differently; its later calls are evaluated as recorded
Next  signalbox replay --diff inz91z
`,
    })
  })

  it('without the transcript of a subagent it says whose is missing, and is certain of nothing after it', async () => {
    const session = 'ffdeb6ba-a158-400b-b4b6-c7a88055b71f'
    const without = (stage: Stage) => {
      recorded(stage, ['claude-code-2.1.325'])
      const [folder = ''] = readdirSync(join(stage.home, '.claude/projects'))
      renameSync(join(stage.home, '.claude/projects', folder, session, 'subagents'), join(stage.home, 'elsewhere'))
    }
    const whole = await replayed([], stage => recorded(stage, ['claude-code-2.1.325']))
    expect(whole.said).not.toMatch(/Unknown|not certain/)
    const { said } = await replayed([], without)
    expect(said).toMatch(
      /^Unknown {2}\d+ events: what the agent helper did is unknown: agent-ac71151a9e4677e25.jsonl is missing$/m,
    )
    expect(said).toContain('1 would DENY  no-force, forced  in 1 session, not certain (see Unknown)\n')
    const { changes } = JSON.parse((await replayed(['--json'], without)).said)
    expect(changes).toMatchObject([{ rule: 'forced', events: 1, unsure: 1 }])
  })

  it('names every gate that would refuse: without one of them the call is still stopped', async () => {
    const second =
      '  no-push:\n    rules:\n      - { id: any, when: { command: git push }, then: deny, message: Not now. }\n'
    await withStage(async stage => {
      recorded(stage, ['claude-code-2.1.325'])
      stage.put('signalbox.yaml', POLICY + second)
      await stage.run(['replay'], { env: { TZ: 'UTC' }, width: 200 })
      expect(stage.said).toContain('1 would DENY  no-force, forced and no-push, any  in 1 session\n')
    })
  })

  it('what if a gate that observes blocked: the same question gets the same answer', async () => {
    const args = ['--gate', 'tests-before-commit', '--mode', 'block', '--json']
    const [first, again] = [await replayed(args), await replayed(args)]
    const { ms: _, ...told } = JSON.parse(first.said)
    const { ms: __, ...same } = JSON.parse(again.said)
    expect(same).toEqual(told)
    expect(told).toMatchObject({ source: 'transcripts', events: 126, differ: 5, sessionsStopped: 5 })
    expect(told.changes).toMatchObject([
      { name: 'tests-before-commit', before: 'pass', after: 'deny', events: 5, sessions: 5 },
    ])
    expect(told.changes[0].samples[0]).toEqual({
      id: expect.stringMatching(/^\w{6}$/),
      at: expect.any(Number),
      client: expect.stringMatching(/-/),
      session: expect.any(String),
      caller: expect.any(String),
      what: expect.stringContaining('git commit'),
      ids: expect.any(Array),
    })
    const ids = told.changes[0].samples.flatMap((one: { ids: readonly string[] }) => one.ids)
    expect([ids.length, new Set(ids).size]).toEqual([5, 5])
    const last = await replayed(['--gate', 'tests-before-commit', '--diff', ids.at(-1)])
    expect([last.exitCode, last.said.slice(0, 6)]).toEqual([0, ids.at(-1)])
  })

  it('a gate that is in that mode already: says so', async () => {
    const { exitCode, said } = await replayed(['--gate', 'no-force', '--mode', 'block'])
    expect([exitCode, said]).toEqual([
      0,
      expect.stringContaining('Note  gate no-force is in mode block already: nothing can differ\n'),
    ])
  })

  it('another policy against the one in force', async () => {
    const { said } = await replayed(['--policy', 'other.yaml'], stage => {
      recorded(stage, ALL)
      stage.put('other.yaml', 'gates:\n  none:\n    rules: [{ when: { command: rm }, then: deny, message: No. }]\n')
    })
    expect(said).toContain('other.yaml compared with the current policy')
    expect(said).toMatch(/\n {5}4 no longer DENY {2}no-force, forced {2}in 4 sessions\n/)
  })

  it('one event that differs, explained by both sides', async () => {
    const { said: all } = await replayed(['--gate', 'tests-before-commit'])
    const id = /--diff (\w+)/.exec(all)?.[1] ?? ''
    const { exitCode, said } = await replayed(['--gate', 'tests-before-commit', '--diff', id])
    expect(exitCode).toBe(0)
    expect(said).toMatch(/^DENY {2}git .*commit.* by project\/tests-before-commit, rule-1$/m)
    expect(said).toMatch(/^Current policy:\npass {2}git /m)
    expect(said).toMatch(/^Note {2}tests-before-commit is closed since /m)
    expect(said).toContain(
      'What if  `signalbox run -- npm test` that succeeds opens tests-before-commit: then this passes',
    )
  })

  it('says what closed the gate that refuses', async () => {
    const told = (lines: readonly (readonly [string, string, object])[]) => (stage: Stage) => {
      const at = (nth: number) => `2026-11-15T20:00:0${nth}Z`
      const base = { cwd: stage.project, sessionId: 'b' }
      const text = lines.flatMap(([id, name, input], nth) => [
        {
          ...base,
          timestamp: at(nth),
          type: 'assistant',
          message: { content: [{ type: 'tool_use', id, name, input }] },
        },
        {
          ...base,
          timestamp: at(nth),
          type: 'user',
          toolUseResult: { stdout: '', stderr: '', interrupted: false },
          message: { content: [{ type: 'tool_result', tool_use_id: id, content: '', is_error: false }] },
        },
      ])
      stage.put('~/.claude/projects/-x/b.jsonl', text.map(one => `${JSON.stringify(one)}\n`).join(''))
    }
    const past = told([
      ['a', 'Bash', { command: 'npm test' }],
      ['b', 'Write', { file_path: 'notes.md', content: '' }],
      ['c', 'Bash', { command: 'git commit -m x' }],
    ])
    const { said: all } = await replayed(['--gate', 'tests-before-commit'], past)
    const id = /--diff (\w+)/.exec(all)?.[1] ?? ''
    const { said } = await replayed(['--gate', 'tests-before-commit', '--diff', id], past)
    const note =
      /Note {2}tests-before-commit is closed since \d\d:\d\d:01 through transition `transition-2`: main, Write \S*notes\.md\n/g
    expect(said.match(note)).toHaveLength(2)
    const early = told([['c', 'Bash', { command: 'git commit -m x' }]])
    const { said: first } = await replayed(['--gate', 'tests-before-commit'], early)
    const diff = await replayed(
      ['--gate', 'tests-before-commit', '--diff', /--diff (\w+)/.exec(first)?.[1] ?? ''],
      early,
    )
    expect(diff.said).toContain(
      'Note  tests-before-commit is closed since the session started: no transition matched\n',
    )
  })

  it('fits a narrow window: no number of a row stands in another one', async () => {
    await withStage(async stage => {
      recorded(stage)
      stage.put('signalbox.yaml', POLICY)
      await stage.run(['replay'], { env: { TZ: 'UTC' }, width: 40 })
      const said = stage.said.split('\r\u001b[K').at(-1) ?? ''
      expect(said).toContain(`
gate           DENY  ASK  warn  observed
no-force          4    0     0         0
tests-before…     0    0     0         5
`)
    })
  })

  it('is not led astray by links: those in a circle, to nowhere, to what is found anyway', async () => {
    const { exitCode, said } = await replayed(['--json'], stage => {
      recorded(stage)
      const folder = join(stage.home, '.claude/projects')
      symlinkSync('loop.jsonl', join(folder, 'loop.jsonl'))
      symlinkSync('nowhere', join(folder, 'gone.jsonl'))
      symlinkSync('.', join(folder, 'self'))
      symlinkSync(join(stage.home, '.claude'), join(folder, 'up'))
    })
    expect(exitCode).toBe(0)
    expect(JSON.parse(said)).toMatchObject({ source: 'transcripts', events: 126, sessions: 8 })
  })

  it('finds transcripts in a folder that lies elsewhere', async () => {
    const { said } = await replayed(['--json'], stage => {
      recorded(stage)
      const elsewhere = join(stage.home, 'disk/projects')
      mkdirSync(join(stage.home, 'disk'))
      renameSync(join(stage.home, '.claude/projects'), elsewhere)
      mkdirSync(join(stage.home, '.claude/projects'))
      symlinkSync(elsewhere, join(stage.home, '.claude/projects/old'))
    })
    expect(JSON.parse(said)).toMatchObject({ events: 126 })
  })

  it('leaves no trace', async () => {
    await withStage(async stage => {
      recorded(stage)
      stage.put('signalbox.yaml', POLICY)
      const before = stage.everything()
      await stage.run(['replay', '--everywhere'])
      expect({ same: stage.everything(), state: stage.has('~/.local') }).toEqual({ same: before, state: false })
    })
  })

  it.each([
    [['--client', 'codex-cli'], '(codex-cli 2)'],
    [['--limit', '5'], 'Note  cut after 5 events (--limit)'],
    [['--since', '2026-11-15T21:24:00Z'], '4 sessions'],
  ])('%j', async (args, words) => {
    expect(await replayed(args)).toEqual({ exitCode: 0, said: expect.stringContaining(words) })
  })

  it('sessions of other projects count with --everywhere only', async () => {
    const elsewhere = (stage: Stage) => {
      for (const folder of ALL) cpSync(join(CAPTURES, folder), stage.home, { recursive: true })
    }
    expect(await replayed(['--source', 'transcripts'], elsewhere)).toEqual({
      exitCode: 2,
      said: `signalbox replay: nothing is recorded for this project (--everywhere: all projects); searched ~/.claude/projects, ~/.codex/sessions, ~/.gemini/tmp\n`,
    })
    expect((await replayed(['--everywhere'], elsewhere)).said).toMatch(/^\d+ events, 37 calls, 4 sessions/)
  })

  it('lines that cannot be read are counted and named, and the rest is played', async () => {
    const { exitCode, said } = await replayed([], stage => {
      recorded(stage, ALL)
      const file = stage.put('~/.claude/projects/-x/b.jsonl', '{"type":"user"\n\n[1]\n')
      const line = { type: 'user', timestamp: '2026-11-15T20:00:00Z', cwd: stage.project, sessionId: 'b' }
      writeFileSync(
        file,
        `${JSON.stringify({ ...line, message: { content: 'hello' } })}\n${readFileSync(file, 'utf8')}{"cut":`,
      )
    })
    expect(exitCode).toBe(0)
    expect(said).toContain(`Skipped  3 lines that cannot be parsed
       ~/.claude/projects/-x/b.jsonl:2: it is not a JSON object
       ~/.claude/projects/-x/b.jsonl:4: it is not a JSON object
       ~/.claude/projects/-x/b.jsonl:5: it is not a JSON object`)
    expect(said).toContain('5 sessions')
  })

  it('secrets of a transcript are not shown', async () => {
    const { said } = await replayed(['--json'], stage => {
      const base = { timestamp: '2026-11-15T20:00:00Z', cwd: stage.project, sessionId: 'b', type: 'assistant' }
      const command = 'TOKEN=ghp_0123456789abcdefghijklmnopqrstuvwxyz git push --force origin main'
      const content = [{ type: 'tool_use', id: 't', name: 'Bash', input: { command } }]
      stage.put('~/.claude/projects/-x/b.jsonl', `${JSON.stringify({ ...base, message: { content } })}\n`)
    })
    expect(said).toContain('git push --force origin main')
    expect(said).not.toContain('ghp_')
  })

  it.each([
    [['--gate', 'tests-before-comit'], 'unknown gate `tests-before-comit`; did you mean `tests-before-commit`?'],
    [['--gate', 'no-force', '--mode', 'loud'], 'unknown mode `loud`: observe, warn, block'],
    [['--mode', 'warn'], '`--mode` needs `--gate`'],
    [['--mode', 'block'], '`--mode` needs `--gate`'],
    [['--gate', 'a', '--policy', 'b'], 'use `--policy` or `--gate`, not both'],
    [['--policy', 'none.yaml'], 'there is no policy `/proj/none.yaml`'],
    [['--since', 'later'], '`--since later`: use 7d, 12h, a day like 2026-11-01, or a time like 2026-11-01T09:00'],
    [['--limit', '1.5'], '`--limit 1.5`: expected a number'],
    [['--source', 'dreams'], 'unknown source `dreams`: transcripts, audit-log'],
    [['--client', 'codex-cl'], 'unknown client `codex-cl`; did you mean `codex-cli`?'],
    [
      ['--client', 'opencode'],
      'transcripts of opencode are not supported (only claude-code, codex-cli, gemini-cli); its events are in the audit log: --source audit-log',
    ],
    [
      ['--source', 'audit-log'],
      'nothing is recorded for this project (--everywhere: all projects); searched ~/.local/state/signalbox',
    ],
    [['--since', '1h'], 'nothing in this project since 1h is in the transcripts'],
    [['--since', '1h', '--client', 'codex-cli', '--everywhere'], 'nothing of codex-cli since 1h is in the transcripts'],
    [['--diff', 'zzzzzz'], 'the decision of event `zzzzzz` does not change, or there is no such event'],
  ])('%j: one line', async (args, line) => {
    expect(await replayed(args)).toEqual({ exitCode: 2, said: `signalbox replay: ${line}\n` })
  })

  it('a policy that does not load is shown with its place', async () => {
    const { exitCode, said } = await replayed(['--policy', 'bad.yaml'], stage => {
      recorded(stage, ALL)
      stage.put('bad.yaml', 'gates: { x: { rules: [{ when: { comand: a }, then: deny, message: No. }] } }\n')
    })
    expect(exitCode).toBe(2)
    expect(said).toContain('bad.yaml:1:33 unknown key `comand` in gate `x`')
  })
})

describe('the audit trail', () => {
  const call = (name: string, command: string, more: object = {}) =>
    JSON.stringify({ hook_event_name: name, session_id: 's', tool_name: 'Bash', tool_input: { command }, ...more })

  it('is judged again as far as it tells, and stays as it is', async () => {
    await withSandbox({ project: POLICY }, async sandbox => {
      const payloads = [
        call('PreToolUse', 'npm run lint && git commit -m early', { tool_use_id: 'a' }),
        call('PostToolUse', 'npm test', { tool_use_id: 'b', tool_response: { stdout: 'ok' } }),
        call('PreToolUse', 'git commit -m tested', { tool_use_id: 'c' }),
        call('PreToolUse', 'curl -H "Authorization: Bearer abcdefghijklmnop1234" x.test', { tool_use_id: 'd' }),
        call('PreToolUse', 'git push --force', { tool_use_id: 'e' }),
      ]
      for (const payload of payloads) await sandbox.hook('claude-code', payload)
      expect(await sandbox.run(['replay', '--client', 'codex-cli'])).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: 'signalbox replay: nothing of codex-cli in this project is in the audit log\n',
      })
      const before = sandbox.records()
      const { exitCode, stdout } = await sandbox.run(['replay', '--gate', 'tests-before-commit', '--json'])
      const told = JSON.parse(stdout)
      expect({ exitCode, after: sandbox.records() }).toEqual({ exitCode: 0, after: before })
      expect(told).toMatchObject({ source: 'audit-log', events: 5, sessions: 1, differ: 1 })
      expect(told.changes[0].samples.map((one: { what: string }) => one.what)).toEqual([
        'npm run lint && git commit -m early',
      ])
      const { id } = told.changes[0].samples[0]
      const diff = await sandbox.run(['replay', '--gate', 'tests-before-commit', '--diff', id])
      expect(diff.stdout).toMatch(/\n(DENY|pass) {2}npm run lint && git commit -m early {2}tool\.before/)
      expect(told.unknownBecause).toMatchObject({
        'secrets were redacted when it was recorded, so their values are unknown': 1,
      })
      expect(told.gates).toContainEqual({
        gate: 'project/no-force',
        name: 'no-force',
        deny: 1,
        ask: 0,
        warn: 0,
        would: 0,
      })
    })
  })
})

it('where one past has nothing of what is asked for, the other is named', () =>
  withStage(async stage => {
    recorded(stage, ['claude-code-2.1.325'])
    stage.put('signalbox.yaml', POLICY)
    const state = join(stage.home, '.local/state/signalbox')
    mkdirSync(state, { recursive: true })
    const push = { client: 'claude-code', acts: ['run git push --force'], policy: 'p', session: 'here' }
    put(state, [recordOf({ ...push, root: stage.project, at: Date.now() })])
    const exitCode = await stage.run(['replay', '--since', '1h'], { width: 200 })
    expect([exitCode, stage.said.split('\r\u001b[K').at(-1)]).toEqual([
      2,
      'signalbox replay: nothing in this project since 1h is in the transcripts; the audit log has some: --source audit-log\n',
    ])
  }))

it('of the audit trail, the sessions of this project and no canary', () =>
  withStage(async stage => {
    stage.put('signalbox.yaml', POLICY)
    const state = join(stage.home, '.local/state/signalbox')
    mkdirSync(state, { recursive: true })
    const push = { client: 'claude-code', acts: ['run git push --force'], policy: 'p' }
    put(state, [
      recordOf({ ...push, session: 'here', root: stage.project }),
      recordOf({ ...push, session: 'part', root: join(stage.project, 'part') }),
      recordOf({ ...push, session: 'elsewhere', root: '/elsewhere' }),
      recordOf({ ...push, session: 'signalbox-canary-1', root: stage.project }),
    ])
    const asked = async (...args: readonly string[]) => {
      await stage.run(['replay', '--source', 'audit-log', '--json', ...args])
      return JSON.parse(stage.said).sessions
    }
    expect([await asked(), await asked('--everywhere')]).toEqual([2, 3])
  }))

it('one judgement for both sides, while a gate has not spoken, is the same as two', async () => {
  await withStage(async stage => {
    recorded(stage)
    stage.put('signalbox.yaml', POLICY)
    const folders = foldersOf({ HOME: stage.home })
    const tallies = (['observe', 'warn', 'block'] as const).flatMap(mode =>
      ['tests-before-commit', 'no-force'].map(gate => {
        const trial: ReplayVariant = { kind: 'mode', gate, mode }
        const setting = { parts: cliDependencies, folders, env: {}, trial, here: stage.project, only: stage.project }
        const short = new ReplayPolicyLoader(setting)
        const long = new (class extends ReplayPolicyLoader {
          override policiesFor(cwd?: string) {
            const bench = super.policiesFor(cwd)
            return bench && { root: bench.root, after: bench.after, ...(bench.before && { before: bench.before }) }
          }
        })(setting)
        return [short, long].map(benches => {
          const { tally } = replay({ policyLoader: benches, folders, env: {}, regex, progress: () => {} })
          const { events, same, differ, void: gone, changes, gates, worst } = tally
          return { events, same, differ, gone, changes: [...changes], gates: [...gates], worst }
        })
      }),
    )
    for (const [short, long] of tallies) expect(short).toEqual(long)
    expect(tallies.some(([short]) => (short?.differ ?? 0) > 0)).toBe(true)
  })
})
