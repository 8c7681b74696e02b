import type { Session } from '../../engine/index.ts'
import { ensurePrivateFolder, type Policy } from '../../policy/index.ts'
import { isWriteFailure, type UnwritableState } from '../../store/index.ts'
import { type EventNotices, type NoticeContext, noticeAudience } from '../notices/alarm.ts'

/** Where it cannot be made, the store says what is to be known of the state. */
export function createStateFolder(folder: string): void {
  try {
    ensurePrivateFolder(folder)
  } catch (error) {
    if (!isWriteFailure(error)) throw error
  }
}

/**
 * What may have closed a gate since is not known, not even to a process that stays: it may have begun only now, and others answer beside it. One that fails
 * closed is closed.
 */
export function closeFailClosedGates(session: Session, { gates }: Policy): Session {
  const closing = new Set(gates.filter(({ onError }) => onError === 'closed').map(({ id }) => id))
  const without = (kept: Session['gates']): Session['gates'] =>
    Object.fromEntries(
      Object.entries(kept).filter(
        ([key, { state }]) => state === 'closed' || ![...closing].some(id => key === id || key.startsWith(`${id}@`)),
      ),
    )
  return closing.size === 0 ? session : { ...session, gates: without(session.gates), shared: without(session.shared) }
}

/** Once a session, with the first event at which somebody hears it; where nobody can keep that it was said, with those that come once a turn. */
export function withUnwritableNotice(
  told: EventNotices,
  { why, isNews }: UnwritableState,
  { kind, capabilities }: NoticeContext,
): EventNotices {
  const hears = kind && noticeAudience(kind, capabilities)
  if (!hears || !(isNews() ?? ONCE_A_TURN.includes(kind))) return told
  const line = `${why}. Calls are judged by what was known before; nothing that happens now is remembered or recorded until it can be written again`
  return { ...told, [hears]: [...told[hears], hears === 'agent' ? `${line}. Tell the user` : line] }
}

const ONCE_A_TURN = ['session.start', 'prompt.submit', 'turn.stop']
