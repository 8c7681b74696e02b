import type { GateMemory, Session } from '../core/index.ts'
import type { Found } from './sessions.ts'
import type { Circumstances, SessionKey } from './store.ts'

type Gates = Session['gates']

interface UnsavedSession {
  readonly name: string
  readonly key: SessionKey
  readonly at: Circumstances
  /** as it was stored when this was worked out */
  readonly stored: string
  readonly before: Gates
  readonly session: Session
}

/**
 * What changed while the state could not be written, in a process that stays: sessions by name, and the gates that the sessions of a project share by
 * its root. All of it is saved with the first step that can be. What somebody else has stored since is newer, and stays.
 */
export class Unsaved {
  private readonly sessions = new Map<string, UnsavedSession>()
  private readonly shared = new Map<string, { readonly before: Gates; readonly after: Gates }>()

  all = (): readonly UnsavedSession[] => [...this.sessions.values()]

  /** The project of a session that was never stored. */
  rootOf = (name: string): string | undefined => this.sessions.get(name)?.session.root

  /** The session that is stored, with what is not. */
  over(name: string, found: Found): Session {
    const own = this.sessions.get(name)
    const session = own ? this.own(own, found) : found.session
    const shared = this.shared.get(session.root)
    return shared
      ? { ...session, shared: merged(shared.before, shared.after, found.session.shared) }
      : { ...session, shared: found.session.shared }
  }

  keep({ name, key, at, found, session }: Pick<UnsavedSession, 'name' | 'key' | 'at' | 'session'> & { found: Found }) {
    this.sessions.set(name, { name, key, at, session, stored: textOf(found), before: found.session.gates })
    this.shared.set(session.root, { before: found.session.shared, after: session.shared })
  }

  clear(): void {
    this.sessions.clear()
    this.shared.clear()
  }

  private own({ stored, before, session }: UnsavedSession, found: Found): Session {
    if (stored === textOf(found)) return session
    return { ...found.session, gates: merged(before, session.gates, found.session.gates) }
  }
}

/** A session that is not stored begins at another time whenever it is looked for. */
const textOf = ({ known, session }: Found): string => (known ? JSON.stringify({ ...session, shared: {} }) : '')

/** A gate that changed on one side only is as it is there; one that changed on both, as it moved last. */
function merged(before: Gates, after: Gates, stored: Gates): Gates {
  const changed = Object.entries(after).filter(([key, gate]) => {
    const theirs = stored[key]
    if (!theirs) return !isSame(gate, before[key])
    return isSame(theirs, before[key]) || (!isSame(gate, before[key]) && gate.changed.at > theirs.changed.at)
  })
  return changed.length === 0 ? stored : { ...stored, ...Object.fromEntries(changed) }
}

const isSame = (one: GateMemory, other: GateMemory | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
