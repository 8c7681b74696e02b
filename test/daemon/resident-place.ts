import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { vi } from 'vitest'
import { createResidentHook } from '../../src/hook/entry/hook-process.ts'
import { payloadOf } from '../support/bash-payload.ts'
import { BUNDLES } from '../support/bundles.ts'

interface Question {
  readonly env?: Record<string, string>
  readonly cwd?: string
  readonly session?: string
  readonly now?: number
}

/** The hook as the daemon keeps it, in this process, with an installation of its own: packs can be changed. */
export class ResidentPlace {
  readonly home = mkdtempSync(join(tmpdir(), 'signalbox-kept-'))
  readonly project = join(this.home, 'proj')
  readonly state = join(this.home, 'state')
  resident: ReturnType<typeof createResidentHook>

  constructor() {
    mkdirSync(join(this.project, '.git'), { recursive: true })
    mkdirSync(join(this.home, 'program'))
    cpSync(resolve(import.meta.dirname, '../../packs'), join(this.home, 'program/packs'), { recursive: true })
    this.resident = this.begin()
  }

  private begin() {
    return createResidentHook(this.state, { ...BUNDLES, folder: join(this.home, 'program/dist') })
  }

  restart(): void {
    this.resident.close()
    this.resident = this.begin()
  }

  remove(): void {
    this.resident.close()
    rmSync(this.home, { recursive: true, force: true })
  }

  policy(text: string, folder = this.project): void {
    writeFileSync(join(folder, 'signalbox.yaml'), text)
  }

  /** The decision, `said` for a reply without one, `elsewhere` if a process of its own has to answer. */
  async ask(command: string, { env = {}, cwd = this.project, session = 's', now = Date.now() }: Question = {}) {
    const text = payloadOf(command, cwd, { session_id: session })
    const own = { HOME: this.home, SIGNALBOX_HOME: this.home, PATH: '/usr/bin:/bin', ...env }
    const call = { args: ['--client', 'claude-code'], text, bytes: Buffer.from(text), env: own, cwd: this.project }
    // no time runs out: on a busy machine one event may take longer than a call has
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const reply = await this.resident.answer({ ...call, now, arrivedAt: process.uptime() * 1000 })
      const [, decision] = /"permissionDecision":"(\w+)"/.exec(reply?.stdout ?? '') ?? []
      return decision ?? (reply ? reply.stdout && 'said' : 'elsewhere')
    } finally {
      vi.useRealTimers()
    }
  }
}
