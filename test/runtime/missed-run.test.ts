import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { made } from '../store/secret-shapes.ts'
import { type InProcessSandbox, withInProcessSandbox } from '../support/in-process-sandbox.ts'

const gate = (closing: string) => `gates:
  tests-before-commit:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
      - { from: open, to: closed, when: { event: tool.before, action: [write, delete]${closing} } }
    rules:
      - while: closed
        when: { event: tool.before, command: git commit }
        then: deny
        message: Run \`{suggest}\` first.
        suggest: npm test
`

let nth = 0

/** The line is run, then a commit is tried: what the agent is told, `''` where it passes. */
async function afterRun(
  sandbox: InProcessSandbox,
  command: string,
  { fails = false, input = {}, caller = {}, output = '' } = {},
): Promise<string> {
  const base = { session_id: 's', cwd: '/home/dev/proj', tool_name: 'Bash', ...caller }
  const hook = async (payload: object): Promise<string> => {
    const { stdout } = await sandbox.hookInProcess('claude-code', JSON.stringify({ ...base, ...payload }))
    return stdout === '' ? '' : (JSON.parse(stdout).hookSpecificOutput?.permissionDecisionReason ?? '')
  }
  const call = { tool_input: { command, ...input }, tool_use_id: `t${nth++}` }
  await hook({ hook_event_name: 'PreToolUse', ...call })
  await hook(
    fails
      ? { hook_event_name: 'PostToolUseFailure', ...call, error: 'Exit code 1', is_interrupt: false }
      : { hook_event_name: 'PostToolUse', ...call, tool_response: { stdout: output, stderr: '', interrupted: false } },
  )
  return hook({
    hook_event_name: 'PreToolUse',
    tool_input: { command: 'git commit -m x' },
    tool_use_id: `t${nth++}`,
  })
}

const played = (command: string, how = {}, closing = '') =>
  withInProcessSandbox({ user: gate(closing) }, async sandbox => {
    writeFileSync(join(sandbox.project, 'package.json'), '{"scripts":{"test":"true"}}')
    return afterRun(sandbox, command, how)
  })

