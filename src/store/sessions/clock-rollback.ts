import type { GateVariables, Session } from '../../engine/index.ts'

/** Small corrections of the clock are normal. */
const CLOCK_SLACK_MS = 60_000

type SessionGates = Session['gates']

/**
 * Handles a clock that was set back: times in the future are set to now. Otherwise a gate that closes after ten minutes would stay open
 * until the clock reaches the old time again.
 */
export function clampToClock(session: Session, now: number): Session {
  const shared = clampGates(session.shared, now)
  // the session's own gates never change after `seenAt`
  const gates = session.seenAt > now + CLOCK_SLACK_MS ? clampGates(session.gates, now) : session.gates
  return shared === session.shared && gates === session.gates ? session : { ...session, gates, shared }
}

/** Returns the same object if no gate is ahead of the clock. */
function clampGates(gates: SessionGates, now: number): SessionGates {
  const ahead = Object.entries(gates).filter(([, { changed, opened, closed }]) =>
    [changed, opened, closed].some(mark => mark && mark.at > now + CLOCK_SLACK_MS),
  )
  return ahead.length === 0
    ? gates
    : { ...gates, ...Object.fromEntries(ahead.map(([id, gate]) => [id, clampGate(gate, now)])) }
}

function clampGate({ changed, opened, closed, ...gate }: GateVariables, now: number): GateVariables {
  const at = <T extends { readonly at: number }>(mark: T): T => ({ ...mark, at: Math.min(mark.at, now) })
  return { ...gate, changed: at(changed), ...(opened && { opened: at(opened) }), ...(closed && { closed: at(closed) }) }
}
