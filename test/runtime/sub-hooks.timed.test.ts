import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { main } from '../../src/app/cli/index.ts'
import { clientById } from '../../src/clients/index.ts'
import { DECISIONS, evaluate, newSession, strictestDecision, type Verdict } from '../../src/engine/index.ts'
import { regex } from '../../src/hook/services/regex.ts'
import { BIN, type Sandbox, withSandbox } from '../support/sandbox.ts'
import { isGone } from './process-gone.ts'

const CLIENT = 'claude-code'
const payload = (name: string, more: object = {}) =>
  JSON.stringify({ session_id: 's', cwd: '/home/dev/proj', hook_event_name: name, ...more })
const call = (command: string, more: object = {}) =>
  payload('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: 't1', ...more })

/** A shell line that prints a reply. */
const says = (reply: object) => `echo '${JSON.stringify(reply)}'`
const decides = (permissionDecision: string, permissionDecisionReason: string, more: object = {}) =>
  says({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason, ...more } })
const rewrites = (command: string, more: object = {}) =>
  says({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command }, ...more } })

type HookDoc = string | { run: string; [key: string]: unknown }
const policy = (hooks: readonly HookDoc[], more: object = {}) =>
  stringify({
    hooks: hooks.map(one => ({ event: 'tool.before', ...(typeof one === 'string' ? { run: one } : one) })),
    ...more,
  })
const gate = (command: string, decision: string, message: string) => ({
  rules: [{ when: { event: 'tool.before', command }, then: decision, message }],
})

async function ask(sandbox: Sandbox, text: string) {
  const start = performance.now()
  const { exitCode, stdout, stderr } = await sandbox.hook(CLIENT, text)
  const reply = stdout === '' ? {} : JSON.parse(stdout)
  return { exitCode, stderr, reply, inner: reply.hookSpecificOutput ?? {}, ms: performance.now() - start }
}
const once = <T>(hooks: readonly HookDoc[], work: (sandbox: Sandbox) => Promise<T>, more: object = {}) =>
  withSandbox({ user: policy(hooks, more) }, work)
/** Far above what a busy machine takes for everything else, so that each hook has its own time. */
const PATIENT = { settings: { budgetMs: 30_000 } }
const last = (sandbox: Sandbox) => sandbox.records().at(-1)

/** A person at a terminal says yes. */
const trust = async ({ home, project }: Sandbox) => {
  const quiet = { out: () => {}, err: () => {}, width: 80, isPerson: true, ask: async () => 'y' }
  expect(await main(['trust'], { ...quiet, env: { HOME: home, SIGNALBOX_HOME: home }, cwd: project })).toBe(0)
}

