import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Terminal } from '../../src/app/cli/command.ts'
import { main } from '../../src/app/cli/index.ts'
import { type Sandbox, withSandbox } from '../support/sandbox.ts'

const POLICY = `gates:
  no-push:
    rules: [{ when: { command: git push }, then: deny, message: Do not push. }]
  no-tag:
    rules: [{ when: { command: git tag }, then: deny, message: Do not tag. }]
  never:
    yields: false
    rules: [{ when: { command: git gc }, then: deny, message: Never. }]
`

/** A person at a terminal of their own, or somebody who only says so. */
async function type(sandbox: Sandbox, line: string, doubt?: string) {
  let said = ''
  const say = (text: string): void => {
    said += text
  }
  const terminal: Terminal = {
    out: say,
    err: say,
    env: { HOME: sandbox.home, SIGNALBOX_HOME: sandbox.home },
    cwd: sandbox.project,
    width: 80,
    isPerson: doubt === undefined,
    doubt,
    ask: async () => 'y',
  }
  const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
  return { code: await main(args, terminal), said }
}
const person = (work: (sandbox: Sandbox) => Promise<void>, project = POLICY) => withSandbox({ project }, work)

let nth = 0
const call = async (sandbox: Sandbox, command: string) => {
  const payload = { hook_event_name: 'PreToolUse', session_id: `s${nth++}`, cwd: '/home/dev/proj', tool_name: 'Bash' }
  const { stdout } = await sandbox.hook('claude-code', JSON.stringify({ ...payload, tool_input: { command } }))
  const reply = stdout === '' ? {} : JSON.parse(stdout)
  return {
    decision: reply.hookSpecificOutput?.permissionDecision ?? 'pass',
    message: String(reply.systemMessage ?? '').replace(CLOCK, '14:20'),
  }
}
const trail = (sandbox: Sandbox) => sandbox.records().map(({ name, notes }) => [name, ...notes].join(' '))

/** Before midnight an end is tomorrow. */
const CLOCK = /(\w{3} \w{3} \d\d \d{4} )?\d\d:\d\d/

