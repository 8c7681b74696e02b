import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newSession } from '../../src/engine/index.ts'
import { readRoutingNotes } from '../../src/hook/exports/routing-state.ts'
import { isObject, type Json, type JsonObject } from '../../src/lib/json.ts'
import { shapeErrors } from '../../src/lib/json-shape.ts'
import { BIN, type Ran, type Sandbox, withSandbox } from '../support/sandbox.ts'

const USE = { project: 'use: [router-first]' }
const STATE = '.claude/context/tmp/routing-session-state.json'
const LOG = '.claude/context/logs/router-enforcement-errors.log'
const read = (payload: object = {}) =>
  JSON.stringify({
    tool_name: 'Read',
    tool_input: { file_path: 'a' },
    context: { agent_name: 'developer' },
    ...payload,
  })
const DECISION = { intent: 'bug_fix', complexity: 'low', workflow_selection: 'fix.yaml', confidence: 0.9 }
const RESULT = JSON.stringify({
  tool_name: 'Task',
  tool_input: { subagent_type: 'router', prompt: 'Fix the cart, token=ghp_0123456789abcdefghijABCDEFGHIJ012345' },
  tool_result: { content: JSON.stringify(DECISION), usage: { input_tokens: 250, output_tokens: 150 }, model: 'haiku' },
})

const hook = (sandbox: Sandbox, payload: string, client = 'generic'): Promise<Ran> => sandbox.hook(client, payload)
const decision = ({ stdout }: Ran) => JSON.parse(stdout).decision
const fileOf = ({ project }: Pick<Sandbox, 'project'>, name: string): string => join(project, name)
const stateOf = (sandbox: Pick<Sandbox, 'project'>) => JSON.parse(readFileSync(fileOf(sandbox, STATE), 'utf8'))
const logOf = (sandbox: Sandbox) =>
  readFileSync(fileOf(sandbox, LOG), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

const schema: JsonObject = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../schema/routing-session-state.schema.json'), 'utf8'),
)
/** The subset that captures know has no `$ref`. */
const whole = (part: Json): Json => {
  if (Array.isArray(part)) return part.map(whole)
  if (!isObject(part)) return part
  const definitions = isObject(schema.definitions) ? schema.definitions : {}
  if (typeof part.$ref === 'string') return whole(definitions[part.$ref.replace('#/definitions/', '')] ?? null)
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, whole(value)]))
}
const strangeKeys = (value: Json, part: Json): readonly string[] => {
  if (!isObject(part)) return []
  if (Array.isArray(value)) return value.flatMap(one => strangeKeys(one, part.items ?? null))
  const properties = isObject(part.properties) ? part.properties : undefined
  if (!isObject(value) || !properties) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key in properties ? strangeKeys(inner, properties[key] ?? null) : [key],
  )
}
const flaws = (state: Json): readonly string[] => {
  const full = whole(schema)
  return isObject(full) ? [...shapeErrors(state, full), ...strangeKeys(state, full)] : ['no schema']
}