describe('which sub-hooks run', () => {
  const mark = (name: string) => `echo x >> ${name}`
  it('those whose event and tool match, once each', () =>
    once(
      [
        mark('all'),
        { run: mark('bash'), tool: 'Bash' },
        { run: mark('edit'), tool: ['Edit', 'Write'] },
        { run: mark('after'), event: 'tool.after' },
        { run: mark('stop'), event: 'turn.stop' },
      ],
      async sandbox => {
        const ran = () =>
          ['all', 'bash', 'edit', 'after', 'stop'].filter(name => existsSync(join(sandbox.project, name)))
        await ask(sandbox, call('ls'))
        expect(ran()).toEqual(['all', 'bash'])
        await ask(sandbox, payload('PostToolUseFailure', { tool_name: 'Bash', tool_input: { command: 'ls' } }))
        expect(ran()).toEqual(['all', 'bash', 'after'])
        await ask(sandbox, payload('Stop'))
        expect(ran()).toEqual(['all', 'bash', 'after', 'stop'])
        expect(readFileSync(join(sandbox.project, 'all'), 'utf8')).toBe('x\n')
      },
    ))

  it("those that are this client's, by its own names of events and tools, to the letter", () =>
    once(
      [
        { run: mark('other'), client: 'gemini-cli' },
        { run: mark('mine'), client: ['gemini-cli', CLIENT] },
        { run: mark('failed'), event: 'tool.after', called: 'PostToolUseFailure' },
        { run: mark('done'), event: 'tool.after', called: ['PostToolUse'] },
        { run: mark('name'), matcher: ['Edit', 'Bash'] },
        { run: mark('case'), matcher: 'bash' },
        { run: mark('like'), matcher: { regex: '^Ba' } },
        { run: mark('unlike'), matcher: [{ regex: '^ba' }, { regex: 'Bash.' }] },
        { run: mark('no-tool'), event: 'turn.stop', matcher: { regex: '' } },
      ],
      async sandbox => {
        const ran = () =>
          ['other', 'mine', 'failed', 'done', 'name', 'case', 'like', 'unlike', 'no-tool'].filter(name =>
            existsSync(join(sandbox.project, name)),
          )
        await ask(sandbox, call('ls'))
        expect(ran()).toEqual(['mine', 'name', 'like'])
        await ask(sandbox, payload('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } }))
        await ask(sandbox, payload('Stop'))
        expect(ran()).toEqual(['mine', 'done', 'name', 'like'])
      },
    ))

  it('a matcher that is no regex is a problem of the policy', () =>
    withSandbox({ project: policy([{ run: 'x', matcher: { regex: '(' } }]) }, async sandbox => {
      const { exitCode, stdout } = await sandbox.run(['check'])
      expect(exitCode).toBe(1)
      expect(stdout).toMatch(/signalbox\.yaml:\d+:\d+ `\(` is not a regex/)
    }))

  it('never those of a project nobody has trusted', () =>
    withSandbox({ project: policy([mark('all')]) }, async sandbox => {
      expect(await ask(sandbox, call('ls'))).toMatchObject({ reply: {} })
      expect(existsSync(join(sandbox.project, 'all'))).toBe(false)
    }))

  it('the trusted file, not one of the same name where the agent is', () =>
    withSandbox({ project: policy(['./hooks/check.sh', 'sh hooks/check.sh']) }, async sandbox => {
      const write = (folder: string, word: string) => {
        mkdirSync(join(folder, 'hooks'), { recursive: true })
        writeFileSync(join(folder, 'hooks/check.sh'), `#!/bin/sh\n${says({ systemMessage: word })}\n`, { mode: 0o755 })
      }
      write(sandbox.project, 'trusted')
      write(join(sandbox.project, 'sub'), 'not trusted')
      await trust(sandbox)
      const args = ['hook', '--client', CLIENT]
      const input = call('ls').replaceAll('/home/dev/proj', sandbox.project)
      const { stdout } = await sandbox.run(args, { input, cwd: join(sandbox.project, 'sub') })
      expect(JSON.parse(stdout)).toEqual({ systemMessage: 'trusted' })
    }))
})

describe('what a sub-hook is given', () => {
  it("the payload to the byte, the caller's environment and folder", () =>
    once(['cat > payload; printf "%s" "$MINE" > env; pwd > cwd'], async sandbox => {
      const text = `  ${call('printf "é\\t😀"')}\n`
      await sandbox.hook(CLIENT, text, { env: { MINE: 'a  b' } })
      const read = (name: string) => readFileSync(join(sandbox.project, name), 'utf8')
      expect(read('payload')).toBe(text.replaceAll('/home/dev/proj', sandbox.project))
      expect([read('env'), read('cwd')]).toEqual(['a  b', `${sandbox.project}\n`])
    }))

  it('bytes that are no text come as they are', () =>
    once(['cat > payload'], async sandbox => {
      const [head = '', tail = ''] = call('echo @@').replaceAll('/home/dev/proj', sandbox.project).split('@@')
      const bytes = Buffer.concat([
        Buffer.from(head),
        Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
        Buffer.from(tail),
      ])
      const { exitCode, stderr } = await sandbox.run(['hook', '--client', CLIENT], { input: bytes })
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      expect(readFileSync(join(sandbox.project, 'payload')).equals(bytes)).toBe(true)
    }))

  it('one variable that the caller does not have, and none less', () =>
    once(['env -0 > env'], async sandbox => {
      const given = { PATH: process.env.PATH ?? '', HOME: sandbox.home, SIGNALBOX_HOME: sandbox.home, NO_COLOR: '1' }
      const odd = { EMPTY: '', TWO_LINES: 'a\nb', SIGNALBOX_DEPTH: '7' }
      await sandbox.hook(CLIENT, call('ls'), { env: odd })
      const lines = readFileSync(join(sandbox.project, 'env'), 'utf8').split('\0').filter(Boolean)
      const env = Object.fromEntries(
        lines.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      )
      // the shell sets these itself
      const { PWD: _, OLDPWD: __, SHLVL: ___, _: ____, ...rest } = env
      expect(rest).toEqual({ ...given, ...odd, SIGNALBOX_INSIDE: expect.stringMatching(/^[\w.-]+$/) })
    }))
})

describe('time', () => {
  it('they run at once, beyond the two seconds of the hook itself', () =>
    once(Array(4).fill({ run: 'sleep 2.3; echo hi', timeoutMs: 6000 }), async sandbox => {
      const { ms, reply, stderr } = await ask(sandbox, call('ls'))
      expect({ reply, stderr }).toEqual({ reply: {}, stderr: '' })
      expect(ms).toBeGreaterThan(2300)
      expect(ms).toBeLessThan(8000)
    }))

  it('twenty at once are twenty answers', () => {
    const hooks = Array.from({ length: 20 }, (_, nth) => `sleep 1; ${says({ systemMessage: `m${nth}` })}`)
    return once(hooks, async sandbox => {
      const { ms, reply } = await ask(sandbox, call('ls'))
      expect(reply).toEqual({ systemMessage: hooks.map((_, nth) => `m${nth}`).join('\n') })
      expect(ms).toBeLessThan(6000)
    })
  })

  it('one that takes exactly its time is answered for, one way or the other', () =>
    once(
      [
        { run: 'sleep 1', timeoutMs: 1000 },
        { run: 'sleep 1', timeoutMs: 1000, onError: 'closed' },
      ],
      async sandbox => {
        const { ms, reply, stderr } = await ask(sandbox, call('ls'))
        expect(stderr).toBe('')
        expect(JSON.stringify(reply)).toMatch(
          /^\{\}$|did not answer within (1000 ms|the \d+ ms that were left of its 1000 ms)|no time was left/,
        )
        expect(ms).toBeLessThan(3000)
      },
      { settings: { budgetMs: 1000 } },
    ))

  it('each ends at its own, the others still count', () =>
    once(
      [
        { run: 'sleep 30', timeoutMs: 300 },
        { run: decides('deny', 'no'), timeoutMs: 15_000 },
      ],
      async sandbox => {
        const { ms, inner, reply } = await ask(sandbox, call('ls'))
        expect(inner.permissionDecisionReason).toBe('no')
        expect(reply.systemMessage).toBe('signalbox: hook:user/1 `sleep 30` did not answer within 300 ms')
        // far less than it would take
        expect(ms).toBeLessThan(15_000)
      },
      PATIENT,
    ))

  it('whoever ends the hook ends its sub-hooks too', () =>
    once([{ run: 'sleep 30 & echo $! $$ > pids; wait', timeoutMs: 20_000 }], async sandbox => {
      const started = sandbox.run(['hook', '--client', CLIENT], {
        input: call('ls').replaceAll('/home/dev/proj', sandbox.project),
        timeoutMs: 2500,
      })
      const { exitCode, stderr } = await started
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'signalbox: SIGTERM\n' })
      const pids = readFileSync(join(sandbox.project, 'pids'), 'utf8').trim().split(' ').map(Number)
      await expect.poll(() => pids.map(isGone)).toEqual([true, true])
    }))
})