describe('signalbox bypass', () => {
  it('lifts every gate that yields, shows itself in every answer, and ends', () =>
    person(async sandbox => {
      const { code, said } = await type(sandbox, 'bypass --for 10m --reason "prod is down"')
      expect(code).toBe(0)
      expect(said.replace(CLOCK, '14:20')).toBe(`BYPASSED  every gate that can be bypassed, until 14:20 (10 min)
  in      . and below
  except  never, self-protection: always enforced
  shown   in every reply while it lasts, and written to the audit log
Undo  signalbox bypass --end
`)
      const line = 'signalbox: gates are bypassed until 14:20: prod is down'
      const lifted = 'signalbox: the gate "no-push" is bypassed'
      expect(await call(sandbox, 'git push')).toEqual({ decision: 'pass', message: `${lifted}\n${line}` })
      expect(await call(sandbox, 'ls')).toEqual({ decision: 'pass', message: line })
      expect(await call(sandbox, 'git gc')).toEqual({ decision: 'deny', message: line })
      expect(await call(sandbox, 'rm -rf .claude')).toEqual({ decision: 'deny', message: line })
      expect(await type(sandbox, 'bypass --end')).toEqual({ code: 0, said: 'ENDED  every gate is enforced again\n' })
      expect(await call(sandbox, 'git push')).toEqual({ decision: 'deny', message: '' })
    }))

  it('lifts one gate where one is named', () =>
    person(async sandbox => {
      await type(sandbox, 'bypass --for 10m --reason x --gate no-push')
      const line = 'signalbox: gate "no-push" is bypassed until 14:20: x'
      expect(await call(sandbox, 'git tag v1')).toEqual({ decision: 'deny', message: line })
      expect((await call(sandbox, 'git push')).decision).toBe('pass')
      expect((await type(sandbox, 'bypass --end --gate no-tag')).said).toBe('No bypass is active here.\n')
      expect((await type(sandbox, 'bypass --end --gate no-push')).said).toBe('ENDED  no-push\n')
    }))

  it('is in the audit trail from its beginning to its end, with every use', () =>
    person(async sandbox => {
      await type(sandbox, 'bypass --for 10m --reason "prod is down"')
      await call(sandbox, 'git push')
      await call(sandbox, 'ls')
      await type(sandbox, 'bypass --end')
      const [start = '', use = '', other, end] = trail(sandbox)
      const id = /^bypass\.start (\w{6}) bypasses every gate that can be bypassed in .+ for 10 min: prod is down$/.exec(
        start,
      )?.[1]
      expect(id).toBeDefined()
      expect([use, other, end]).toEqual([
        `PreToolUse bypassed: ${id} prod is down`,
        'PreToolUse',
        `bypass.end ${id} was ended`,
      ])
      expect(sandbox.records()[1]?.matches).toMatchObject([{ rule: 'rule-1', effect: 'none', bypassed: true }])
    }))

  it('is over when its time has come, and that is recorded once', () =>
    person(async sandbox => {
      await type(sandbox, 'bypass --for 1s --reason x')
      await new Promise(done => setTimeout(done, 1100))
      expect(await call(sandbox, 'git push')).toEqual({ decision: 'deny', message: '' })
      await call(sandbox, 'git push')
      expect(trail(sandbox).filter(line => line.startsWith('bypass.end'))).toHaveLength(1)
      expect(readdirSync(join(sandbox.home, 'state/bypass'))).toEqual([])
    }))

  it('is refused to an agent, and that is recorded', () =>
    person(async sandbox => {
      const { code, said } = await type(sandbox, 'bypass --for 10m --reason x', 'it was started by Claude Code')
      expect({ code, said }).toEqual({
        code: 2,
        said: 'signalbox bypass: only a person can do this, in their own terminal (it was started by Claude Code). Nothing was changed.\n',
      })
      expect((await call(sandbox, 'git push')).decision).toBe('deny')
      expect(trail(sandbox)[0]).toBe('bypass.refused it was started by Claude Code: x')
    }))

  it('says what is lifted, to anybody', () =>
    person(async sandbox => {
      expect((await type(sandbox, 'bypass', 'nobody')).said).toBe(
        'No bypass is active here.\nNext  signalbox bypass --for 10m --reason "…"\n',
      )
      await type(sandbox, 'bypass --for 10m --reason x --gate no-push')
      const { code, said } = await type(sandbox, 'bypass --json', 'nobody')
      expect(code).toBe(0)
      expect(JSON.parse(said)).toMatchObject({ bypasses: [{ gate: 'no-push', reason: 'x', root: sandbox.project }] })
      expect((await type(sandbox, 'policy show')).said).toMatch(/^BYPASSED {2}no-push, until /)
      expect((await type(sandbox, 'check')).said).toMatch(/\nBYPASSED {2}no-push, until /)
    }))

  it('--json after a beginning is what holds now, and nothing else', () =>
    person(async sandbox => {
      const { said } = await type(sandbox, 'bypass --for 2h --reason "a\nb" --json')
      expect(JSON.parse(said)).toMatchObject({ bypasses: [{ reason: 'a b' }] })
      const { bypasses } = JSON.parse((await type(sandbox, 'bypass --end --json')).said)
      expect(bypasses).toEqual([])
    }))

  it.each([
    ['bypass --for 10m', '`--reason` is missing: say why, in a few words'],
    ['bypass --for 10m --reason " "', '`--reason` is missing: say why, in a few words'],
    ['bypass --reason x', '`--for` is missing: how long, for example 10m'],
    ['bypass --gate no-push', '`--for` is missing: how long, for example 10m'],
    ['bypass --for soon --reason x', '`--for soon` is not a time; write it like 45s, 10m or 2h'],
    ['bypass --for 0m --reason x', '`--for 0m` is not a time; write it like 45s, 10m or 2h'],
    ['bypass --for 9h --reason x', '`--for` is at most 8 h; `signalbox off` has no time limit'],
    ['bypass --for 1m --reason x --gate no-pusch', 'unknown gate `no-pusch`; did you mean `no-push`?'],
    ['bypass --for 1m --reason x --gate whatever', 'unknown gate `whatever`; gates here: no-push, no-tag'],
    ['bypass --for 1m --reason x --gate never', 'gate `never` cannot be bypassed'],
    ['bypass --for 1m --reason x --gate self-protection', 'gate `self-protection` cannot be bypassed'],
  ])('%s is a mistake, in one line', (line, words) =>
    person(async sandbox => {
      expect(await type(sandbox, line)).toEqual({ code: 2, said: `signalbox bypass: ${words}\n` })
    }),
  )

  it('has nothing to lift where nothing yields', () =>
    withSandbox({}, async sandbox => {
      expect((await type(sandbox, 'bypass --for 1m --reason x')).said).toContain('no gate here can be bypassed')
    }))

  it('an unknown option is an error, with the usage', () =>
    person(async sandbox => {
      const { code, said } = await type(sandbox, 'bypass --foo')
      expect(code).toBe(2)
      expect(said).toMatch(/^signalbox bypass: unknown option `--foo`[\s\S]*usage/)
    }))
})