describe.concurrent('the routing state is mirrored', () => {
  it('in the words of its schema, from the first call to the decision', () =>
    withSandbox(USE, async sandbox => {
      await hook(sandbox, read())
      const first = stateOf(sandbox)
      expect(flaws(first)).toEqual([])
      expect(first).toMatchObject({
        session_id: expect.stringMatching(/^sess_\d+$/),
        routing: { completed: false, started_at: null, completed_at: null, decision: null },
        routing_history: [],
        metrics: { routing_duration_ms: null, tokens_used: null, model: null },
        version: 1,
      })
      expect(Date.parse(first.expires_at) - Date.parse(first.updated_at)).toBe(12 * 3_600_000)

      await hook(sandbox, read({ context: { agent_name: 'router' } }))
      const started = stateOf(sandbox)
      expect(started.routing).toMatchObject({ completed: false, started_at: expect.any(String) })

      await hook(sandbox, RESULT)
      const done = stateOf(sandbox)
      expect(flaws(done)).toEqual([])
      const full = { ...DECISION, cloud_provider: null, reasoning: '', keywords_detected: [] }
      const told = { ...full, should_escalate: false, escalation_target: null }
      const { completed_at } = done.routing
      expect(done).toEqual({
        ...first,
        updated_at: completed_at,
        expires_at: done.expires_at,
        routing: { completed: true, started_at: started.routing.started_at, completed_at, decision: told },
        routing_history: [
          { timestamp: completed_at, decision: told, request_summary: 'Fix the cart, token=[redacted]' },
        ],
        metrics: {
          routing_duration_ms: Date.parse(completed_at) - Date.parse(started.routing.started_at),
          tokens_used: { input: 250, output: 150 },
          model: 'haiku',
        },
        version: 3,
      })
    }))

  it('with a history of decisions, and closed again by the next prompt', () =>
    withSandbox({ project: 'use: [{ router-first: { per: prompt } }]' }, async sandbox => {
      for (const prompt of ['one', 'two']) {
        await hook(sandbox, JSON.stringify({ event: 'prompt.submit', prompt, session_id: 's' }))
        await hook(
          sandbox,
          JSON.stringify({ ...JSON.parse(RESULT), session_id: 's', tool_input: {}, context: { agent_name: 'router' } }),
        )
      }
      await hook(sandbox, JSON.stringify({ event: 'prompt.submit', prompt: 'three', session_id: 's' }))
      const state = stateOf(sandbox)
      expect(flaws(state)).toEqual([])
      expect(state.session_id).toBe('s')
      expect(state.routing).toEqual({ completed: false, started_at: null, completed_at: null, decision: null })
      expect(state.routing_history.map((one: { request_summary: string }) => one.request_summary)).toEqual([
        'one',
        'two',
      ])
    }))

  it('and never read: damaged or deleted, it changes nothing', () =>
    withSandbox(USE, async sandbox => {
      await hook(sandbox, RESULT)
      writeFileSync(fileOf(sandbox, STATE), '{"routing": {"completed": false}')
      expect(decision(await hook(sandbox, read()))).toBe('approve')
      expect(stateOf(sandbox).routing.completed).toBe(true)
      rmSync(join(sandbox.project, '.claude'), { recursive: true })
      expect(decision(await hook(sandbox, read()))).toBe('approve')
      expect(stateOf(sandbox)).toMatchObject({ routing: { completed: true }, version: 3 })
      writeFileSync(fileOf(sandbox, STATE), JSON.stringify({ ...stateOf(sandbox), routing: { completed: true } }))
      expect(decision(await hook(sandbox, read({ session_id: 'another' })))).toBe('block')
    }))

  it('nowhere that git would see', () =>
    withSandbox(USE, async sandbox => {
      const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: sandbox.project, encoding: 'utf8' })
      rmSync(join(sandbox.project, '.git'), { recursive: true })
      git('init', '-q')
      await hook(sandbox, read())
      await hook(sandbox, '{')
      expect([existsSync(fileOf(sandbox, STATE)), existsSync(fileOf(sandbox, LOG))]).toEqual([true, true])
      expect(git('status', '--porcelain', '-uall')).toBe('?? signalbox.yaml\n')
    }))

  it('for the generic protocol alone, unless the policy says otherwise', () =>
    withSandbox(USE, async sandbox => {
      const call = JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Read', tool_input: {} })
      const { stdout } = await hook(sandbox, call, 'claude-code')
      expect(stdout).toContain('deny')
      expect(existsSync(join(sandbox.project, '.claude'))).toBe(false)
      writeFileSync(join(sandbox.project, 'signalbox.yaml'), 'use: [{ router-first: { mirror: [claude-code] } }]')
      await hook(sandbox, call, 'claude-code')
      expect(stateOf(sandbox)).toMatchObject({ session_id: 's', routing: { completed: false } })
      rmSync(join(sandbox.project, '.claude'), { recursive: true })
      await hook(sandbox, read())
      expect(existsSync(join(sandbox.project, '.claude'))).toBe(false)
    }))
})

