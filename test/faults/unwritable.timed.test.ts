import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { Connection, SqliteStore } from '../../src/store/index.ts'
import type { Ran } from '../support/sandbox.ts'
import { verifyStore } from '../support/store/verify-store.ts'
import { CLIENTS, dialectOf, Place, type Way } from './hook-starters.ts'

/**
 * A disk that cannot be written, after the state was, or before anything was: calls are judged by what was known, on every client alike. Nothing
 * but a mount of its own keeps root from writing, and nobody but root may mount one.
 */
const isRoot = process.getuid?.() === 0
const NO_MOUNT = canMount() ? undefined : 'a disk of its own cannot be mounted here: that takes root, with the right to'

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-mount-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
  if (status === 0) spawnSync('umount', ['-l', folder])
  rmdirSync(folder)
  return status === 0
}

const POLICY = (onError: string): string => `gates:
  tests:
    initial: closed
    onError: ${onError}
    transitions:
      - { from: closed, to: open, when: { event: prompt.submit, prompt: { regex: tests are green } } }
      - { from: open, to: closed, when: { event: prompt.submit, prompt: { regex: tests are red } } }
    rules:
      - { while: closed, when: { event: tool.before, command: git commit }, then: deny, message: Run the tests. }
  never:
    rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Do not push. }]
`

class Disk extends Place {
  constructor(
    way: Way,
    private readonly client: string,
    onError = 'open',
  ) {
    super(way, 'open')
    writeFileSync(join(this.home, 'signalbox.yaml'), POLICY(onError))
  }

  private nth = 0

  ask(payload: object): Promise<Ran> {
    const marked = { ...payload, nth: ++this.nth }
    const text = JSON.stringify(marked).replaceAll('/home/dev/proj', this.project)
    // the plugin of opencode asks for more than the policy does
    const args = this.client === 'opencode' ? ['--on-error', 'closed'] : []
    return this.call(this.client, text, {
      args,
      env: this.way === 'one-shot' ? { SIGNALBOX_DAEMON: 'off', TMPDIR: this.folder } : {},
    })
  }

  shell = (command: string): Promise<Ran> => this.ask(dialectOf(this.client).call(command))

  say = (prompt: string): Promise<Ran> =>
    this.ask(JSON.parse(JSON.stringify(dialectOf(this.client).prompt).replaceAll('"hi"', JSON.stringify(prompt))))

  stop = (): Promise<Ran> => this.ask(dialectOf(this.client).stop)

  refuses = async (command: string): Promise<boolean> => dialectOf(this.client).refuses(await this.shell(command))

  /** The state goes to a disk of its own, with all that is in it. */
  mount(): void {
    const before = `${this.state}-before`
    mkdirSync(this.state, { recursive: true, mode: 0o700 })
    if (NO_MOUNT) return
    renameSync(this.state, before)
    mkdirSync(this.state, { mode: 0o700 })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=700', 'tmpfs', this.state])
    this.mounts.push(this.state)
    cpSync(before, this.state, { recursive: true })
    rmSync(before, { recursive: true })
  }

  fill(): void {
    for (const size of [1 << 20, 4096, 1])
      for (let nth = 0; nth < 4096; nth++)
        try {
          writeFileSync(join(this.state, `filler-${size}`), Buffer.alloc(size), { flag: 'a' })
        } catch {
          break
        }
  }

  empty(): void {
    for (const size of [1 << 20, 4096, 1]) rmSync(join(this.state, `filler-${size}`), { force: true })
  }

  /** Of the folder and all in it: a log that is there can be written though the folder cannot. */
  allow = (mode: string): unknown => spawnSync('chmod', ['-R', mode, this.state])

  readOnly = (): unknown => execFileSync('mount', ['-o', 'remount,ro', this.state])
  writable = (): unknown => execFileSync('mount', ['-o', 'remount,rw', this.state])
}

