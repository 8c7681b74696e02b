import type { SettingsScope } from '../../src/clients/settings.ts'
import { CANARY_SESSION } from '../../src/engine/index.ts'
import { type AuditRecord, SqliteStore } from '../../src/store/index.ts'
import type { Folders } from './stage.ts'
import { differing, type Tree, treeOf } from './tree.ts'

/** Sessions and the audit trail stay. */
const TRAIL = '.local/state/signalbox'

/** Signalbox in a home, from `init` to `uninstall`. */
export class Enrolment {
  readonly failures: string[] = []
  private before: Tree = new Map()
  private begun: Tree = new Map()

  constructor(
    private readonly folders: Folders,
    private readonly client: string,
  ) {}

  /** Each scope after the other, as somebody may have done who forgot. */
  begin(scopes: readonly SettingsScope[] = ['user']): void {
    this.before = this.look()
    for (const scope of scopes) this.run('init', '--yes', '--client', this.client, '--scope', scope)
    this.begun = this.look()
  }

  /** What init wrote is as it was before, unless the client wrote there too; and what it did not write is left alone. */
  end(): readonly string[] {
    const played = this.look()
    this.run('uninstall', '--yes')
    const after = this.look()
    const ours = differing(this.before, this.begun)
    const theirs = new Set(differing(this.begun, played))
    // a folder stays while something else is in it
    const isHeld = (path: string): boolean =>
      [TRAIL, ...after.keys()].some(one => one.startsWith(`${path}/`) && !ours.includes(one))
    const restored = (path: string): boolean => after.get(path) === this.before.get(path) || isHeld(path)
    const namesUs = (path: string): boolean => after.get(path)?.includes('signalbox') === true
    return [
      ...this.failures,
      ...ours.filter(path => !theirs.has(path) && !restored(path)).map(path => `uninstall: ${path} is not as it was`),
      ...ours.filter(path => theirs.has(path) && namesUs(path)).map(path => `uninstall: ${path} still names Signalbox`),
      ...differing(played, after)
        .filter(path => !ours.includes(path))
        .map(path => `uninstall changed ${path}, which is not ours`),
    ]
  }

  /** What happened, without the call that init tries the hook with. */
  records(): readonly AuditRecord[] {
    const store = new SqliteStore(this.folders.state)
    try {
      const all = store.records({ last: 1000 }).map(({ record }) => record)
      return all.filter(({ session }) => !session.startsWith(CANARY_SESSION))
    } finally {
      store.close()
    }
  }

  private run(...args: readonly string[]): void {
    const { status, said } = this.folders.signalbox(...args)
    if (status !== 0) this.failures.push(`signalbox ${args.join(' ')} ended with ${status}: ${said}`)
  }

  private look = (): Tree => treeOf(this.folders.home, path => path === 'proj/.git' || path === TRAIL)
}