describe.concurrent('what is written is nothing to commit', () => {
  const git = ({ project }: Pick<Sandbox, 'project'>, ...args: string[]): string =>
    execFileSync('git', ['-C', project, ...args], { encoding: 'utf8' })
  const isIgnored = (sandbox: Pick<Sandbox, 'project'>): boolean =>
    !git(sandbox, 'status', '--porcelain', '--untracked-files=all').includes('routing-session-state')

  it('where there is no .gitignore beside it', () =>
    withSandbox(USE, async sandbox => {
      git(sandbox, 'init', '-q')
      await hook(sandbox, read())
      expect([stateOf(sandbox).version, isIgnored(sandbox)]).toEqual([1, true])
      expect(git(sandbox, 'status', '--porcelain')).not.toContain('.claude')
    }))

  it('where there is one: it stays as it is, and the clone is told', () =>
    withSandbox(USE, async sandbox => {
      git(sandbox, 'init', '-q')
      const mine = join(sandbox.project, STATE, '../.gitignore')
      mkdirSync(join(mine, '..'), { recursive: true })
      writeFileSync(mine, '*.bak')
      await hook(sandbox, read())
      await hook(sandbox, read())
      const excluded = readFileSync(join(sandbox.project, '.git/info/exclude'), 'utf8')
      expect([readFileSync(mine, 'utf8'), isIgnored(sandbox)]).toEqual(['*.bak', true])
      expect(excluded.match(/routing-session-state/g)).toHaveLength(1)
    }))

  it('in a work tree of another clone', () =>
    withSandbox(USE, async sandbox => {
      git(sandbox, 'init', '-q')
      const config = ['-c', 'user.name=a', '-c', 'user.email=a@b']
      git(sandbox, ...config, 'commit', '-q', '--allow-empty', '-m', 'x')
      const tree = join(sandbox.folder, 'tree')
      git(sandbox, 'worktree', 'add', '-q', tree)
      const at = { project: tree }
      mkdirSync(join(tree, STATE, '..'), { recursive: true })
      writeFileSync(join(tree, STATE, '../.gitignore'), '*.bak\n')
      writeFileSync(join(tree, 'signalbox.yaml'), 'use: [router-first]')
      await hook(sandbox, read({ cwd: tree }))
      expect([stateOf(at).version, isIgnored(at)]).toEqual([1, true])
    }))

  it('where there is no git', () =>
    withSandbox(USE, async sandbox => {
      mkdirSync(join(sandbox.project, STATE, '..'), { recursive: true })
      writeFileSync(join(sandbox.project, STATE, '../.gitignore'), '*.bak\n')
      expect(decision(await hook(sandbox, read()))).toBe('block')
      expect(stateOf(sandbox).version).toBe(1)
    }))
})