const FAULTS = {
  'full disk': { without: NO_MOUNT, break: (disk: Disk) => disk.fill(), mend: (disk: Disk) => disk.empty() },
  'read-only disk': {
    ...{ without: NO_MOUNT, break: (disk: Disk) => disk.readOnly(), mend: (disk: Disk) => disk.writable() },
  },
  'folder without permission': {
    without: isRoot ? 'root needs no permission' : undefined,
    break: (disk: Disk) => disk.allow('u-w'),
    mend: (disk: Disk) => disk.allow('u+w'),
  },
}
for (const [name, { without }] of Object.entries(FAULTS)) if (without) console.warn(`${name}: skipped, ${without}`)

const said = ({ stdout }: Ran): boolean => /the database cannot be written/.test(stdout)

async function on<T>(disk: Disk, work: (disk: Disk) => Promise<T>): Promise<T> {
  try {
    return await work(disk)
  } finally {
    disk.allow('u+w')
    disk.end()
  }
}

describe.each(Object.entries(FAULTS))('%s', { timeout: 120_000 }, (name, fault) => {
  beforeEach(({ skip }) => skip(fault.without !== undefined, fault.without))

  it.each(CLIENTS)('%s judges by the state of before', async client => {
    await on(new Disk('one-shot', client), async disk => {
      await disk.say('go')
      disk.mount()
      fault.break(disk)
      expect(await disk.refuses('git commit -m x')).toBe(true)
      expect(await disk.refuses('git push')).toBe(true)
      expect(await disk.refuses('ls')).toBe(false)
      expect(await disk.refuses(`rm -rf ${disk.state}`)).toBe(true)
      fault.mend(disk)
      await disk.say('tests are green')
      expect(await disk.refuses('git commit -m y')).toBe(false)
      fault.break(disk)
      expect(await disk.refuses('git commit -m z')).toBe(false)
    })
  })

  it.each(CLIENTS)('%s tells the person once a session, and the trail of the gap', async client => {
    await on(new Disk('one-shot', client), async disk => {
      await disk.say('go')
      disk.mount()
      fault.break(disk)
      const replies = [await disk.shell('ls'), await disk.say('one'), await disk.shell('ls -a'), await disk.stop()]
      replies.push(await disk.say('two'), await disk.shell('ls -b'), await disk.stop())
      expect(replies.filter(said)).toHaveLength(1)
      fault.mend(disk)
      await disk.shell('ls -c')
      await disk.shell('ls -d')
      const gaps = disk.records().filter(({ name }) => name === 'store.gap')
      expect(gaps.map(({ notes }) => notes)).toEqual([[expect.stringMatching(/^events since .* may be missing/)]])
      expect(disk.store(verifyStore)).toMatchObject({ ok: true })
    })
  })

  it('is judged where nothing was ever written', async () => {
    await on(new Disk('one-shot', 'claude-code'), async disk => {
      disk.mount()
      fault.break(disk)
      expect(await disk.refuses('git commit -m x')).toBe(true)
      expect(await disk.refuses('ls')).toBe(false)
    })
  })

  it('closes a gate that fails closed, since what happened meanwhile is not known', async () => {
    await on(new Disk('one-shot', 'claude-code', 'closed'), async disk => {
      await disk.say('tests are green')
      expect(await disk.refuses('git commit -m x')).toBe(false)
      disk.mount()
      fault.break(disk)
      expect(await disk.refuses('git commit -m y')).toBe(true)
      expect(await disk.refuses('ls')).toBe(false)
    })
  })

  it.runIf(name === 'full disk')('is remembered by a process that stays until it can be written', async () => {
    await on(new Disk('one-shot', 'claude-code'), async disk => {
      disk.mount()
      const connection = new Connection(disk.state, { stays: true })
      const at = { root: disk.project, now: 1_800_000_000_000, expiryHours: 24 }
      const turn = (store: SqliteStore) =>
        store.transact({ client: 'c', session: 's' }, at, ({ session }) => ({
          ...{ session: { ...session, turn: session.turn + 1 }, records: [], result: session.turn },
        }))
      try {
        const store = new SqliteStore(connection)
        expect(turn(store)).toBe(0)
        fault.break(disk)
        expect([turn(store), turn(store), turn(store)]).toEqual([1, 2, 3])
        fault.mend(disk)
        expect(turn(store)).toBe(4)
      } finally {
        connection.close()
      }
      expect(disk.store(turn)).toBe(5)
      expect(disk.records().map(one => one.name)).toEqual(['store.gap'])
    })
  })
})