describe('signalbox off', () => {
  it('silences everything that yields until `on`, and only the beginning of a session tells', () =>
    person(async sandbox => {
      const { code, said } = await type(sandbox, 'off --reason "a demo"')
      expect({ code, said }).toEqual({
        code: 0,
        said: `OFF  every gate that can be bypassed, in every project
  except  never, self-protection: always enforced
  logged  events are still written to the audit log
Undo  signalbox on
`,
      })
      expect(await call(sandbox, 'git push')).toEqual({ decision: 'pass', message: '' })
      expect((await call(sandbox, 'git gc')).decision).toBe('deny')
      const start = JSON.stringify({ hook_event_name: 'SessionStart', session_id: 'new', cwd: '/home/dev/proj' })
      expect((await sandbox.hook('claude-code', start)).stdout).toMatch(
        /signalbox: switched off since (\w{3} \w{3} \d\d \d{4} )?\d\d:\d\d: a demo/,
      )
      expect((await type(sandbox, 'off')).said).toMatch(/^OFF {2}since (\w{3} \w{3} \d\d \d{4} )?\d\d:\d\d: a demo\n/)
      expect((await type(sandbox, 'check')).said).toMatch(/\nOFF {2}since/)
      expect((await type(sandbox, 'on')).said).toMatch(/^ON {2}after .* off\n$/)
      expect((await call(sandbox, 'git push')).decision).toBe('deny')
      expect((await type(sandbox, 'on')).said).toBe('Signalbox is already on.\n')
      expect(trail(sandbox).filter(line => line.startsWith('off.'))).toEqual([
        'off.start every gate that can be bypassed is off, in every project: a demo',
        'off.end off was ended',
      ])
    }))

  it('is refused to an agent; switching on is not', () =>
    person(async sandbox => {
      expect(await type(sandbox, 'off', 'there is no terminal')).toMatchObject({ code: 2 })
      expect((await call(sandbox, 'git push')).decision).toBe('deny')
      expect(await type(sandbox, 'off --end', 'there is no terminal')).toMatchObject({ code: 0 })
      expect(trail(sandbox)[0]).toBe('off.refused there is no terminal')
    }))

  it('gates go on watching while it lasts', () =>
    person(async sandbox => {
      await type(sandbox, 'off')
      const run = (event: string, more: object) =>
        sandbox.hook(
          'claude-code',
          JSON.stringify({
            hook_event_name: event,
            session_id: 'one',
            cwd: '/home/dev/proj',
            tool_name: 'Bash',
            tool_use_id: 't1',
            tool_input: { command: 'npm test' },
            ...more,
          }),
        )
      await run('PreToolUse', {})
      const after = await run('PostToolUse', { tool_response: { stdout: '', stderr: '', interrupted: false } })
      expect(after.stdout).toBe('')
      await type(sandbox, 'on')
      const commit = { tool_use_id: 't2', tool_input: { command: 'git commit -m x' } }
      expect((await run('PreToolUse', commit)).stdout).toBe('')
    }, WATCHING))

  it('--json', () =>
    person(async sandbox => {
      expect(JSON.parse((await type(sandbox, 'off --json')).said)).toEqual({ off: true })
      expect(JSON.parse((await type(sandbox, 'on --json')).said)).toEqual({ off: false })
    }))
})