describe.concurrent('no file is written outside of the project', () => {
  const outside = (sandbox: Sandbox): string => {
    const folder = join(sandbox.folder, 'outside')
    mkdirSync(folder)
    return folder
  }

  it.each(['.claude', '.claude/context', '.claude/context/tmp'])('through %s, which is a link', link =>
    withSandbox(USE, async sandbox => {
      const away = outside(sandbox)
      mkdirSync(join(sandbox.project, link, '..'), { recursive: true })
      symlinkSync(away, join(sandbox.project, link))
      const ran = await hook(sandbox, read())
      expect(decision(ran)).toBe('block')
      expect(ran.stderr).toContain('leads out of the project')
      expect(existsSync(join(away, 'routing-session-state.json'))).toBe(false)
      expect(execFileSync('find', [away, '-type', 'f'], { encoding: 'utf8' })).toBe('')
    }),
  )

  it('through the file itself: a link is replaced, a log that is one gets no line', () =>
    withSandbox(USE, async sandbox => {
      const away = outside(sandbox)
      for (const name of ['state', 'log']) writeFileSync(join(away, name), 'mine')
      for (const [name, to] of [
        [STATE, 'state'],
        [LOG, 'log'],
      ] as const) {
        mkdirSync(join(sandbox.project, name, '..'), { recursive: true })
        symlinkSync(join(away, to), fileOf(sandbox, name))
      }
      await hook(sandbox, read())
      const { stderr } = await hook(sandbox, '{')
      expect(stateOf(sandbox).version).toBe(1)
      expect(stderr).toContain('the error log cannot be written')
      expect(['state', 'log'].map(name => readFileSync(join(away, name), 'utf8'))).toEqual(['mine', 'mine'])
    }))

  it('through the .gitignore beside it, nor into a file that has another name outside', () =>
    withSandbox(USE, async sandbox => {
      const away = outside(sandbox)
      for (const name of [STATE, LOG]) mkdirSync(join(sandbox.project, name, '..'), { recursive: true })
      symlinkSync(join(away, 'new'), join(sandbox.project, STATE, '../.gitignore'))
      writeFileSync(join(away, 'log'), 'mine')
      linkSync(join(away, 'log'), fileOf(sandbox, LOG))
      await hook(sandbox, read())
      expect(stateOf(sandbox).version).toBe(1)
      expect((await hook(sandbox, '{')).stderr).toContain('the error log cannot be written')
      expect([existsSync(join(away, 'new')), readFileSync(join(away, 'log'), 'utf8')]).toEqual([false, 'mine'])
    }))

  it('by a policy that names such a place', () =>
    withSandbox({}, async sandbox => {
      for (const state of ['../x.json', '/tmp/x.json', '~/x.json', 'a/../../x.json']) {
        const policy = {
          gates: { g: { initial: 'closed' } },
          exports: { 'routing-session-state': { gate: 'g', on: [], state } },
        }
        writeFileSync(join(sandbox.project, 'signalbox.yaml'), JSON.stringify(policy))
        const { stdout, exitCode } = await sandbox.run(['check'])
        expect([exitCode, stdout]).toEqual([
          1,
          expect.stringContaining('must be a file of the project, named from its root'),
        ])
      }
    }))
})

describe.concurrent('what goes wrong is logged and never fatal', () => {
  it.each([
    ['HOOK_TIMEOUT', 'exports.runHook = () => new Promise(() => setInterval(() => {}, 1000))', 'no reply within 2 s'],
    ['HOOK_ERROR', 'exports.runHook = () => { throw new Error("ghp_secret") }', 'the hook ended without a reply'],
  ])('%s: an answer of last resort', (type, program, message) =>
    withSandbox(USE, async sandbox => {
      await hook(sandbox, read())
      const copy = join(sandbox.folder, 'copy')
      cpSync(dirname(BIN), join(copy, 'bin'), { recursive: true })
      mkdirSync(join(copy, 'dist'))
      writeFileSync(join(copy, 'dist/entry.cjs'), program)
      const bin = join(copy, 'bin/signalbox.cjs')
      const { stdout, stderr } = await sandbox.run(['hook', '--client', 'generic'], { input: read(), bin })
      await sandbox.run(['hook', '--client', 'claude-code'], { input: read(), bin })
      expect([JSON.parse(stdout).decision, stderr !== '']).toEqual(['approve', true])
      expect(logOf(sandbox)).toEqual([
        {
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          error_type: type,
          error_message: message,
          tool_name: 'Read',
          decision: 'approve',
          recovery_action: 'fail_open',
        },
      ])
    }),
  )

  it('an answer of last resort writes no line outside of the project', () =>
    withSandbox(USE, async sandbox => {
      await hook(sandbox, read())
      const away = join(sandbox.folder, 'outside')
      mkdirSync(away)
      symlinkSync(away, join(sandbox.project, LOG, '..'))
      const bin = join(sandbox.folder, 'copy/bin/signalbox.cjs')
      cpSync(dirname(BIN), dirname(bin), { recursive: true })
      const { stdout } = await sandbox.run(['hook', '--client', 'generic'], { input: read(), bin })
      expect(JSON.parse(stdout).decision).toBe('approve')
      expect(execFileSync('find', [away, '-type', 'f'], { encoding: 'utf8' })).toBe('')
    }))

  it('input that is no JSON', () =>
    withSandbox(USE, async sandbox => {
      const { stdout, stderr } = await hook(sandbox, '{"tool_name":')
      expect(JSON.parse(stdout)).toEqual({ decision: 'approve', warning: 'Invalid input JSON' })
      const entry = {
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        error_type: 'INVALID_INPUT_JSON',
        error_message: "the hook's input is not JSON (13 characters)",
        tool_name: null,
        decision: 'approve',
        recovery_action: 'fail_open',
      }
      expect(logOf(sandbox)).toEqual([entry])
      expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toEqual(entry)
    }))

  it('a state file that cannot be written', () =>
    withSandbox(USE, async sandbox => {
      mkdirSync(fileOf(sandbox, STATE), { recursive: true })
      expect(decision(await hook(sandbox, read()))).toBe('block')
      expect(logOf(sandbox)).toMatchObject([
        { error_type: 'STATE_WRITE_ERROR', tool_name: 'Read', decision: 'block', recovery_action: 'continue' },
      ])
    }))

  it('a folder where both should be that is a file', () =>
    withSandbox(USE, async sandbox => {
      writeFileSync(join(sandbox.project, '.claude'), '')
      const ran = await hook(sandbox, read())
      expect([ran.exitCode, decision(ran)]).toEqual([0, 'block'])
      expect(ran.stderr).toContain('STATE_WRITE_ERROR')
    }))

  it('a pipe in the place of the log', () =>
    withSandbox(USE, async sandbox => {
      mkdirSync(join(sandbox.project, LOG, '..'), { recursive: true })
      execFileSync('mkfifo', [fileOf(sandbox, LOG)])
      const { stdout, stderr } = await hook(sandbox, '{')
      expect(JSON.parse(stdout)).toEqual({ decision: 'approve', warning: 'Invalid input JSON' })
      expect(stderr).toContain('the error log cannot be written')
    }))

  it('on no other client', () =>
    withSandbox(USE, async sandbox => {
      await hook(sandbox, '{', 'claude-code')
      expect(existsSync(join(sandbox.project, '.claude'))).toBe(false)
    }))
})

