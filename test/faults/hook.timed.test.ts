import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDriver, type SqlDriver } from '../../src/store/sqlite/driver.ts'
import { childCpuMs } from '../support/cpu-time.ts'
import { BIN, type Ran, type Sandbox, withSandbox } from '../support/sandbox.ts'
import { untilHandled } from '../support/signal-handling.ts'
import { verifyStore } from '../support/store/verify-store.ts'

const CLIENT = 'claude-code'
const gate = (onError: string) => `gates:
  g:
    initial: closed
    onError: ${onError}
    rules:
      - while: closed
        when: { event: tool.before, command: git push }
        then: deny
        message: Do not push.
`
const call = (command: string, more: object = {}): string =>
  JSON.stringify({
    session_id: 's',
    cwd: '/home/dev/proj',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    ...more,
  })
const PROMPT = JSON.stringify({ session_id: 's', hook_event_name: 'UserPromptSubmit', prompt: 'hi' })
const PUSH = call('git push')
const LS = call('ls')
const state = (sandbox: Sandbox, name = '') => join(sandbox.home, 'state', name)
const decision = ({ stdout }: Ran) =>
  stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput?.permissionDecision
function withDatabase<T>(sandbox: Sandbox, work: (database: SqlDriver) => T): T {
  const database = openDriver(state(sandbox, 'signalbox.db'))
  try {
    return work(database)
  } finally {
    database.close()
  }
}
const refused = { exitCode: 2, stdout: '', stderr: expect.stringContaining('the policy denies it: ') }

describe('a store that cannot be used', () => {
  const spoil = (sandbox: Sandbox) => writeFileSync(state(sandbox), 'not a folder')

  it('refuses the call where a gate says closed, from the very first one', () =>
    withSandbox({ project: gate('closed') }, async sandbox => {
      spoil(sandbox)
      expect(await sandbox.hook(CLIENT, LS)).toEqual(refused)
    }))

  it('lets it pass where none does, and tells the person', () =>
    withSandbox({ project: gate('open') }, async sandbox => {
      spoil(sandbox)
      const { exitCode, stdout } = await sandbox.hook(CLIENT, PUSH)
      expect(exitCode).toBe(0)
      expect(JSON.parse(stdout).systemMessage).toContain('allowed without a check')
    }))

  it('never erases a prompt', () =>
    withSandbox({ project: gate('closed') }, async sandbox => {
      spoil(sandbox)
      const { exitCode, stdout } = await sandbox.hook(CLIENT, PROMPT)
      expect(exitCode).toBe(0)
      expect(Object.keys(JSON.parse(stdout))).toEqual(['systemMessage'])
    }))

  it('reads the posture although the session cannot be', () =>
    withSandbox({ project: gate('closed') }, async sandbox => {
      mkdirSync(state(sandbox, 'signalbox.db'), { recursive: true })
      expect(await sandbox.hook(CLIENT, LS)).toEqual(refused)
    }))
})

