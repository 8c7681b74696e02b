import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientById, clients, type Reply } from '../../src/clients/index.ts'
import * as shell from '../../src/engine/shell/index.ts'
import { createServices, handleEvent } from '../../src/hook/index.ts'
import { debugTrace } from '../../src/hook/reply/debug-trace.ts'
import * as regex from '../../src/hook/services/regex.ts'
import * as compiler from '../../src/policy/compile/compiler.ts'

interface TraceOptions {
  readonly payload: string
  readonly client: string
  /** the text of a project policy; without it only the built-in gates are in force */
  readonly policy: string | undefined
  /** an empty folder for the project, the home folder and the state */
  readonly folder: string
}

/** Plays one payload as often as wanted, each time as a new event of the same session. */
export function openTrace({ payload, client: id, policy, folder }: TraceOptions): {
  readonly play: () => Promise<Reply>
} {
  const client = clientById(id)
  if (!client) throw new Error(`unknown client \`${id}\`; there are ${clients.map(one => one.id).join(', ')}`)
  const project = join(folder, 'project')
  mkdirSync(join(project, '.git'), { recursive: true })
  if (policy !== undefined) writeFileSync(join(project, 'signalbox.yaml'), policy)
  const env = { HOME: folder, SIGNALBOX_HOME: join(folder, 'home'), PATH: process.env.PATH }
  const services = createServices(env, {
    client: () => client,
    clients: () => clients,
    shell: () => shell,
    regex: () => regex,
    compiler: () => compiler,
    packsDir: join(process.cwd(), 'packs'),
    debugTrace: () => debugTrace,
    codeWorker: join(process.cwd(), 'dist/code-worker.mjs'),
  })
  let count = 0
  const play = async (): Promise<Reply> => {
    const fields = JSON.parse(payload)
    // another id each time, or the recorded reply would be repeated
    const text = JSON.stringify({ ...fields, cwd: project, tool_use_id: `trace_${count++}`, session_id: 'trace' })
    const call = { client, text, bytes: Buffer.from(text), env, cwd: project, now: Date.now() }
    const result = await handleEvent({ ...call, arrivedAt: process.uptime() * 1000 }, services)
    if ('requiresOneShot' in result) throw new Error(result.requiresOneShot)
    return result
  }
  return { play }
}
