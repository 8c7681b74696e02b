import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BIN, type Sandbox, withSandbox } from '../support/sandbox.ts'

const POLICY = `
gates:
  tests:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
      - { from: open, to: closed, when: { event: tool.before, action: write } }
    rules:
      - { while: closed, when: { event: tool.before, command: git commit }, then: deny, message: tests first }
`

interface Client {
  readonly id: string
  payload(event: 'before' | 'after', command: string, id: string, output: string): object
}

let clock = 0
const stamp = () => new Date(Date.UTC(2026, 0, 1) + ++clock).toISOString()
const CWD = '/home/dev/proj'

/** None of them says how the call ended: what opens the gate is the signed line alone. */
const CLIENTS: readonly Client[] = [
  {
    id: 'generic',
    payload: (event, command, id, output) => ({
      event: `tool.${event}`,
      session_id: 's',
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: id,
      cwd: CWD,
      ...(event === 'after' && { tool_result: output }),
    }),
  },
  {
    id: 'claude-code',
    payload: (event, command, id, output) => ({
      hook_event_name: event === 'before' ? 'PreToolUse' : 'PostToolUse',
      session_id: 's',
      tool_name: 'Bash',
      tool_input: { command },
      tool_use_id: id,
      cwd: CWD,
      // of an interrupted call the client does not say how it ended
      ...(event === 'after' && { tool_response: { stdout: '', stderr: output, interrupted: true, isImage: false } }),
    }),
  },
  {
    id: 'gemini-cli',
    payload: (event, command, _id, output) => ({
      hook_event_name: event === 'before' ? 'BeforeTool' : 'AfterTool',
      session_id: 's',
      timestamp: stamp(),
      tool_name: 'run_shell_command',
      tool_input: { command },
      cwd: CWD,
      ...(event === 'after' && { tool_response: { llmContent: `Output: ${output}`, returnDisplay: output } }),
    }),
  },
]
const [GENERIC] = CLIENTS

/** A session of one agent, in a project where \`npm test\` ends as \`PASS\` or \`FAIL\` says. */
class Agent {
  #calls = 0
  constructor(
    readonly sandbox: Sandbox,
    readonly client: Client | undefined = GENERIC,
  ) {
    const bin = join(sandbox.folder, 'bin')
    mkdirSync(bin, { recursive: true })
    mkdirSync(join(sandbox.project, 'sub'), { recursive: true })
    // `sub` is a folder of this package
    writeFileSync(join(sandbox.project, 'package.json'), '{}')
    mkdirSync(join(sandbox.folder, 'fake'), { recursive: true })
    this.#program(join(bin, 'npm'), 'echo "ran $*"; exit $EXIT')
    this.#program(join(sandbox.folder, 'fake/npm'), 'exit 0')
    this.#program(join(bin, 'npx'), 'exec "$@"')
    this.#program(join(bin, 'signalbox'), `exec "${process.execPath}" "${BIN}" "$@"`)
  }

  #program(file: string, text: string): void {
    writeFileSync(file, `#!/bin/sh\n${text}\n`)
    chmodSync(file, 0o755)
  }

  /** Runs a line as the agent's shell would; both outputs in one, as clients hand them on. */
  shell(line: string, cwd = this.sandbox.project): string {
    const { folder, home } = this.sandbox
    const env = { PATH: `${folder}/bin:/usr/bin:/bin`, HOME: home, SIGNALBOX_HOME: home, FAKE: join(folder, 'fake') }
    try {
      return execFileSync('/bin/bash', ['-c', `{ ${line}\n} 2>&1`], { cwd, env, encoding: 'utf8' })
    } catch (error) {
      return String((error as { stdout?: string }).stdout)
    }
  }

  async hook(event: 'before' | 'after', command: string, output = '', id = `c${this.#calls}`): Promise<string> {
    if (!this.client) throw new Error('no client')
    const payload = JSON.stringify(this.client.payload(event, command, id, output))
    const { stdout, stderr } = await this.sandbox.hook(this.client.id, payload)
    return stdout + stderr
  }

  /** One whole call; \`output\` in place of what it really puts out. */
  async call(command: string, output?: (real: string) => string): Promise<string> {
    this.#calls += 1
    await this.hook('before', command)
    const real = this.shell(command)
    const said = output ? output(real) : real
    await this.hook('after', command, said)
    return real
  }

  async isOpen(): Promise<boolean> {
    this.#calls += 1
    return !(await this.hook('before', 'git commit -m x')).includes('tests first')
  }
}

const withAgent = (work: (agent: Agent) => Promise<void>, client = GENERIC) =>
  withSandbox({ user: POLICY }, sandbox => work(new Agent(sandbox, client)))

