import type { GateVariables, Session } from '../../engine/index.ts'
import type { SessionContext, SessionKey } from '../store.ts'
import type { SessionLookup } from './session-table.ts'

type SharedGates = Session['gates']

interface UnsavedSession {
  readonly name: string
  readonly key: SessionKey
  readonly at: SessionContext
  /** the stored session when this change was computed */
  readonly stored: string
  readonly before: SharedGates
  readonly session: Session
}

/**
 * Changes made while the state could not be written, in a process that stays: sessions by name, and shared gates by project root. The
 * first step that can write saves all of them. Newer changes that other processes have stored win.
 */
export class UnsavedSessions {
  private readonly sessions = new Map<string, UnsavedSession>()
  private readonly shared = new Map<string, { readonly before: SharedGates; readonly after: SharedGates }>()

  all = (): readonly UnsavedSession[] => [...this.sessions.values()]

  /** The project root of a session that was never stored. */
  rootOf = (name: string): string | undefined => this.sessions.get(name)?.session.root

  /** The stored session with the unsaved changes applied. */
  over(name: string, found: SessionLookup): Session {
    const own = this.sessions.get(name)
    const session = own ? this.own(own, found) : found.session
    const shared = this.shared.get(session.root)
    return shared
      ? { ...session, shared: mergeGates(shared.before, shared.after, found.session.shared) }
      : { ...session, shared: found.session.shared }
  }

  keep({
    name,
    key,
    at,
    found,
    session,
  }: Pick<UnsavedSession, 'name' | 'key' | 'at' | 'session'> & { found: SessionLookup }) {
    this.sessions.set(name, { name, key, at, session, stored: serializeLookup(found), before: found.session.gates })
    this.shared.set(session.root, { before: found.session.shared, after: session.shared })
  }

  private own({ stored, before, session }: UnsavedSession, found: SessionLookup): Session {
    if (stored === serializeLookup(found)) return session
    return { ...found.session, gates: mergeGates(before, session.gates, found.session.gates) }
  }
}

/** An unstored session gets a new start time at each lookup, so it is compared as empty. */
const serializeLookup = ({ known, session }: SessionLookup): string =>
  known ? JSON.stringify({ ...session, shared: {} }) : ''

/** A gate that changed on one side keeps that change. If it changed on both sides, the later change wins. */
function mergeGates(before: SharedGates, after: SharedGates, stored: SharedGates): SharedGates {
  const changed = Object.entries(after).filter(([key, gate]) => {
    const theirs = stored[key]
    if (!theirs) return !isSameGate(gate, before[key])
    return isSameGate(theirs, before[key]) || (!isSameGate(gate, before[key]) && gate.changed.at > theirs.changed.at)
  })
  return changed.length === 0 ? stored : { ...stored, ...Object.fromEntries(changed) }
}

const isSameGate = (one: GateVariables, other: GateVariables | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
