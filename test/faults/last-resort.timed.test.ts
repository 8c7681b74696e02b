import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clientById, clients } from '../../src/clients/index.ts'
import { FIXTURES } from '../support/clients/payloads.ts'
import { understood } from '../support/clients/replies.ts'
import { childCpuMs } from '../support/cpu-time.ts'
import { BIN, type Ran, type Sandbox, withSandbox } from '../support/sandbox.ts'

const POLICY = `gates:
  g:
    onError: closed
    rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Do not push. }]
`
const CLIENT = 'claude-code'
const CALL = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: { command: 'ls' } }

/** The command without the program behind it. */
function alone(sandbox: Sandbox): string {
  const bin = join(sandbox.folder, 'copy/bin/signalbox.cjs')
  cpSync(dirname(BIN), dirname(bin), { recursive: true })
  return bin
}

/** The policy has been in force before: its posture is known. */
async function inForce(sandbox: Sandbox, env: Record<string, string> = {}): Promise<string> {
  const input = JSON.stringify({ ...CALL, cwd: sandbox.project })
  await sandbox.run(['hook', '--client', CLIENT], { input, env })
  return alone(sandbox)
}

const isRefused = ({ exitCode, stdout }: Ran): boolean => exitCode === 2 && stdout === ''

describe.each(clients.map(({ id }) => id))('%s without a program', client => {
  const kinds = Object.entries(FIXTURES[client] ?? {})

  it.each(kinds)('%s: only calls and requests for permission are refused, in its own words', (kind, payload) =>
    withSandbox({}, async sandbox => {
      const args = ['hook', '--client', client, '--on-error', 'closed']
      const reply = await sandbox.run(args, { input: JSON.stringify(payload), bin: alone(sandbox) })
      const { exitCode, stdout, stderr } = reply
      if (exitCode !== 0 && exitCode !== 2) throw new Error(`exit code ${exitCode}`)
      const name = clientById(client)?.decode(payload, {})[0]?.name ?? kind
      const { decision, reason } = understood(client, { exitCode, stdout, stderr }, name)
      // the last call of an agent is its stop, and a call
      const refused = kind === 'tool.before' || kind === 'permission.request' || /BeforeTool/.test(name)
      expect([decision === 'deny', reason.includes('could not be evaluated')]).toEqual([refused, refused])
    }),
  )

  it('refuses by exit code only where the client hears it', () => {
    const one = clients.find(({ id }) => id === client)
    for (const name of one?.refusable ?? []) {
      const { exitCode, stdout } = one?.failure('closed', { name }, 'boom') ?? {}
      expect([name, exitCode === 2 || stdout !== '']).toEqual([name, true])
    }
  })
})

it('a request for permission is refused in JSON, which alone is heard', () =>
  withSandbox({}, async sandbox => {
    const input = JSON.stringify({ ...CALL, hook_event_name: 'PermissionRequest' })
    const args = ['hook', '--client', CLIENT, '--on-error', 'closed']
    const { exitCode, stdout } = await sandbox.run(args, { input, bin: alone(sandbox) })
    expect([exitCode, JSON.parse(stdout).hookSpecificOutput.decision]).toEqual([
      0,
      { behavior: 'deny', message: expect.stringMatching(/the policy denies it: Cannot find module/) },
    ])
  }))