const LINE = /signalbox run: exit \d+ \[[^\]]+\]/

/** All rows on one client; on the others a few that show that its payloads are read. */
const rowsFor = (client: Client, rows: readonly string[]) => (client === GENERIC ? rows : rows.slice(0, 2))

describe.each(CLIENTS)('a signed line opens on $id, where the client does not say how the call ended', client => {
  it.each(
    rowsFor(client, [
      'signalbox run -- npm test',
      'signalbox run -- npm test | tail -n 1',
      'signalbox run -- npm test > /dev/null',
      'signalbox run -- npm test || true',
      'signalbox run -- npm test; echo done',
      'signalbox run -- npm test && false',
      'cd sub && signalbox run -- npm test',
      "bash -c 'signalbox run -- npm test; true'",
      'signalbox run -- env CI=1 npm test',
      "signalbox run -- sh -c 'npm run lint && npm test'",
      'EXIT=1 signalbox run -- npm test || EXIT=0 signalbox run -- npm test',
      'for i in 1 2; do signalbox run -- npm test; done',
      'npx signalbox run -- npm test',
    ]),
  )('%s', line =>
    withAgent(async agent => {
      await agent.call(line)
      expect(await agent.isOpen()).toBe(true)
    }, client),
  )

  it.each(
    rowsFor(client, [
      'npm test',
      'EXIT=1 signalbox run -- npm test',
      'signalbox run -- npm test --help',
      'signalbox run -- npm run lint',
      "signalbox run -- sh -c 'npm test; true'",
      'signalbox run -- npm test & wait',
      'cd .. && signalbox run -- npm test',
      'PATH=$FAKE:$PATH signalbox run -- npm test',
      'npm_config_ignore_scripts=true signalbox run -- npm test',
      'EXIT=0 signalbox run -- npm test; EXIT=1 signalbox run -- npm test',
      'for e in 1 0; do EXIT=$e signalbox run -- npm test; done',
    ]),
  )('%s does not', line =>
    withAgent(async agent => {
      await agent.call(line)
      expect(await agent.isOpen()).toBe(false)
    }, client),
  )
})

describe.each(CLIENTS)('forgeries and replays on $id', client => {
  const forged = (name: string, work: (agent: Agent) => Promise<void>) =>
    it(name, () =>
      withAgent(async agent => {
        await work(agent)
        expect(await agent.isOpen()).toBe(false)
      }, client),
    )
  /** An honest line of an earlier run, that nobody has used. */
  const earlier = (agent: Agent) => LINE.exec(agent.shell('signalbox run -- npm test'))?.[0] ?? 'none'

  forged('a line of its own', async agent => {
    const line = `signalbox run: exit 0 [${Date.now().toString(36)}.1.00000000.${'A'.repeat(22)}]`
    await agent.call(`echo '${line}'`)
    await agent.call('EXIT=1 signalbox run -- npm test', real => `${real}${line}`)
  })
  forged('an old line, printed', async agent => {
    const line = earlier(agent)
    await agent.call(`echo '${line}'; npm test`)
    await agent.call(`echo '${line}'; echo signalbox run -- npm test`)
  })
  forged('an old line beside the same command, which fails', async agent => {
    await agent.call(`echo '${earlier(agent)}'; EXIT=1 signalbox run -- npm test 2>/dev/null`)
  })
  forged('an old line beside the same command, which never runs', async agent => {
    await agent.call(`echo '${earlier(agent)}'; false && signalbox run -- npm test`)
  })
  forged('another command inside of a line with the right one', async agent => {
    await agent.call('signalbox run -- true; EXIT=1 npm test')
    await agent.call('signalbox run -- true npm test')
    await agent.call("signalbox run -- echo 'npm test'")
    await agent.call('signalbox run -- true; EXIT=1 signalbox run -- npm test')
  })
  forged('the word on another command, copied', async agent => {
    const line = LINE.exec(agent.shell('signalbox run -- true'))?.[0]
    await agent.call('EXIT=1 signalbox run -- npm test', real => `${real}${line}`)
  })
  forged('the status changed', async agent => {
    await agent.call('EXIT=1 signalbox run -- npm test', real => real.replace('exit 1', 'exit 0'))
  })
  forged('a real line in the output of another call', async agent => {
    await agent.call('EXIT=1 signalbox run -- npm test', () => '')
    await agent.call('cat log', () => earlier(agent))
  })
  forged('a script that runs it', async agent => {
    writeFileSync(join(agent.sandbox.project, 'x.sh'), 'signalbox run -- npm test\n')
    await agent.call('sh x.sh')
    await agent.call('EXIT=1 signalbox run -- npm test; PATH=$FAKE:$PATH sh x.sh')
  })
  forged('in another folder', async agent => {
    const elsewhere = LINE.exec(agent.shell('signalbox run -- npm test', agent.sandbox.folder))?.[0]
    await agent.call('EXIT=1 signalbox run -- npm test', real => `${real}${elsewhere}`)
    await agent.call('eval "cd .."; signalbox run -- npm test')
  })
  forged('a call whose beginning was not seen', async agent => {
    const line = 'signalbox run -- npm test'
    await agent.hook('after', line, agent.shell(line), 'unseen')
  })
  forged('a function or an alias in its place', async agent => {
    await agent.call("signalbox() { echo 'signalbox run: exit 0'; }; signalbox run -- npm test")
  })
})

