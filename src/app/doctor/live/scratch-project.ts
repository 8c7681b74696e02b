import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ensurePrivateFolder } from '../../../policy/index.ts'

/** A temporary project with a policy that denies one harmless command, and a state folder of its own. */
export class ScratchProject {
  readonly folder = mkdtempSync(join(realpathSync(tmpdir()), 'signalbox-doctor-'))
  readonly home = join(this.folder, 'home')
  readonly project = join(this.home, 'proj')
  /** `SIGNALBOX_HOME`: the user's own policy, state and audit log are not touched */
  readonly state = join(this.folder, 'state')
  /** unique text that shows that our rule denied the call */
  readonly word = `canary-${randomBytes(6).toString('hex')}`
  /** what the hook says to the agent: the word alone is in the command too */
  readonly reason = `${this.word}: denied for signalbox doctor`
  /** creates a file if it is run */
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
        message: "${this.reason}, as expected."
`,
    )
  }

  /** Whether the command was run after all. */
  get wasRun(): boolean {
    return existsSync(join(this.project, `signalbox-${this.word}`))
  }

  /** Links a part of the real project or home that the registered command needs; it is only read. */
  link(from: string, to: string): void {
    if (!existsSync(from) || existsSync(to)) return
    ensurePrivateFolder(dirname(to))
    symlinkSync(from, to)
  }

  put(file: string, text: string): void {
    ensurePrivateFolder(dirname(file))
    writeFileSync(file, text)
  }

  /** Creates a folder that is removed with the scratch project. */
  make(name: string): string {
    const folder = join(this.folder, name)
    mkdirSync(folder)
    return folder
  }

  remove(): void {
    try {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    } catch {
      // a process that left its group still writes there: the system cleans up the temporary folder later
    }
  }
}