describe('damaged state', () => {
  const damage = (sandbox: Sandbox, json: string) =>
    withDatabase(sandbox, database => database.prepare('UPDATE sessions SET json = ?').run(json))

  it.each(['{', '[]', '{"id":"s","gates":{"project/g":{"state":"ajar"}}}', ''])(
    'is set aside and begun anew: %j',
    text =>
      withSandbox({ project: gate('open') }, async sandbox => {
        await sandbox.hook(CLIENT, LS)
        damage(sandbox, text)
        const reply = await sandbox.hook(CLIENT, PUSH)
        expect(decision(reply)).toBe('deny')
        expect(JSON.parse(reply.stdout).systemMessage).toContain('stored state was damaged and has been reset')
        expect(
          withDatabase(sandbox, database => database.prepare('SELECT kind, json FROM damaged').all()),
        ).toMatchObject([{ kind: 'session', json: text }])
        expect(await sandbox.hook(CLIENT, LS)).toEqual({ exitCode: 0, stdout: '', stderr: '' })
      }),
  )

  it('a whole database of it is set aside too: said, recorded, and a gate that fails closed does not begin open', () =>
    withSandbox({ project: gate('closed').replace('initial: closed', 'initial: open') }, async sandbox => {
      expect(await sandbox.hook(CLIENT, PUSH)).toEqual({ exitCode: 0, stdout: '', stderr: '' })
      for (const part of ['-wal', '-shm']) rmSync(state(sandbox, `signalbox.db${part}`), { force: true })
      writeFileSync(state(sandbox, 'signalbox.db'), 'no database '.repeat(1000))
      const reply = await sandbox.hook(CLIENT, PUSH)
      expect(decision(reply)).toBe('deny')
      expect(JSON.parse(reply.stdout).systemMessage).toContain('the stored state was damaged and was moved to')
      expect(readdirSync(state(sandbox)).filter(name => name.includes('damaged'))).toHaveLength(1)
      expect(sandbox.records().map(({ name }) => name)).toEqual(['store.reset', 'PreToolUse'])
      const problem = 'records up to 1 were in an earlier database, as record 2 says'
      expect(sandbox.store(verifyStore)).toMatchObject({ from: 1, to: 3, problems: [{ seq: 1, problem }] })
    }))
})

describe('a program that is broken', () => {
  /** a copy of the command with another program behind it */
  const broken = async (sandbox: Sandbox, program: string | undefined, args: readonly string[], input: string) => {
    const bin = join(sandbox.folder, 'copy/bin/signalbox.cjs')
    cpSync(dirname(BIN), dirname(bin), { recursive: true })
    mkdirSync(join(sandbox.folder, 'copy/dist'))
    if (program !== undefined) writeFileSync(join(sandbox.folder, 'copy/dist/entry.cjs'), program)
    return sandbox.run(['hook', '--client', CLIENT, ...args], { input, bin })
  }
  const PROGRAMS = {
    missing: undefined,
    'not JavaScript': 'this is not it',
    throwing: 'exports.runHook = () => { throw new Error("boom") }',
    'throwing later': 'exports.runHook = () => new Promise(() => setTimeout(() => { throw new Error("boom") }, 1))',
    'ending itself with 1': 'exports.runHook = () => process.exit(1)',
    'never answering': 'exports.runHook = () => new Promise(() => setInterval(() => {}, 1000))',
  }

  it.each(Object.entries(PROGRAMS))('%s passes the call by default, and says so', (_, program) =>
    withSandbox({}, async sandbox => {
      const { exitCode, stdout, stderr } = await broken(sandbox, program, [], PUSH)
      expect(exitCode).toBe(0)
      expect(JSON.parse(stdout)).toEqual({
        systemMessage: expect.stringMatching(/^signalbox: allowed without a check: .+/),
      })
      expect(stderr).toMatch(/^signalbox: .+\n$/)
    }),
  )

  it.each(Object.entries(PROGRAMS))('%s refuses it with --on-error closed', (_, program) =>
    withSandbox({}, async sandbox => {
      expect(await broken(sandbox, program, ['--on-error', 'closed'], PUSH)).toEqual(refused)
    }),
  )

  it.each(Object.entries(PROGRAMS))('%s never refuses a prompt', (_, program) =>
    withSandbox({}, async sandbox => {
      expect((await broken(sandbox, program, ['--on-error', 'closed'], PROMPT)).exitCode).toBe(0)
    }),
  )

  it('one that says closed is enough: the project, or the command line', () =>
    withSandbox({ project: gate('open') }, async sandbox => {
      await sandbox.hook(CLIENT, LS)
      const here = PUSH.replaceAll('/home/dev/proj', sandbox.project)
      expect(await broken(sandbox, PROGRAMS.throwing, ['--on-error', 'closed'], here)).toEqual(refused)
      const { exitCode } = await sandbox.hook(CLIENT, 'no json', {
        args: ['--event', 'PreToolUse', '--on-error', 'closed'],
      })
      expect(exitCode).toBe(2)
    }))

  it('a project that says closed is heard before a command line that says open', () =>
    withSandbox({ project: gate('closed') }, async sandbox => {
      await sandbox.hook(CLIENT, LS)
      const env = { CLAUDE_PROJECT_DIR: sandbox.project }
      const { exitCode } = await sandbox.hook(CLIENT, 'no json', {
        args: ['--event', 'PreToolUse', '--on-error', 'open'],
        env,
      })
      expect(exitCode).toBe(2)
      expect(
        await broken(
          sandbox,
          PROGRAMS.throwing,
          ['--on-error', 'open'],
          PUSH.replaceAll('/home/dev/proj', sandbox.project),
        ),
      ).toEqual(refused)
    }))
})

