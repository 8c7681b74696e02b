import type { Session } from '../../engine/index.ts'
import type { Policy } from '../../policy/index.ts'
import type { UnwritableState } from '../../store/index.ts'
import { type EventNotices, type NoticeContext, noticeAudience } from '../notices/notices.ts'

/**
 * While the state cannot be written, later transitions are unknown. That includes the daemon: it may have just started, and other processes
 * answer too. Drops open states of gates with failure mode `closed`; `resetGates` makes them start closed.
 */
export function closeFailClosedGates(session: Session, { gates }: Policy): Session {
  const closing = new Set(gates.filter(({ onError }) => onError === 'closed').map(({ id }) => id))
  const without = (states: Session['gates']): Session['gates'] =>
    Object.fromEntries(
      Object.entries(states).filter(
        ([key, { state }]) => state === 'closed' || ![...closing].some(id => key === id || key.startsWith(`${id}@`)),
      ),
    )
  return closing.size === 0 ? session : { ...session, gates: without(session.gates), shared: without(session.shared) }
}

/** Once a session, at the first event with an audience. If the store cannot keep that the notice was shown: at the `ONCE_A_TURN` events. */
export function withUnwritableNotice(
  notices: EventNotices,
  { why, isUnannounced }: UnwritableState,
  { kind, capabilities }: NoticeContext,
): EventNotices {
  const audience = kind && noticeAudience(kind, capabilities)
  if (!audience || !(isUnannounced() ?? ONCE_A_TURN.includes(kind))) return notices
  const line = `${why}. Calls are evaluated with the state that was written last; nothing is stored or logged`
  return { ...notices, [audience]: [...notices[audience], audience === 'agent' ? `${line}. Tell the user` : line] }
}

const ONCE_A_TURN = ['session.start', 'prompt.submit', 'turn.stop']
