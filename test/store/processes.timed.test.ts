import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { AT, count, Ground, KEY } from '../support/store/records.ts'
import { verifyStore } from '../support/store/verify-store.ts'

// inside the project, where the worker finds its packages
const FOLDER = resolve(import.meta.dirname, `../../node_modules/.cache/signalbox-${process.pid}`)
const WORKER = join(FOLDER, 'worker.mjs')

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true })
  const entryPoints = [join(import.meta.dirname, 'worker.ts')]
  await build({ entryPoints, outfile: WORKER, bundle: true, platform: 'node', format: 'esm', target: 'node20' })
})
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

let ground: Ground
beforeEach(() => {
  ground = new Ground()
})
afterEach(() => ground.end())

interface Worker {
  readonly child: ChildProcess
  readonly answers: readonly number[]
  readonly complaint: () => string
}

function start(times: number): Worker {
  const child = spawn(process.execPath, [WORKER, ground.state, String(times)])
  let printed = ''
  let complaint = ''
  child.stdout.on('data', chunk => {
    printed += chunk
  })
  child.stderr.on('data', chunk => {
    complaint += chunk
  })
  return {
    child,
    complaint: () => complaint,
    get answers() {
      return printed.split('\n').slice(0, -1).map(Number)
    },
  }
}

const operations = (): number =>
  ground.store().transact(KEY, AT, ({ session }) => ({ records: [], result: session.gates.g?.operations ?? 0 }))

it('eight processes in one session lose no update and break no chain', { timeout: 120_000 }, async () => {
  const each = 1250
  const workers = Array.from({ length: 8 }, () => start(each))
  await Promise.all(workers.map(({ child }) => once(child, 'close')))
  expect(workers.map(({ complaint }) => complaint())).toEqual(Array(8).fill(''))
  const answers = workers.flatMap(worker => worker.answers).sort((a, b) => a - b)
  expect(answers).toEqual(Array.from({ length: 8 * each }, (_, nth) => nth + 1))
  expect(operations()).toBe(8 * each)
  expect(verifyStore(ground.store())).toEqual({ ok: true, records: 8 * each, from: 0, to: 8 * each, problems: [] })
})

it('processes that are the first, all at the same moment, make one state', { timeout: 60_000 }, async () => {
  for (let round = 0; round < 10; round++) {
    rmSync(ground.state, { recursive: true, force: true })
    const workers = Array.from({ length: 6 }, () => start(3))
    await Promise.all(workers.map(({ child }) => once(child, 'close')))
    expect(workers.map(({ complaint }) => complaint())).toEqual(Array(6).fill(''))
    expect(operations()).toBe(18)
    expect(verifyStore(ground.store())).toMatchObject({ ok: true })
  }
})

it('processes that find the state damaged at the same moment begin anew once', { timeout: 60_000 }, async () => {
  for (let round = 0; round < 5; round++) {
    mkdirSync(ground.state, { recursive: true })
    writeFileSync(ground.file(), 'no database '.repeat(1000))
    const workers = Array.from({ length: 12 }, () => start(5))
    await Promise.all(workers.map(({ child }) => once(child, 'close')))
    expect(workers.map(({ complaint }) => complaint())).toEqual(Array(12).fill(''))
    expect(operations()).toBe(60)
    expect(readdirSync(ground.state).filter(name => name.includes('damaged'))).toHaveLength(1)
    expect(verifyStore(ground.store())).toMatchObject({ ok: true, records: 61 })
    rmSync(ground.state, { recursive: true, force: true })
  }
})

it('a lock that keeps everyone out costs an event its waiting once, however often it asks', async () => {
  await once(start(1).child, 'close')
  ground.database().exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  const store = ground.store()
  const asks = [
    () => store.rootOf(KEY),
    () => store.recall(KEY, 'x'),
    () => store.transact(KEY, AT, ({ session }) => count(session)),
  ]
  const took = asks.map(ask => {
    const began = performance.now()
    expect(ask).toThrow(/locked by another process/)
    return performance.now() - began
  })
  // against the first, which waits longer on a busy machine
  const [first = 0, ...others] = took
  expect(others.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(first / 3)
})

it('a writer that is killed loses nothing that it answered', { timeout: 60_000 }, async () => {
  for (let round = 0; round < 5; round++) {
    const worker = start(1_000_000)
    const other = start(1_000_000)
    await expect
      .poll(() => [worker, other].map(({ answers, complaint }) => complaint() || answers.length > 50), {
        timeout: 9000,
      })
      .toEqual([true, true])
    worker.child.kill('SIGKILL')
    other.child.kill('SIGKILL')
    await Promise.all([worker, other].map(({ child }) => once(child, 'close')))
    expect(worker.complaint() + other.complaint()).toBe('')
    const last = Math.max(...worker.answers, ...other.answers)
    const counted = operations()
    // at most one step each was committed and not yet printed
    expect(counted).toBeGreaterThanOrEqual(last)
    expect(counted).toBeLessThanOrEqual(last + 2)
    expect(verifyStore(ground.store())).toMatchObject({ ok: true, records: counted })
  }
})