describe('the last resort', () => {
  it.each([
    ['claude-code', 'CLAUDE_PROJECT_DIR', 'PreToolUse'],
    ['gemini-cli', 'GEMINI_PROJECT_DIR', 'BeforeTool'],
  ])('knows the project of %s by its own variable', (client, variable, event) =>
    withSandbox({ project: gate('closed') }, async sandbox => {
      await sandbox.hook(CLIENT, LS)
      const bin = join(sandbox.folder, 'copy/bin/signalbox.cjs')
      cpSync(dirname(BIN), dirname(bin), { recursive: true })
      const run = (env: Record<string, string>) =>
        sandbox.run(['hook', '--client', client, '--event', event], { input: '{', bin, cwd: sandbox.home, env })
      expect((await run({})).exitCode).toBe(0)
      expect((await run({ [variable]: sandbox.project })).exitCode).toBe(2)
      expect((await run({ [variable]: join(sandbox.project, 'deep/inside') })).exitCode).toBe(2)
    }),
  )
})

describe('a payload that never ends', () => {
  const unfinished = (args: readonly string[], signal?: NodeJS.Signals) =>
    withSandbox(
      {},
      sandbox =>
        new Promise<{ exitCode: number | null; ms: number }>(done => {
          const env = { PATH: process.env.PATH, HOME: sandbox.home, SIGNALBOX_HOME: sandbox.home }
          let began = performance.now()
          const child = spawn(process.execPath, [BIN, 'hook', '--client', CLIENT, ...args], { env })
          child.on('close', exitCode => done({ exitCode, ms: performance.now() - began }))
          child.stdin.on('error', () => {})
          child.stdin.write('{"hook_event_name":')
          if (!signal) return
          void untilHandled(child, signal).then(() => {
            began = performance.now()
            child.kill(signal)
          })
        }),
    )

  it.each([
    ['open', 0],
    ['closed', 2],
  ])('is answered in time: %s', async (onError, exitCode) => {
    const args = ['--event', 'PreToolUse', '--on-error', onError]
    const late = await unfinished(args)
    expect(late).toMatchObject({ exitCode })
    expect(late.ms).toBeLessThan(4000)
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const ended = await unfinished(args, signal)
      expect(ended).toMatchObject({ exitCode })
      // since the signal: sooner than by itself
      expect(ended.ms).toBeLessThan(1400)
    }
  })
})

describe('calls that never end', () => {
  const long = 'x'.repeat(20_000_000)
  it.each([
    ['a command', call(`git push ${long}`)],
    ['many commands', call('a;'.repeat(2_000_000))],
    ['a path', JSON.stringify({ ...JSON.parse(call('')), tool_name: 'Write', tool_input: { file_path: `/${long}` } })],
  ])('%s is judged in time, and what cannot be read is not harmless', (_, payload) =>
    withSandbox(
      { project: gate('closed').replace('then: deny', 'unsure: deny\n        then: deny') },
      async sandbox => {
        await sandbox.hook(CLIENT, LS)
        const began = childCpuMs()
        const reply = await sandbox.hook(CLIENT, payload)
        expect(childCpuMs() - began).toBeLessThan(4000)
        if (payload.includes('"command"')) expect(decision(reply)).toBe('deny')
      },
    ),
  )
})