describe('the project whose posture counts', () => {
  const elsewhere = (sandbox: Sandbox, client: string, env: Record<string, string>, bin: string) => {
    const event = clients.find(({ id }) => id === client)?.refusable[0] ?? 'PreToolUse'
    return sandbox.run(['hook', '--client', client, '--event', event], { input: '{', bin, cwd: sandbox.home, env })
  }

  it.each(clients.flatMap(({ id, projectEnv }) => (projectEnv ? [[id, projectEnv]] : [])))(
    'is named to %s by %s',
    (client, variable) =>
      withSandbox({ project: POLICY }, async sandbox => {
        const bin = await inForce(sandbox)
        const refuses = async (folder: string) => {
          const { exitCode, ...said } = await elsewhere(sandbox, client ?? '', { [variable ?? '']: folder }, bin)
          const reply = { exitCode: exitCode === 2 ? (2 as const) : (0 as const), ...said }
          const event = clientById(client ?? '')?.refusable[0] ?? ''
          return understood(client ?? '', reply, event).decision === 'deny' && (exitCode === 2 || exitCode === 0)
        }
        expect(await refuses(sandbox.home)).toBe(false)
        for (const folder of ['', '/', '/.', '/src/..', '/src/deep'])
          expect([folder, await refuses(`${sandbox.project}${folder}`)]).toEqual([folder, true])
      }),
  )

  it('may be named by any such variable, to a client that nobody knows', () =>
    withSandbox({ project: POLICY }, async sandbox => {
      const bin = await inForce(sandbox)
      const env = { SOME_PROJECT_DIR: sandbox.project }
      expect(isRefused(await elsewhere(sandbox, 'nobody', env, bin))).toBe(true)
      expect(isRefused(await elsewhere(sandbox, CLIENT, env, bin))).toBe(false)
      rmSync(join(dirname(bin), 'clients.json'))
      expect(isRefused(await elsewhere(sandbox, CLIENT, env, bin))).toBe(true)
    }))

  it('encloses where the agent is, or where the hook runs', () =>
    withSandbox({ project: POLICY }, async sandbox => {
      const bin = await inForce(sandbox)
      const inner = join(sandbox.project, 'vendor/other')
      mkdirSync(join(inner, '.git'), { recursive: true })
      const run = (cwd: string, at: string) =>
        sandbox.run(['hook', '--client', CLIENT], { input: JSON.stringify({ ...CALL, cwd: at }), bin, cwd })
      expect(isRefused(await run(sandbox.home, inner))).toBe(true)
      expect(isRefused(await run(inner, sandbox.home))).toBe(true)
      expect(isRefused(await run(sandbox.home, sandbox.home))).toBe(false)
    }))

  it('is found although the folder of the hook is gone', () =>
    withSandbox({ project: POLICY }, async sandbox => {
      const bin = await inForce(sandbox)
      const input = JSON.stringify({ ...CALL, cwd: sandbox.project })
      const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" hook --client claude-code'
      const env = { PATH: process.env.PATH, HOME: sandbox.home, SIGNALBOX_HOME: sandbox.home }
      const run = (file: string) => {
        try {
          execFileSync('sh', ['-c', script, process.execPath, file], { input, env, cwd: sandbox.home, stdio: 'pipe' })
          return 0
        } catch (error) {
          return error instanceof Error && 'status' in error ? error.status : error
        }
      }
      expect(run(bin)).toBe(2)
      expect(run(BIN)).toBe(0)
    }))

  it('is found where the state is, whatever a relative variable says', () =>
    withSandbox({ project: POLICY }, async sandbox => {
      const env = { SIGNALBOX_HOME: '', XDG_STATE_HOME: 'not/absolute' }
      const bin = await inForce(sandbox, env)
      const input = JSON.stringify({ ...CALL, cwd: sandbox.project })
      expect(isRefused(await sandbox.run(['hook', '--client', CLIENT], { input, bin, env }))).toBe(true)
    }))

  it.each(['/a'.repeat(200_000), 5, '', 'relative', '\0', { a: 1 }])('is not held up by a folder that is none', cwd =>
    withSandbox({ project: POLICY }, async sandbox => {
      const bin = await inForce(sandbox)
      const began = childCpuMs()
      const run = sandbox.run(['hook', '--client', CLIENT], { input: JSON.stringify({ ...CALL, cwd }), bin })
      expect(isRefused(await run)).toBe(true)
      expect(childCpuMs() - began).toBeLessThan(2000)
    }),
  )
})