describe('a sub-hook that runs the hook it belongs to', () => {
  // the same event inside itself runs nothing: see once.test.ts
  it('does not go on for ever, each time with an event of its own', () =>
    withSandbox({}, async sandbox => {
      const run = `echo x >> levels; "${process.execPath}" "${BIN}" hook --client ${CLIENT}`
      writeFileSync(join(sandbox.home, 'signalbox.yaml'), policy([{ run, timeoutMs: 20_000 }]))
      const { reply, exitCode } = await ask(sandbox, call('ls', { tool_use_id: undefined }))
      expect([exitCode, reply.systemMessage]).toEqual([0, expect.stringContaining('it calls itself, 3 levels deep')])
      expect(readFileSync(join(sandbox.project, 'levels'), 'utf8')).toBe('x\nx\nx\n')
    }))
})

describe('one merged answer', () => {
  it('by the table: strictest decision, block reasons first, texts in order and once', () =>
    once(
      [
        says({ systemMessage: 'm1', hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'c1' } }),
        `sleep 0.2; ${decides('ask', 'sure?', { additionalContext: 'c2' })}`,
        'echo no >&2; exit 2',
        says({ systemMessage: 'm1', continue: true, suppressOutput: true }),
        says({ systemMessage: 'm2', hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'c1' } }),
        decides('allow', 'fine'),
      ],
      async sandbox => {
        const { reply, exitCode } = await ask(sandbox, call('git push'))
        expect({ exitCode, reply }).toEqual({
          exitCode: 0,
          reply: {
            suppressOutput: true,
            systemMessage: 'm1\nm2',
            hookSpecificOutput: {
              hookEventName: 'PreToolUse',
              permissionDecision: 'deny',
              permissionDecisionReason: 'gate\n\nno\n\nsure?',
              additionalContext: 'c1\n\n---\n\nc2',
            },
          },
        })
        expect(last(sandbox)).toMatchObject({ decision: 'deny', gate: 'user/g', errors: [] })
      },
      { gates: { g: gate('git push', 'deny', 'gate') } },
    ))

  it('`continue: false` of one is the whole, and its reason is told', () =>
    once([says({ continue: false, stopReason: 'enough' }), says({ continue: true })], async sandbox => {
      expect((await ask(sandbox, call('ls'))).reply).toEqual({ continue: false, systemMessage: 'enough' })
    }))

  it("an allow counts: it is the person's own; a gate beats it", () =>
    once(
      [decides('allow', 'fine')],
      async sandbox => {
        expect((await ask(sandbox, call('ls'))).inner).toMatchObject({ permissionDecision: 'allow' })
        expect((await ask(sandbox, call('git push'))).inner).toMatchObject({ permissionDecision: 'ask' })
      },
      { gates: { g: gate('git push', 'ask', 'sure?') } },
    ))

  it('layers come strongest first, whoever is faster', () =>
    withSandbox(
      {
        user: policy([`sleep 0.2; ${says({ systemMessage: 'user' })}`]),
        project: policy([says({ systemMessage: 'project' })]),
      },
      async sandbox => {
        await trust(sandbox)
        expect((await ask(sandbox, call('ls'))).reply).toEqual({ systemMessage: 'user\nproject' })
      },
    ))

  it('the record names the hook that decided', () =>
    once(['true', decides('deny', 'no'), decides('ask', 'sure?')], async sandbox => {
      await ask(sandbox, call('ls'))
      const match = { rule: 'reply', mode: 'block' }
      expect(last(sandbox)).toMatchObject({
        decision: 'deny',
        gate: 'hook:user/2',
        rule: 'reply',
        matches: [
          { ...match, gate: 'hook:user/2', decision: 'deny', effect: 'deny' },
          { ...match, gate: 'hook:user/3', decision: 'ask', effect: 'ask' },
        ],
        errors: [],
      })
    }))

  it('does not depend on the order of replies, for the decision', () => {
    const verdict = fc
      .record({
        decision: fc.constantFrom(...DECISIONS),
        reason: fc.string(),
        message: fc.string(),
        more: fc.boolean(),
      })
      .map(
        ({ decision, reason, message, more }): Verdict =>
          decision === 'pass' ? { decision, message, continue: more } : { decision, reason, message, continue: more },
      )
    const capabilities = clientById(CLIENT)?.capabilities ?? {
      events: {},
      shortens: true,
      callers: 'none',
      reportsExit: true,
      reportsEnd: true,
    }
    const program = { hash: '', gates: [], allow: [], notices: [] }
    const judged = (verdicts: readonly Verdict[]) => {
      const event = {
        kind: 'tool.before',
        client: CLIENT,
        name: 'PreToolUse',
        session: 's',
        caller: { kind: 'main' },
      } as const
      const replies = verdicts.map((one, nth) => ({ from: `hook:user/${nth}`, verdict: one }))
      const facts = { now: 0, env: {}, root: '/p', replies }
      return evaluate({ event, session: newSession('s', '/p', 0), program, facts, capabilities }, { regex }).outcome
    }
    fc.assert(
      fc.property(fc.array(verdict), verdicts => {
        const { decision, ...rest } = judged(verdicts)
        const back = judged([...verdicts].reverse())
        expect(decision).toBe(verdicts.map(one => one.decision).reduce(strictestDecision, 'pass'))
        expect([back.decision, back.continue]).toEqual([decision, rest.continue])
        expect(judged([...verdicts, ...verdicts])).toEqual({ decision, ...rest })
      }),
    )
  })
})