describe('files that never end', () => {
  const mine = gate('closed')

  it.each([
    ['a device', 'ln -s /dev/zero signalbox.yaml'],
    ['a pipe', 'mkfifo signalbox.yaml'],
    [
      'a pipe as a template',
      "mkfifo t.md; printf 'gates: { p: { rules: [ { when: { tool: x }, then: deny, message: t.md } ] } }' > signalbox.yaml",
    ],
    ['what says it is a file, and waits', 'ln -s /proc/kmsg signalbox.yaml'],
    ['what says it is an empty file, and never ends', 'ln -s /proc/self/pagemap signalbox.yaml'],
    [
      'the same as a template',
      "ln -s /proc/self/pagemap t.md; printf 'gates: { p: { rules: [ { when: { tool: x }, then: deny, message: t.md } ] } }' > signalbox.yaml",
    ],
    ['a folder', 'mkdir signalbox.yaml'],
    ['a link to itself', 'ln -s signalbox.yaml signalbox.yaml'],
  ])('%s in the place of a policy holds nothing up, and the other layers count', (_, make) =>
    withSandbox({ user: mine }, async sandbox => {
      execFileSync('sh', ['-c', make], { cwd: sandbox.project })
      const began = childCpuMs()
      const { stdout } = await sandbox.hook(CLIENT, PUSH)
      // judged by the gate: who waits for such a file until the time is over gives the failure answer, which has other words
      expect(JSON.parse(stdout).hookSpecificOutput).toMatchObject({
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('Do not push.'),
      })
      expect(childCpuMs() - began).toBeLessThan(2000)
    }),
  )

  it('a place where nothing can be made is an error, not a loop', () =>
    withSandbox({ project: gate('closed') }, async sandbox => {
      expect(await sandbox.hook(CLIENT, LS, { env: { SIGNALBOX_HOME: '/proc/nope' } })).toEqual(refused)
    }))
})

describe('paths that never end', () => {
  it.each([4_000, 40_000, 400_000])('%i folders deep are no way past a rule', depth =>
    withSandbox({ project: gate('open') }, async sandbox => {
      expect(decision(await sandbox.hook(CLIENT, call(`cat ${'a/'.repeat(depth)}; git push`)))).toBe('deny')
    }),
  )
})

describe('compiled code that is kept', () => {
  it('is of bundles that any encoding reads alike', () => {
    const dist = join(dirname(BIN), '../dist')
    for (const name of readdirSync(dist).filter(one => one.endsWith('.cjs')))
      expect([name, readFileSync(join(dist, name)).findIndex(byte => byte > 127)]).toEqual([name, -1])
  })

  const spoiled: Record<string, (file: string) => void> = {
    'cut off': file => truncateSync(file, 20_000),
    'changed in the middle': file => {
      const bytes = readFileSync(file)
      bytes.fill(0xff, 5000, 5100)
      writeFileSync(file, bytes)
    },
    empty: file => writeFileSync(file, ''),
    'a folder': file => {
      rmSync(file)
      mkdirSync(file)
    },
  }

  it.each(Object.entries(spoiled))('and then %s changes no answer', (_, spoil) =>
    withSandbox({ project: gate('open') }, async sandbox => {
      expect(decision(await sandbox.hook(CLIENT, PUSH, { cold: true }))).toBe('deny')
      const names = readdirSync(state(sandbox, 'code'))
      expect(names.map(name => name.split('-')[0])).toEqual(expect.arrayContaining(['engine.cjs', 'shell.cjs']))
      for (const name of names) spoil(state(sandbox, `code/${name}`))
      const { exitCode, stderr, stdout } = await sandbox.hook(CLIENT, PUSH)
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('deny')
    }),
  )
})