describe('notes that were damaged', () => {
  const session = newSession('s', '/p', 7)
  it.each([
    undefined,
    null,
    7,
    'x',
    [],
    { startedAt: 'x', completedAt: -1, history: 7, version: '2', request: {}, tokens: 1 },
  ])('are no notes: %j', kept => {
    const notes = { startedAt: null, completedAt: null, durationMs: null, tokens: null, model: null }
    expect(readRoutingNotes(kept, session)).toEqual({ ...notes, request: '', history: [], version: 0, compactedAt: 7 })
  })
})

describe.concurrent("a project's own export", () => {
  const policy = `
gates: { g: { initial: closed } }
exports: { routing-session-state: { gate: g, on: [generic], state: state.json } }
`
  it('waits for trust', () =>
    withSandbox({ project: policy }, async sandbox => {
      const { stdout } = await hook(sandbox, read())
      expect(JSON.parse(stdout).metadata).not.toHaveProperty('routing_status')
      expect(existsSync(join(sandbox.project, 'state.json'))).toBe(false)
    }))

  it("is a person's to give", () =>
    withSandbox({ user: policy }, async sandbox => {
      const { stdout } = await hook(sandbox, read())
      expect(JSON.parse(stdout).metadata.routing_status).toBe('pending')
      expect(existsSync(join(sandbox.project, 'state.json'))).toBe(true)
    }))
})

describe.concurrent('two layers that route', () => {
  it('both have to open, and the status tells of the one that has not', () =>
    withSandbox({ ...USE, user: 'use: [{ router-first: { router: [triage] } }]' }, async sandbox => {
      const status = ({ stdout }: Ran) => JSON.parse(stdout).metadata.routing_status
      expect(status(await hook(sandbox, RESULT))).toBe('pending')
      expect(status(await hook(sandbox, read()))).toBe('pending')
      const triage = { ...JSON.parse(RESULT), tool_input: { subagent_type: 'triage' } }
      expect(status(await hook(sandbox, JSON.stringify(triage)))).toBe('completed')
    }))
})
