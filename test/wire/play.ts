import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { HookCall, InProcessSandbox, Policies, Ran } from '../support/in-process-sandbox.ts'

const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)

/** How long it took is another number each time. */
const timeless = (key: string, value: unknown) => (key === 'decision_time_ms' && typeof value === 'number' ? 0 : value)

/** So many cases of a client run the real command, all others the hook's bundle in the test process. */
const PROCESSES = 3

interface Way<S extends InProcessSandbox> {
  readonly runs: 'in this process' | 'as a process'
  readonly sandbox: (policies: Policies, work: (sandbox: S) => Promise<void>) => Promise<void>
  readonly hook: (sandbox: S, client: string, payload: string, call: HookCall) => Promise<Ran>
}

/**
 * One folder a case: `stdin.json` is what the client sends, `reply.json` what the hook process does. A case may bring a
 * project policy (`signalbox.yaml`), a person's (`user.yaml`), files of the project (`files/`), events before it
 * (`before.jsonl`) and more of the call (`call.json`: args, env, programs). `UPDATE=1` writes the replies: read them before you commit.
 */
export function playWireCases<S extends InProcessSandbox>(way: Way<S>): void {
  for (const client of readdirSync(import.meta.dirname, { withFileTypes: true }).filter(one => one.isDirectory())) {
    const folder = join(import.meta.dirname, client.name)
    const names = readdirSync(folder)
    const chosen = way.runs === 'as a process' ? names.slice(0, PROCESSES) : names.slice(PROCESSES)
    describe.concurrent(`on the wire of ${client.name}`, () => {
      for (const name of chosen) {
        it(name.replaceAll('-', ' '), () => playCase(way, client.name, join(folder, name)))
      }
    })
  }
}

function playCase<S extends InProcessSandbox>(way: Way<S>, client: string, folder: string): Promise<void> {
  const policies = { project: read(join(folder, 'signalbox.yaml')), user: read(join(folder, 'user.yaml')) }
  return way.sandbox(policies, async sandbox => {
    const call: HookCall = JSON.parse(read(join(folder, 'call.json')) ?? '{}')
    if (existsSync(join(folder, 'files'))) sandbox.bring(join(folder, 'files'))
    const before = (read(join(folder, 'before.jsonl')) ?? '').split('\n').filter(Boolean)
    for (const line of before) await way.hook(sandbox, client, line, call)
    const { stdout, ...rest } = await way.hook(sandbox, client, read(join(folder, 'stdin.json')) ?? '', call)
    const reply = { ...rest, stdout: stdout === '' ? '' : JSON.parse(stdout, timeless) }
    const file = join(folder, 'reply.json')
    if (process.env.UPDATE) writeFileSync(file, `${JSON.stringify(reply, null, 2)}\n`)
    expect(reply).toEqual(JSON.parse(readFileSync(file, 'utf8')))
  })
}