describe('input that was cut off', () => {
  const CUT = '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_in'

  it('is refused where the command line says closed and the event can still be told', () =>
    withSandbox({}, async sandbox => {
      expect(await sandbox.hook(CLIENT, CUT, { args: ['--on-error', 'closed'] })).toEqual(refused)
      const prompt = CUT.replace('PreToolUse', 'UserPromptSubmit')
      expect((await sandbox.hook(CLIENT, prompt, { args: ['--on-error', 'closed'] })).exitCode).toBe(0)
    }))

  it('passes by default, and is refused where nothing tells that it was no call', () =>
    withSandbox({}, async sandbox => {
      expect((await sandbox.hook(CLIENT, CUT)).exitCode).toBe(0)
      for (const unread of ['no json', '', '{', '{}', '{"session_id":"s"}'])
        expect(await sandbox.hook(CLIENT, unread, { args: ['--on-error', 'closed'] })).toEqual(refused)
    }))
})

describe('input in the generic protocol that was cut off', () => {
  it.each([
    ['{"session_id":"q","event":"prompt.submit","prompt":"please do', 'approve'],
    ['{"prompt":"please do', 'approve'],
    ['{"session_id":"q","event":"turn.stop","stop_hook_active":fal', 'approve'],
    ['', 'block'],
    ['{"session_id":"q","tool_name":"Bash","tool_inp', 'block'],
    ['{"session_id":"q","tool_name":"Bash","tool_input":{"tool_result":1,"command":"git pu', 'block'],
  ])('%j is answered with %s where failures are refused', (cut, decision) =>
    withSandbox({}, async sandbox => {
      const { exitCode, stdout } = await sandbox.hook('generic', cut, { args: ['--on-error', 'closed'] })
      expect([exitCode, JSON.parse(stdout).decision]).toEqual([0, decision])
    }),
  )
})

describe('one call, one answer', () => {
  it('the same words in another folder are another call', () =>
    withSandbox(
      { project: 'gates: { g: { rules: [ { when: { path: secret/ }, then: deny, message: no } ] } }' },
      async sandbox => {
        mkdirSync(join(sandbox.project, 'secret'))
        const read = (cwd: string) =>
          JSON.stringify({
            session_id: 's',
            cwd,
            hook_event_name: 'PreToolUse',
            tool_name: 'Read',
            tool_use_id: 'call_0',
            tool_input: { file_path: 'a' },
          })
        expect(decision(await sandbox.hook(CLIENT, read('/home/dev/proj')))).toBeUndefined()
        expect(decision(await sandbox.hook(CLIENT, read('/home/dev/proj/secret')))).toBe('deny')
      },
    ))
})