describe('a run that did not count', () => {
  it.each([
    ['npm test 2>&1 | tail -20', /after a pipe, the exit code is that of `tail`\. Run `npm test` alone\./],
    ['npm run test | grep -v "a | b"', /after a pipe, the exit code is that of `grep`/],
    ['npm test |& tail -3', /after a pipe, the exit code is that of `tail`/],
    ["bash -c 'npm test | tail'", /after a pipe, the exit code is that of `tail`/],
    ['sh -c "cd . && npm test; true"', /the exit code is that of the last command of the line/],
    ['npm test; echo $?', /the exit code is that of the last command of the line/],
    ['npm test\necho done', /the exit code is that of the last command of the line/],
    ['npm test || true', /because of `\|\|`, the line may succeed although the run fails/],
    ['npm test &', /it ran in the background/],
    ['npm test > out.log 2>&1 &', /it ran in the background/],
    ['npm test -- src/a.test.ts', /`src\/a\.test\.ts` may make it a partial check/],
    ['npm test -- --passWithNoTests', /`--passWithNoTests` may make it a partial check/],
    ['npm test > out.log', /the same line changes .*out\.log/],
  ])('is explained: %s', async (command, why) => {
    const told = await played(command)
    expect(told).toMatch(/^Run `npm test` first\.\nYour last run, `/)
    expect(told).toMatch(why)
  })

  it('is explained if it was in the background or failed', async () => {
    expect(await played('npm test', { input: { run_in_background: true } })).toMatch(/it ran in the background/)
    expect(await played('npm test', { fails: true })).toMatch(
      /did not count: it failed\. It must pass\. Run `npm test` again\./,
    )
  })

  it('opens nothing, and says why, if it could not be signed', async () => {
    const told = await played('signalbox run -- npm test | tail', {
      output: 'signalbox run: exit 0, not signed: EROFS',
    })
    expect(told).toContain('did not count: it was not signed (EROFS). Run `npm test` alone')
  })

  it('is not held against a later one, nor told of another command', () =>
    withInProcessSandbox({ user: gate('') }, async sandbox => {
      writeFileSync(join(sandbox.project, 'package.json'), '{}')
      expect(await afterRun(sandbox, 'ls | tail')).toBe('Run `npm test` first.')
      expect(await afterRun(sandbox, 'npm test | tail')).toContain('after a pipe')
      expect(await afterRun(sandbox, 'npm test')).toBe('')
      await afterRun(sandbox, 'echo x > a')
      expect(await afterRun(sandbox, 'ls')).not.toContain('after a pipe')
    }))
})

describe('an agent that reports no exit codes', () => {
  /** The line is run on Codex CLI, then a commit is tried. */
  const onCodex = (command: string, output: string, suggests = true) =>
    withInProcessSandbox(
      {
        user: suggests
          ? gate('')
          : gate('')
              .replace(/ +suggest:.*\n/, '')
              .replace('{suggest}', 'the tests'),
      },
      async sandbox => {
        writeFileSync(join(sandbox.project, 'package.json'), '{"scripts":{"test":"true"}}')
        const hook = async (payload: object): Promise<string> => {
          const all = {
            session_id: 's',
            cwd: '/home/dev/proj',
            tool_name: 'Bash',
            tool_use_id: `c${nth++}`,
            ...payload,
          }
          const { stdout } = await sandbox.hookInProcess('codex-cli', JSON.stringify(all))
          return stdout === '' ? '' : (JSON.parse(stdout).hookSpecificOutput?.permissionDecisionReason ?? '')
        }
        const call = { tool_input: { command }, tool_use_id: `c${nth++}` }
        await hook({ hook_event_name: 'PreToolUse', ...call })
        await hook({ hook_event_name: 'PostToolUse', ...call, tool_response: output })
        return hook({ hook_event_name: 'PreToolUse', tool_input: { command: 'git commit -m x' } })
      },
    )
  const RUN = 'signalbox run -- npm test'
  const UNSIGNED = "it passed\nsignalbox run: exit 0, not signed: EROFS: read-only file system, open '/state/run-key'\n"

  it.each([
    ['npm test', 'it passed', 'this agent reports no exit codes. Run `signalbox run -- npm test`'],
    ['npm t', 'it passed', 'this agent reports no exit codes. Run `signalbox run -- npm t'],
    ['npm test > out.log', '', 'this agent reports no exit codes. Run `signalbox run -- npm test`'],
    [
      'npm test | tail',
      'it passed',
      'after a pipe, the exit code is that of `tail`. Run `signalbox run -- npm test` alone',
    ],
    [
      RUN,
      'signalbox: command not found',
      'it was not signed (no signature was printed). Run `signalbox run -- npm test` alone, with escalated permissions in',
    ],
    [
      RUN,
      UNSIGNED,
      "it was not signed (EROFS: read-only file system, open '/state/run-key'). Run `signalbox run -- npm test` alone, with escalated permissions in a sandbox",
    ],
    [`${RUN} | tail -3`, UNSIGNED, 'it was not signed (EROFS'],
  ])('is told why its run did not count: %s with %j', async (command, output, why) => {
    const told = await onCodex(command, output)
    expect(told).toContain(`Your last run, \`${command}\`, did not count: ${why}`)
    expect(told).not.toContain('still running')
    expect(await onCodex(command, output, false)).toContain(`did not count: ${why}`)
  })
})

describe('what is told of a run', () => {
  const token = `ghp_${made(36)}`
  it.each([
    [token, `GITHUB_TOKEN=${token} npm test | tail`],
    [token, `npm test ${'x '.repeat(20)} --github-token=${token} | tail`],
    [token, `npm test ${token}`],
    [token, `curl -H "Authorization: Bearer ${token}" https://h.example/; npm test; true`],
    ['hunter2hunter2', 'npm test -- --password hunter2hunter2'],
    ['hunter2hunter2', 'npm test --password=hunter2hunter2 && git status | tail'],
    ['hunter2hunter2', 'npm test; somewhere --password hunter2hunter2'],
  ])('and kept of it holds no secret: %s in %s', (secret, command) =>
    withInProcessSandbox({ user: gate('') }, async sandbox => {
      writeFileSync(join(sandbox.project, 'package.json'), '{"scripts":{"test":"true"}}')
      const told = await afterRun(sandbox, command)
      expect(told).toContain('did not count')
      // nor the beginning of one that was cut
      expect(told).not.toContain(secret.slice(0, 9))
      const state = join(sandbox.home, 'state')
      const kept = readdirSync(state, { recursive: true, withFileTypes: true }).filter(one => one.isFile())
      const holding = kept.filter(one => readFileSync(join(one.parentPath, one.name), 'latin1').includes(secret))
      expect(holding.map(({ name }) => name)).toEqual([])
    }),
  )
})

describe('a gate of scope `agent`', () => {
  const policy = gate('').replace('initial: closed', 'initial: closed\n    scope: agent')
  const fresh = (told: string) => expect(told).toBe('Run `npm test` first.')

  it('forgets a run that did not count when it opens', () =>
    withInProcessSandbox({ user: policy }, async sandbox => {
      writeFileSync(join(sandbox.project, 'package.json'), '{}')
      expect(await afterRun(sandbox, 'npm test | tail')).toContain('after a pipe')
      expect(await afterRun(sandbox, 'npm test')).toBe('')
      expect(await afterRun(sandbox, 'echo x > a')).not.toContain('after a pipe')
    }))

  it('tells each caller of its own runs', () =>
    withInProcessSandbox({ user: policy }, async sandbox => {
      writeFileSync(join(sandbox.project, 'package.json'), '{}')
      const agent = (id: string) => ({ caller: { agent_id: id, agent_type: 'coder' } })
      expect(await afterRun(sandbox, 'npm test | tail', agent('a'))).toContain('after a pipe')
      fresh(await afterRun(sandbox, 'ls', agent('b')))
      fresh(await afterRun(sandbox, 'ls'))
      expect(await afterRun(sandbox, 'npm test || true', agent('b'))).toContain('because of `||`')
      expect(await afterRun(sandbox, 'pwd', agent('a'))).toContain('after a pipe')
    }))
})

describe('the same script run', () => {
  it.each([
    'npm test',
    'npm t',
    'npm tst',
    'npm run -s test',
    'npm run --silent test',
    'npm run test',
    'npm run-script test',
    'npm -s run test',
    'npm t -- --coverage',
  ])('counts: %s', async command => {
    expect(await played(command)).toBe('')
  })

  it('counts with its output in a file that closes nothing', async () => {
    expect(await played('npm test > out.log', {}, ', path: src/')).toBe('')
    expect(await played('npm run test > out.log 2>&1', {}, ', path: src/')).toBe('')
  })

  it.each([
    'npm run tests',
    'npm run test:unit',
    'npm --prefix docs t',
    'npm run test src/a.test.ts',
    'npm tes',
    'bun run test',
    'yarn test',
  ])('does not count: %s', async command => {
    expect(await played(command)).toMatch(/^Run `npm test` first\./)
  })
})

/** The gate waits for this command. */
const waitsFor = (command: string) => gate('').replaceAll('npm test', command)

const ranWhere = (policy: string, command: string, how = {}) =>
  withInProcessSandbox({ user: policy }, async sandbox => {
    for (const name of ['package.json', 'Cargo.toml', 'pyproject.toml'])
      writeFileSync(join(sandbox.project, name), '{}')
    return afterRun(sandbox, command, how)
  })

describe('another spelling of the same command', () => {
  it.each([
    ['cargo test', 'cargo t'],
    ['cargo test', 'cargo t --workspace'],
    ['cargo build', 'cargo -q b --release'],
    ['cargo test', 'cargo test'],
    ['pytest', 'python -m pytest'],
    ['pytest', 'python3 -m pytest -q --tb=short'],
    ['pytest', '/usr/bin/python3 -u -m pytest'],
    ['mypy src', 'python -m mypy src'],
    ['python -m pytest', 'python -m pytest'],
  ])('counts for `%s`: %s', async (wanted, command) => {
    expect(await ranWhere(waitsFor(wanted), command)).toBe('')
  })

  it.each([
    ['cargo test', 'cargo t some_test', /`some_test` may make it a partial check/],
    ['cargo test', 'cargo t | tail', /after a pipe/],
    ['cargo test', 'cargo b', /^Run `cargo test` first\.$/],
    ['pytest', 'python -m pytest tests/a.py', /did not count: `tests\/a\.py` may make it a partial check/],
    ['pytest', 'python -m pytest -k one', /did not count: `-k`, `one` may make it a partial check/],
    ['pytest', 'python -m pytest --collect-only', /did not count/],
    ['pytest', 'python -m pytest; true', /the exit code is that of the last command/],
    ['pytest', './bin/python -m pytest', /did not count/],
    ['pytest', 'cd /elsewhere && python -m pytest', /another folder/],
    ['pytest', 'python -W error -m pytest', /did not count: `-W`, `error` may make it a partial check/],
    ['pytest', 'python -c pass -m pytest', /^Run `pytest` first\.$/],
    ['pytest', 'python a.py -m pytest', /^Run `pytest` first\.$/],
    ['pytest', 'python -m pytest_mock', /^Run `pytest` first\.$/],
    ['pytest', 'python -m $MODULE', /^Run `pytest` first\.$/],
  ])('does not count for `%s`: %s', async (wanted, command, told) => {
    expect(await ranWhere(waitsFor(wanted), command)).toMatch(told)
  })
})

it('names the module of Python where the gate suggests nothing', async () => {
  const policy = waitsFor('pytest')
    .replace(/ +suggest:.*\n/, '')
    .replace('{suggest}', 'the tests')
  expect(await ranWhere(policy, 'python -m pytest -k one')).toContain('Run `python -m pytest` alone.')
})

describe('a run of a similar program', () => {
  it.each([
    ['npm test', 'yarn test'],
    ['npm test', 'pnpm t'],
    ['npm test', 'bun test'],
    ['npm test', 'bun run test'],
    ['npm run build', 'yarn build'],
    ['pnpm test', 'npm run test'],
    ['python -m pytest', 'pytest -q'],
    ['python -m pytest', 'python3 -m pytest'],
    ['make test', 'gmake test'],
  ])('does not count for `%s`, and the next denial says so: %s', async (wanted, command) => {
    const why = `did not count: it is not \`${wanted}\`, which the policy names. Run \`${wanted}\`.`
    expect(await ranWhere(waitsFor(wanted), command)).toBe(
      `Run \`${wanted}\` first.\nYour last run, \`${command}\`, ${why}`,
    )
    expect(await ranWhere(waitsFor(wanted), command, { fails: true })).toContain(why)
  })

  it.each([
    ['npm test', 'yarn install'],
    ['npm test', 'yarn lint'],
    ['npm test', 'make test'],
    ['npm test', 'python -m pytest'],
    ['npm test', 'echo yarn test'],
  ])('says nothing for `%s` of %s', async (wanted, command) => {
    expect(await ranWhere(waitsFor(wanted), command)).toBe(`Run \`${wanted}\` first.`)
  })
})