describe('a sub-hook that fails', () => {
  const FAILURES: readonly [string, string][] = [
    ['exit 1', 'exited with 1'],
    ['kill -9 $$', 'was stopped by SIGKILL'],
    ['echo "{\\"decision"', 'gave a reply that is not JSON'],
    ['no-such-command', 'exited with 127'],
    ['head -c 3000000 /dev/zero | tr "\\0" "{"', 'gave a reply that is not JSON'],
  ]
  it.each(FAILURES)('%s is reported, and lets the call pass', (run, why) =>
    once([run, says({ systemMessage: 'other' })], async sandbox => {
      const { reply, exitCode } = await ask(sandbox, call('ls'))
      expect(exitCode).toBe(0)
      const [line, other] = reply.systemMessage.split('\n')
      expect([line.startsWith(`signalbox: hook:user/1 \`${run}\` ${why}`), other]).toEqual([true, 'other'])
      expect(Object.keys(reply)).toEqual(['systemMessage'])
      expect(last(sandbox)?.errors).toEqual([expect.stringContaining(why)])
      // the person has heard of it; the record goes on
      expect((await ask(sandbox, call('pwd', { tool_use_id: 't2' }))).reply).toEqual({ systemMessage: 'other' })
      expect(last(sandbox)?.errors).toEqual([expect.stringContaining(why)])
    }),
  )

  it('one that fails refuses a request for permission too', () =>
    once([{ run: 'exit 1', event: 'permission.request', onError: 'closed' }], async sandbox => {
      const asked = payload('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } })
      expect((await ask(sandbox, asked)).inner.decision).toMatchObject({ behavior: 'deny' })
    }))

  it.each(FAILURES)('%s refuses with `onError: closed`', (run, why) =>
    once([{ run, onError: 'closed' }], async sandbox => {
      const { inner } = await ask(sandbox, call('ls'))
      expect(inner).toMatchObject({
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining(why),
      })
      expect(last(sandbox)).toMatchObject({ gate: 'hook:user/1', rule: 'problem' })
    }),
  )

  it.each(['UserPromptSubmit', 'Stop', 'SubagentStop', 'SessionStart', 'PostToolUse', 'PreCompact'])(
    'at %s only words come of it, even with `onError: closed`',
    name =>
      once(
        [
          {
            run: 'echo boom >&2; exit 1',
            event: ['prompt.submit', 'turn.stop', 'agent.stop', 'session.start', 'tool.after', 'compact.before'],
            onError: 'closed',
          },
        ],
        async sandbox => {
          const { reply, exitCode } = await ask(
            sandbox,
            payload(name, { prompt: 'hi', tool_name: 'Bash', tool_input: {} }),
          )
          expect(exitCode).toBe(0)
          expect(reply).toEqual({ systemMessage: expect.stringContaining('exited with 1: boom') })
        },
      ),
  )

  it('exit 2 refuses without a word, and after more than anybody wants to read', () =>
    Promise.all([
      once(['exit 2'], async sandbox => {
        const { inner } = await ask(sandbox, call('ls'))
        expect(inner).toMatchObject({
          permissionDecision: 'deny',
          permissionDecisionReason: 'Denied by a hook that gives no reason.',
        })
      }),
      once(['head -c 3000000 /dev/zero; echo no >&2; exit 2'], async sandbox => {
        expect((await ask(sandbox, call('ls'))).inner).toMatchObject({ permissionDecisionReason: 'no' })
      }),
    ]))

  it('where there is no shell none runs, and that is said', () =>
    once(['true'], async sandbox => {
      const { exitCode, stdout } = await sandbox.hook(CLIENT, call('ls'), { env: { PATH: '/nowhere' } })
      expect(exitCode).toBe(0)
      expect(JSON.parse(stdout).systemMessage).toContain('could not be started: spawn sh ENOENT')
    }))

  it('more than a megabyte is no reply, and is said to be that', () =>
    Promise.all(
      ['head -c 1100000 /dev/zero | tr "\\0" " "; ', 'head -c 1100000 /dev/zero | tr "\\0" x; '].map(noise =>
        once([noise + decides('deny', 'never heard')], async sandbox => {
          expect((await ask(sandbox, call('ls'))).reply.systemMessage).toContain('printed more than 1 MB')
        }),
      ),
    ))

  it('one that closes its input at once, whatever there is to read, still answers', () =>
    once([`exec 0<&-; ${decides('deny', 'no')}`, decides('ask', 'sure?')], async sandbox => {
      const { inner } = await ask(sandbox, call('ls', { padding: 'x'.repeat(3_000_000) }))
      expect(inner.permissionDecisionReason).toBe('no\n\nsure?')
    }))

  it('its explicit answer holds a stop and refuses a prompt', () =>
    once([{ run: 'echo go on >&2; exit 2', event: ['turn.stop', 'prompt.submit'] }], async sandbox => {
      const block = { decision: 'block', reason: 'go on' }
      expect((await ask(sandbox, payload('Stop'))).reply).toEqual(block)
      expect((await ask(sandbox, payload('UserPromptSubmit', { prompt: 'hi' }))).reply).toEqual(block)
      expect((await ask(sandbox, payload('Stop', { stop_hook_active: true }))).reply.decision).toBeUndefined()
    }))
})

describe('a sub-hook that refuses again and again (R3.11)', () => {
  const LONG = 'echo "No."; echo "Because of this."; echo "Do that instead."'
  const refuses = (words: string) => `(${words}) >&2; exit 2`
  const reasons = async (sandbox: Sandbox, commands: readonly string[], more: object = {}) => {
    const replies = []
    for (const [nth, command] of commands.entries())
      replies.push((await ask(sandbox, call(command, { tool_use_id: `t${nth}`, ...more }))).reply)
    return replies.map(reply => [reply.hookSpecificOutput?.permissionDecisionReason, reply.systemMessage])
  }
  const WHOLE = 'No.\nBecause of this.\nDo that instead.'
  const AGAIN = 'Denied before: rewording will not help.'
  const STUCK =
    'Denied 5 times in two minutes: stop trying. Tell the user you are stuck at the hook hook:user/1, and do other work.'
  const PERSON =
    'signalbox: main is stuck at the hook hook:user/1: 5 denials in two minutes. Removing it from `hooks` switches it off.'

  it('is heard in full once, then in short, and the fifth time the person hears of it', () =>
    once([refuses(LONG)], async sandbox => {
      expect(await reasons(sandbox, ['a', 'b', 'c', 'd', 'e'])).toEqual([
        [WHOLE, undefined],
        [`No.\n${AGAIN}`, undefined],
        [`No.\n${AGAIN}`, undefined],
        [`No.\n${AGAIN}`, undefined],
        [`No.\n${STUCK}`, PERSON],
      ])
    }))

  it('keeps every word that the agent has not heard, and is counted whatever it says', () =>
    once([refuses('echo "No."; grep -o "\\"command\\":\\"[a-z]*"')], async sandbox => {
      const told = (await reasons(sandbox, ['a', 'b', 'a', 'c', 'd'])).map(([reason]) => reason)
      const no = (command: string) => `No.\n"command":"${command}`
      expect(told).toEqual([no('a'), no('b'), `No.\n${AGAIN}`, no('c'), `${no('d')}\n${STUCK}`])
    }))

  it('is counted for each caller and each hook alone', () =>
    once(
      [
        { run: refuses('echo one; echo more'), tool: 'Bash' },
        { run: refuses('echo two; echo more'), tool: 'Bash' },
      ],
      async sandbox => {
        expect(await reasons(sandbox, ['a'])).toEqual([['one\nmore\n\ntwo\nmore', undefined]])
        const agent = { agent_id: 'x', agent_type: 'builder', tool_use_id: 'y' }
        expect(await reasons(sandbox, ['a'], agent)).toEqual([['one\nmore\n\ntwo\nmore', undefined]])
        expect(await reasons(sandbox, ['a'], { ...agent, tool_use_id: 'z' })).toEqual([
          [`one\n\ntwo\n${AGAIN}`, undefined],
        ])
      },
    ))

  it('says what else it has to say all the same', () =>
    once([decides('deny', 'No.', { additionalContext: 'c' }).replace('{', '{"systemMessage":"m",')], async sandbox => {
      const replies = await reasons(sandbox, ['a', 'b', 'c', 'd', 'e'])
      expect(replies.map(([, message]) => message)).toEqual(['m', 'm', 'm', 'm', `m\n${PERSON}`])
    }))

  it('does so in full to those who want that', () =>
    withSandbox({ user: policy([refuses(LONG)]) }, async sandbox => {
      const told = []
      for (let nth = 0; nth < 5; nth++) {
        const { stdout } = await sandbox.hook(
          'generic',
          JSON.stringify({ tool_name: 'Bash', tool_input: { command: 'a' } }),
        )
        told.push(JSON.parse(stdout))
      }
      expect(told.map(({ reason }) => reason)).toEqual(Array(5).fill(WHOLE))
      expect(told[4].warning).toBe(PERSON)
    }))
})

describe('a sub-hook that rewrites the call', () => {
  it('is passed on without a decision when the new input passes', () =>
    once([rewrites('ls -la')], async sandbox => {
      expect((await ask(sandbox, call('ls'))).reply).toEqual({
        hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'ls -la' } },
      })
      expect(last(sandbox)).toMatchObject({ acts: ['run ls -la'], notes: ['rewritten by hook:user/1'] })
    }))

  it('the new input is what is judged: refused, asked about, or saved by it', () => {
    const gates = { g: gate('git push', 'deny', 'no pushing'), h: gate('git tag', 'ask', 'tag?') }
    const judged = (from: string, to: string) =>
      once([rewrites(to)], async sandbox => (await ask(sandbox, call(from))).inner, { gates })
    return Promise.all([
      expect(judged('ls', 'git push')).resolves.toEqual({
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'no pushing',
      }),
      expect(judged('ls', 'git tag v1')).resolves.toMatchObject({
        permissionDecision: 'ask',
        updatedInput: { command: 'git tag v1' },
      }),
      expect(judged('git push', 'git status')).resolves.toEqual({
        hookEventName: 'PreToolUse',
        updatedInput: { command: 'git status' },
      }),
    ])
  })

  it('an allow goes with it', () =>
    once([rewrites('ls -la', { permissionDecision: 'allow' })], async sandbox => {
      expect((await ask(sandbox, call('ls'))).inner).toMatchObject({
        permissionDecision: 'allow',
        updatedInput: { command: 'ls -la' },
      })
    }))

  it('equal rewrites are one; one that changes nothing is none', () =>
    once([rewrites('ls -la'), rewrites('ls'), rewrites('ls -la')], async sandbox => {
      expect((await ask(sandbox, call('ls'))).inner).toEqual({
        hookEventName: 'PreToolUse',
        updatedInput: { command: 'ls -la' },
      })
    }))

  it('different ones are not applied, and reported', () =>
    once([rewrites('ls -la'), rewrites('ls -lh')], async sandbox => {
      const problem = 'hook:user/1, hook:user/2 rewrite the same call differently: no rewrite is applied'
      expect((await ask(sandbox, call('ls'))).reply).toEqual({ systemMessage: `signalbox: ${problem}` })
      expect(last(sandbox)).toMatchObject({ acts: ['run ls'], errors: [problem], notes: [] })
    }))

  describe('at a permission request, which carries one only with an allow', () => {
    const allow = { behavior: 'allow', updatedInput: { command: 'git tag v1' } }
    const hook = {
      event: 'permission.request',
      run: says({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: allow } }),
    }
    const request = (command: string) => payload('PermissionRequest', { tool_name: 'Bash', tool_input: { command } })
    const rule = (command: string, decision: string) => ({
      rules: [{ when: { event: 'permission.request', command }, then: decision, message: 'because' }],
    })
    const problem = 'the rewrite of hook:user/1 is not applied: the agent does not accept one at this event'

    it('is passed on with it', () =>
      once([hook], async sandbox => {
        expect((await ask(sandbox, request('pwd'))).inner.decision).toEqual(allow)
      }))

    it('is not applied without: what was sent is judged, and not allowed by what was not asked', () =>
      once(
        [hook],
        async sandbox => {
          expect((await ask(sandbox, request('pwd'))).reply).toEqual({ systemMessage: `signalbox: ${problem}` })
          expect(last(sandbox)).toMatchObject({ decision: 'pass', acts: ['run pwd'], errors: [problem], notes: [] })
          expect((await ask(sandbox, request('git push'))).inner.decision).toMatchObject({ behavior: 'deny' })
        },
        { gates: { g: rule('git tag', 'ask'), h: rule('git push', 'deny') } },
      ))
  })

  it('an allow of what was sent does not allow what it became, nor the other way round', () =>
    Promise.all([
      once([rewrites('rm -rf x'), decides('allow', 'ls is fine')], async sandbox => {
        expect((await ask(sandbox, call('ls'))).inner).toEqual({
          hookEventName: 'PreToolUse',
          updatedInput: { command: 'rm -rf x' },
        })
      }),
      once([rewrites('ls -l', { permissionDecision: 'allow' }), rewrites('ls -h')], async sandbox => {
        expect((await ask(sandbox, call('rm -rf x'))).inner).toEqual({})
      }),
    ]))

  it('the end of the call is still that of the call', () =>
    once(
      [rewrites('npm test -- --run')],
      async sandbox => {
        await ask(sandbox, call('npm test'))
        const input = { tool_name: 'Bash', tool_input: { command: 'npm test -- --run' }, tool_use_id: 't1' }
        const { inner } = await ask(sandbox, payload('PostToolUse', { ...input, tool_response: { stdout: '' } }))
        expect(inner.additionalContext).toBe('tests are slow')
      },
      { gates: { g: gate('npm test', 'warn', 'tests are slow') } },
    ))
})