describe('bad calls of the hook', () => {
  it.each([
    [[], '`--client` is missing; clients: claude-code'],
    [['--client', 'nobody'], 'unknown client `nobody`; clients: claude-code'],
    [['--client', 'Codex'], 'unknown client `Codex`: did you mean `codex-cli`?; clients:'],
    [['--client'], '`--client` needs a value'],
    [['--clinet', CLIENT], 'unknown option `--clinet`'],
    [[CLIENT, '--via', 'x'], `unexpected argument \`${CLIENT}\`: did you mean \`--client ${CLIENT}\`?`],
  ])(
    '%j is one line on stderr, and passes; with `--on-error closed` calls are refused, and nothing else',
    (args, line) =>
      withSandbox({ project: gate('open') }, async sandbox => {
        const { exitCode, stderr } = await sandbox.run(['hook', ...args], { input: PUSH })
        expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(line) })
        if (args.length === 1) return
        const closed = ['hook', ...args, '--on-error', 'closed']
        expect((await sandbox.run(closed, { input: PUSH })).exitCode).toBe(2)
        expect((await sandbox.run(closed, { input: PROMPT })).exitCode).toBe(0)
      }),
  )

  it('a word for `--on-error` that is neither refuses calls, with the reason', () =>
    withSandbox({ project: gate('open') }, async sandbox => {
      const args = ['hook', '--client', CLIENT, '--on-error', 'ajar']
      const { exitCode, stderr } = await sandbox.run(args, { input: PUSH })
      expect([exitCode, stderr]).toEqual([
        2,
        expect.stringContaining('so the policy denies it: `--on-error` is `open` or `closed`, not `ajar`'),
      ])
    }))

  it.each([
    [[], '`--client` is missing'],
    [['--client', 'nope'], 'unknown client `nope`'],
    [['--client', 'ghp_0123456789'], 'unknown client `…`'],
    [['--client', 'a`hunter`b'], 'unknown client `…`'],
    [[CLIENT], `unexpected argument \`${CLIENT}\`: did you mean \`--client ${CLIENT}\`?`],
  ])('%j is on record with its reason, and is nobody in statistics', (args, why) =>
    withSandbox({ project: gate('open') }, async sandbox => {
      await sandbox.run(['hook', ...args], { input: PUSH })
      await sandbox.hook(CLIENT, LS)
      const { stdout } = await sandbox.run(['log', '--json', '--decision', 'error'])
      const { client, errors } = JSON.parse(stdout)
      expect([client, errors]).toEqual(['unknown', [`the hook command is wrong: ${why}`]])
      const { stdout: figures } = await sandbox.run(['stats', '--prometheus'])
      expect(new Set(figures.match(/(?<=client=")[^"]*/g))).toEqual(new Set([CLIENT, 'unknown']))
    }),
  )
})

describe('a session', () => {
  it('keeps its project: `cd` cannot leave the policy', () =>
    withSandbox({ project: gate('open') }, async sandbox => {
      await sandbox.hook(CLIENT, LS)
      expect(decision(await sandbox.hook(CLIENT, call('git push', { cwd: '/tmp' })))).toBe('deny')
    }))

  it('of a hostile name stays in its folder', () =>
    withSandbox({ project: gate('open') }, async sandbox => {
      for (const session_id of ['../../../etc/passwd', 'a\0b', 'x'.repeat(100_000), '😀', '__proto__']) {
        expect(decision(await sandbox.hook(CLIENT, call('git push', { session_id })))).toBe('deny')
      }
      expect(readdirSync(state(sandbox)).filter(name => /passwd|proto|xxx/.test(name))).toEqual([])
      expect(new Set(sandbox.records().map(({ session }) => session)).size).toBe(5)
    }))

  it('loses nothing to sixteen hooks at once', () =>
    withSandbox({ project: gate('open') }, async sandbox => {
      const calls = Array.from({ length: 16 }, (_, nth) =>
        sandbox.hook(CLIENT, call('ls', { tool_use_id: `t${nth}` }), { cold: true }),
      )
      expect((await Promise.all(calls)).every(({ exitCode, stdout }) => exitCode === 0 && stdout === '')).toBe(true)
      const row = withDatabase(sandbox, database => database.prepare('SELECT json FROM sessions').get())
      expect(JSON.parse(String(row?.json)).gates['project/g'].operations).toBe(16)
      expect(sandbox.store(verifyStore)).toMatchObject({ ok: true, records: 16 })
    }))
})

describe('big input', () => {
  it('a megabyte of command and fifty of content answer in time', () =>
    withSandbox({ project: gate('open') }, async sandbox => {
      const long = await sandbox.hook(CLIENT, call(`echo ${'a '.repeat(500_000)}; git push`))
      expect(decision(long)).toBe('deny')
      const nested = await sandbox.hook(CLIENT, call(`${'$('.repeat(10_000)}git push${')'.repeat(10_000)}`))
      expect(nested.exitCode).toBe(0)
      const content = 'x'.repeat(50_000_000)
      const big = JSON.stringify({
        session_id: 's',
        hook_event_name: 'PreToolUse',
        tool_name: 'Write',
        tool_input: { file_path: 'a', content },
      })
      expect(await sandbox.hook(CLIENT, big)).toEqual({ exitCode: 0, stdout: '', stderr: '' })
    }))
})