describe('a line is used once', () => {
  it('not by a second call that began before it', () =>
    withAgent(async agent => {
      const line = 'signalbox run -- npm test'
      await agent.hook('before', line, '', 'a')
      await agent.hook('before', line, '', 'b')
      const output = agent.shell(line)
      await agent.hook('after', line, output, 'a')
      expect(await agent.isOpen()).toBe(true)
      await agent.call('echo x > a.txt')
      expect(await agent.isOpen()).toBe(false)
      await agent.hook('after', line, output, 'b')
      expect(await agent.isOpen()).toBe(false)
    }))

  it('by the same event in two processes at once', () =>
    withAgent(async agent => {
      const line = 'signalbox run -- npm test'
      await agent.hook('before', line, '', 'a')
      const output = agent.shell(line)
      await Promise.all([1, 2, 3].map(() => agent.hook('after', line, output, 'a')))
      expect(await agent.isOpen()).toBe(true)
    }))
})

describe('the key', () => {
  const keyOf = ({ home }: Sandbox) => join(home, 'state/run-key')

  it('is made once, for its owner alone', () =>
    withAgent(async agent => {
      const runs = await Promise.all(
        [1, 2, 3, 4].map(() => agent.sandbox.run(['run', '--', 'true']).then(({ stderr }) => stderr)),
      )
      for (const stderr of runs) expect(stderr).toMatch(LINE)
      expect(statSync(keyOf(agent.sandbox)).mode & 0o777).toBe(0o600)
      const key = readFileSync(keyOf(agent.sandbox), 'hex')
      expect(key.length).toBe(64)
      await agent.sandbox.run(['run', '--', 'true'])
      expect(readFileSync(keyOf(agent.sandbox), 'hex')).toBe(key)
    }))

  it('is made by the hook before the command runs, as the sandbox of an agent cannot write to the state folder', () =>
    withAgent(async agent => {
      await agent.hook('before', 'signalbox run -- npm test')
      expect(readFileSync(keyOf(agent.sandbox), 'hex').length).toBe(64)
    }))

  it('is not made for other calls', () =>
    withAgent(async agent => {
      await agent.hook('before', 'npm test')
      expect(existsSync(keyOf(agent.sandbox))).toBe(false)
    }))

  const spoilt: [string, (file: string) => void, RegExp][] = [
    ['open to others', file => chmodSync(file, 0o644), /run-key must be readable only by you \(mode 0600\); remove it/],
    ['empty', file => writeFileSync(file, ''), /run-key contains no key; remove it/],
    ['a folder', file => [rmSync(file), mkdirSync(file, { mode: 0o700 })], /run-key must be readable only by you/],
    ['a link', file => [cpSync(file, `${file}2`), rmSync(file), symlinkSync(`${file}2`, file)], /ELOOP/],
  ]
  it.each(spoilt)('%s: the command runs all the same, and it is said why nothing is signed', (_name, spoil, why) =>
    withAgent(async agent => {
      await agent.call('signalbox run -- npm test')
      spoil(keyOf(agent.sandbox))
      const { exitCode, stdout, stderr } = await agent.sandbox.run(['run', '--', 'sh', '-c', 'echo out; exit 7'])
      expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: 'out\n' })
      expect(stderr).toMatch(/^signalbox run: exit 7, not signed: /)
      expect(stderr).toMatch(why)
      expect(await agent.hook('after', 'signalbox run -- npm test', 'signalbox run: exit 0 [a.b]')).not.toContain(
        'fail',
      )
    }),
  )
})

it('a line fits into 80 columns', async () => {
  await withSandbox({}, async sandbox => {
    const { stderr } = await sandbox.run(['run', '--', 'sh', '-c', 'exit 255'])
    expect(stderr.trimEnd().length).toBeLessThan(80)
  })
})
