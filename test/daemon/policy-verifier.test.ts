import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PolicyVerifier, type PolicyVerifierOptions } from '../../src/hook/daemon/policy-verifier.ts'

/** A process that ends when the test says so. It has no id: nobody lowers the priority of another. */
class FakeProcess extends EventEmitter {
  readonly stdout = new PassThrough()
  isKilled = false

  unref(): void {}

  kill(): boolean {
    this.isKilled = true
    return true
  }

  async print(text: string): Promise<void> {
    this.stdout.end(text)
    await new Promise(done => this.stdout.once('end', done))
    this.emit('close')
  }
}

const PROVEN = JSON.stringify({ proof: { complete: true, findings: [] } })
const QUIET_MS = 2000

function verifier(isKnown = (_: string) => false) {
  const lines: string[] = []
  const started: { readonly folder: unknown; readonly process: FakeProcess }[] = []
  const spawn = (_program: string, _args: readonly string[], { cwd }: { cwd?: unknown }) => {
    const process = new FakeProcess()
    started.push({ folder: cwd, process })
    return process as unknown as ReturnType<NonNullable<PolicyVerifierOptions['spawn']>>
  }
  const options = { command: ['check'], isKnown, quietMs: QUIET_MS, spawn }
  return { lines, started, verifier: new PolicyVerifier(options, line => lines.push(line)) }
}

const policy = (hash: string, folder = '/') => ({ hash, folder, env: {} })

describe('the verifier of policies in use', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('waits until no event has come for a while, but not for ever', () => {
    const { started, verifier: one } = verifier()
    one.see(policy('a'))
    vi.advanceTimersByTime(QUIET_MS - 1)
    one.see(policy('a'))
    vi.advanceTimersByTime(QUIET_MS - 1)
    expect(started).toEqual([])
    for (let ms = 0; ms < 30_000; ms += 1000) {
      one.see(policy('a'))
      vi.advanceTimersByTime(1000)
    }
    expect(started.length).toBe(1)
  })

  it('keeps few waiting: who is left out comes again with the next event', () => {
    const asked: string[] = []
    const { verifier: one } = verifier(hash => asked.push(hash) > 0)
    for (let nth = 0; nth < 40; nth++) one.see(policy(`p${nth}`, `/f${nth}`))
    vi.advanceTimersByTime(60_000)
    expect(asked).toEqual(Array.from({ length: 16 }, (_, nth) => `p${24 + nth}`))
    one.see(policy('p0', '/f0'))
    vi.advanceTimersByTime(60_000)
    expect(asked.at(-1)).toBe('p0')
  })

  it('proves a policy once in each folder, one after the other', async () => {
    const { lines, started, verifier: one } = verifier()
    for (const hash of ['a', 'a', 'a']) one.see(policy(hash))
    one.see(policy('a', '/usr'))
    vi.advanceTimersByTime(60_000)
    expect(started.map(({ folder }) => folder)).toEqual(['/'])
    vi.setSystemTime(Date.now() + 7)
    await started[0]?.process.print(PROVEN)
    vi.advanceTimersByTime(QUIET_MS)
    await started[1]?.process.print(PROVEN)
    one.see(policy('a'))
    vi.advanceTimersByTime(60_000)
    expect(started.map(({ folder }) => folder)).toEqual(['/', '/usr'])
    expect(lines.map(line => line.replace(/\d+ ms/, 'N ms'))).toEqual([
      'verification of the policy in /: no agent gets stuck, N ms',
      'verification of the policy in /usr: no agent gets stuck, N ms',
    ])
  })

  it('leaves alone what is known, and says where the verification failed', async () => {
    const { lines, started, verifier: one } = verifier(hash => hash === 'known')
    one.see(policy('known'))
    one.see(policy('new', '/usr'))
    one.see(policy('gone', '/no/such/folder'))
    vi.advanceTimersByTime(QUIET_MS)
    await started[0]?.process.print('')
    vi.advanceTimersByTime(QUIET_MS)
    started[1]?.process.emit('error', new Error('ENOENT'))
    expect(lines.join('\n')).toMatch(
      /in \/usr: the verification failed.*\n.*in \/no\/such\/folder: the verification failed/,
    )
  })

  it('never calls a search that was cut short a proof', async () => {
    const { lines, started, verifier: one } = verifier()
    one.see(policy('a'))
    vi.advanceTimersByTime(QUIET_MS)
    await started[0]?.process.print(JSON.stringify({ proof: { complete: false, withinSteps: 4, findings: [] } }))
    expect(lines[0]).toContain('nothing found within 4 steps, not complete')
  })

  it('ends with its daemon', async () => {
    const { lines, started, verifier: one } = verifier()
    one.see(policy('a'))
    vi.advanceTimersByTime(QUIET_MS)
    one.stop()
    one.see(policy('b'))
    vi.advanceTimersByTime(60_000)
    await started[0]?.process.print(PROVEN)
    expect([started.length, started[0]?.process.isKilled, lines]).toEqual([1, true, []])
  })
})
