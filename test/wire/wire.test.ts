import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withSandbox } from '../sandbox.ts'

/**
 * One folder a case: `stdin.json` is what the client sends, `reply.json` what the hook process does. A case may bring a
 * project policy (`signalbox.yaml`), a person's (`user.yaml`), files of the project (`files/`), events before it
 * (`before.jsonl`) and more of the call (`call.json`: args, env, programs). The case runs the hook's bundle in this process; the first three of a client run the real command. `UPDATE=1` writes the replies: read them before you commit.
 */
const HERE = import.meta.dirname
const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)

/** How long it took is another number each time. */
const timeless = (key: string, value: unknown) => (key === 'decision_time_ms' && typeof value === 'number' ? 0 : value)

const policiesOf = (folder: string) => ({
  project: read(join(folder, 'signalbox.yaml')),
  user: read(join(folder, 'user.yaml')),
})

/** So many cases of a client run the real command. */
const PROCESSES = 3

for (const client of readdirSync(HERE, { withFileTypes: true }).filter(one => one.isDirectory())) {
  describe.concurrent(`on the wire of ${client.name}`, () => {
    for (const [at, name] of readdirSync(join(HERE, client.name)).entries()) {
      const folder = join(HERE, client.name, name)
      const isProcess = at < PROCESSES
      it(name.replaceAll('-', ' '), () =>
        withSandbox(policiesOf(folder), async sandbox => {
          const call = JSON.parse(read(join(folder, 'call.json')) ?? '{}')
          if (existsSync(join(folder, 'files'))) sandbox.bring(join(folder, 'files'))
          const before = (read(join(folder, 'before.jsonl')) ?? '').split('\n').filter(Boolean)
          const hook = (text: string) =>
            isProcess ? sandbox.hook(client.name, text, call) : sandbox.hookInProcess(client.name, text, call)
          for (const line of before) await hook(line)
          const { stdout, ...rest } = await hook(read(join(folder, 'stdin.json')) ?? '')
          const reply = { ...rest, stdout: stdout === '' ? '' : JSON.parse(stdout, timeless) }
          const file = join(folder, 'reply.json')
          if (process.env.UPDATE) writeFileSync(file, `${JSON.stringify(reply, null, 2)}\n`)
          expect(reply).toEqual(JSON.parse(readFileSync(file, 'utf8')))
        }),
      )
    }
  })
}
