import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ensurePrivateFolder } from '../../../policy/index.ts'

/** A throw-away project with a policy that refuses one harmless command, and folders for whatever is remembered of it. */
export class ScratchProject {
  readonly folder = mkdtempSync(join(realpathSync(tmpdir()), 'signalbox-doctor-'))
  readonly home = join(this.folder, 'home')
  readonly project = join(this.home, 'proj')
  /** `SIGNALBOX_HOME`: the person's own policy, state and audit trail are not touched */
  readonly state = join(this.folder, 'state')
  /** nobody else says this word */
  readonly word = `canary-${randomBytes(6).toString('hex')}`
  /** it leaves a file behind where it is run */
  readonly command = `touch signalbox-${this.word}`

  constructor() {
    for (const folder of [this.state, join(this.project, '.git'), join(this.folder, 'tmp')]) ensurePrivateFolder(folder)
    writeFileSync(
      join(this.project, 'signalbox.yaml'),
      `gates:
  doctor-canary:
    rules:
      - when: { event: tool.before, command: ${this.command} }
        then: deny
        message: "${this.word}: refused for signalbox doctor, as it should be."
`,
    )
  }

  /** Was the command run after all? */
  get wasRun(): boolean {
    return existsSync(join(this.project, `signalbox-${this.word}`))
  }

  /** What the registered command needs of the real project or home, by link: it is only read. */
  link(from: string, to: string): void {
    if (!existsSync(from) || existsSync(to)) return
    ensurePrivateFolder(dirname(to))
    symlinkSync(from, to)
  }

  put(file: string, text: string): void {
    ensurePrivateFolder(dirname(file))
    writeFileSync(file, text)
  }

  /** A folder that is there for a run and no longer. */
  make(name: string): string {
    const folder = join(this.folder, name)
    mkdirSync(folder)
    return folder
  }

  remove(): void {
    try {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    } catch {
      // a process that left its group still writes there: the system's own sweep of that folder takes it
    }
  }
}