const WATCHING = `gates:
  tests:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true }, context: Now open. }
    rules: [{ while: closed, when: { command: git commit }, then: deny, message: Test first. }]
`

describe('what lies in the folder of bypasses', () => {
  const put = (sandbox: Sandbox, name: string, content: object | string) =>
    writeFileSync(
      join(sandbox.home, 'state/bypass', name),
      typeof content === 'string' ? content : JSON.stringify(content),
    )
  const now = Date.now()
  const good = { id: 'abc', from: now - 1000, until: now + 3_600_000, reason: 'x' }
  it.each<[string, string, object | string]>([
    ['no JSON', 'abc.json', '{'],
    ['of another name', 'xyz.json', good],
    ['without an end', 'abc.json', { id: 'abc', from: now, reason: 'x' }],
    ['longer than allowed', 'abc.json', { ...good, until: now + 90_000_000 }],
    ['from the future', 'abc.json', { ...good, from: now + 9e9, until: now + 9e9 + 1000 }],
    ['of the wrong types', 'abc.json', { ...good, gate: 7 }],
    ['for another project', 'abc.json', { ...good, root: '/somewhere/else' }],
    ['for another gate', 'abc.json', { ...good, gate: 'no-tag' }],
  ])('%s lifts nothing', (_, name, content) =>
    person(async sandbox => {
      await type(sandbox, 'off')
      await type(sandbox, 'on')
      put(sandbox, name, content)
      expect((await call(sandbox, 'git push')).decision).toBe('deny')
    }),
  )

  it('one for a folder above holds here, on every client', () =>
    person(async sandbox => {
      await type(sandbox, 'off')
      await type(sandbox, 'on')
      put(sandbox, 'abc.json', { ...good, root: sandbox.folder })
      const payload = { session_id: 's', cwd: '/home/dev/proj', tool_input: { command: 'git push' } }
      const ask = async (client: string, more: object) => {
        const { stdout } = await sandbox.hook(client, JSON.stringify({ ...payload, ...more }))
        return stdout.replace(CLOCK, '14:20').replace(/"decision_time_ms":\d+/, '"decision_time_ms":0')
      }
      const words = 'signalbox: the gate \\"no-push\\" is bypassed\\nsignalbox: gates are bypassed until 14:20: x'
      expect(await ask('claude-code', { hook_event_name: 'PreToolUse', tool_name: 'Bash' })).toBe(
        `{"systemMessage":"${words}"}\n`,
      )
      expect(await ask('gemini-cli', { hook_event_name: 'BeforeTool', tool_name: 'run_shell_command' })).toBe(
        `{"systemMessage":"${words}"}\n`,
      )
      expect(await ask('generic', { tool_name: 'Bash' })).toBe(
        `{"decision":"approve","warning":"${words}","metadata":{"enforcement_version":"1.0.0","decision_time_ms":0}}\n`,
      )
    }))

  it('lifts a gate that refuses because it fails', () =>
    withSandbox({ user: 'gates: { broken: { onError: closed, code: ./gone.mjs } }\n' }, async sandbox => {
      expect((await call(sandbox, 'ls')).decision).toBe('deny')
      await type(sandbox, 'bypass --for 1m --reason x')
      expect((await call(sandbox, 'ls')).decision).toBe('pass')
    }))
})
