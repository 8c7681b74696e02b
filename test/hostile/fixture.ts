import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { clientById, clients, type Reply } from '../../src/clients/index.ts'
import type { Regex } from '../../src/engine/index.ts'
import * as shell from '../../src/engine/shell/index.ts'
import { createServices, handleEvent } from '../../src/hook/index.ts'
import { debugTrace } from '../../src/hook/reply/debug-trace.ts'
import * as engine from '../../src/hook/services/regex.ts'
import * as compiler from '../../src/policy/compile/compiler.ts'
import type { LoadedPolicy } from '../../src/policy/index.ts'
import { DIALECTS } from '../support/clients/dialects.ts'
import { replyIn } from '../support/reply-in.ts'
import { deepest, type Files } from './policies.ts'

const PACKS = join(import.meta.dirname, '../../packs')

/** A person's policy. What the project brings must not lift it. */
export const OWN = `
gates:
  no-push: { rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Do not push. }] }
`

/** A person's home, a project that brings what it wants, and another project, all in this process. */
export class Ground {
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-hostile-'))
  readonly home = join(this.folder, 'home')
  readonly other = join(this.folder, 'other')
  readonly project = join(this.folder, 'project')
  cwd = this.project
  /** what cannot be had: the policy, or not even those of stronger layers */
  missing: 'policy' | 'any policy' | undefined
  /** steps that regexes took since it was set to nothing */
  steps = 0

  constructor(files: Files, own = OWN) {
    for (const root of [this.other, this.project]) mkdirSync(join(root, '.git'), { recursive: true })
    mkdirSync(this.home)
    writeFileSync(join(this.home, 'signalbox.yaml'), own)
    this.bring(files)
  }

  bring(files: Files): void {
    for (const [name, text] of Object.entries(files)) {
      const file = join(this.project, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
    this.cwd = join(this.project, deepest(files))
  }

  get #house() {
    const env = { HOME: this.home, SIGNALBOX_HOME: this.home, PATH: '/usr/bin:/bin' }
    const client = (id: string) => {
      const found = clientById(id)
      if (!found) throw new Error(`no client ${id}`)
      return found
    }
    const regex: Regex = {
      ...engine.regex,
      search: (pattern, text) => {
        this.steps += (engine.regex.size?.(pattern) ?? 0) * text.length
        return engine.regex.search(pattern, text)
      },
    }
    const parts = {
      client,
      clients: () => clients,
      shell: () => shell,
      regex: () => ({ ...engine, regex }),
      compiler: () => compiler,
      packsDir: PACKS,
      debugTrace: () => debugTrace,
      codeWorker: '',
    }
    const house = createServices(env, parts)
    const none = () => {
      throw new Error('no policy')
    }
    const without = { ...(this.missing && { policy: none }), ...(this.missing === 'any policy' && { stronger: none }) }
    return { house: { ...house, ...without }, client, env }
  }

  policy(root = this.project): LoadedPolicy {
    return this.#house.house.policy(root, root === this.project ? this.cwd : root)
  }

  async ask(id: string, command: string, cwd = this.cwd): Promise<Reply> {
    const { house, client, env } = this.#house
    const payload = { ...DIALECTS[id]?.call(command), cwd, [DIALECTS[id]?.session ?? 'session_id']: cwd }
    const text = JSON.stringify(payload)
    const request = { client: client(id), text, bytes: Buffer.from(text), env, cwd, now: Date.now() }
    try {
      return replyIn(await handleEvent({ ...request, event: DIALECTS[id]?.before }, house))
    } finally {
      house.store.close()
    }
  }

  async refuses(id: string, command: string, cwd = this.cwd): Promise<boolean> {
    return DIALECTS[id]?.refuses(await this.ask(id, command, cwd)) ?? false
  }

  records() {
    const { house } = this.#house
    try {
      return house.store.records({ last: 10 }).map(({ record }) => record)
    } finally {
      house.store.close()
    }
  }

  end(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export async function onGround<T>(files: Files, work: (ground: Ground) => Promise<T>, own = OWN): Promise<T> {
  const ground = new Ground(files, own)
  try {
    return await work(ground)
  } finally {
    ground.end()
  }
}
