import type { Session } from '../../../engine/index.ts'

/** Calls that were begun, and whose end is still to come, by their place in the list of calls. */
export const pendingCallId = (at: number): string => `pending-${at}`
const isPendingCall = ({ call }: Session['waiting'][number]): boolean => call.startsWith('pending-')

/** Nobody works before a prompt was let through, nor once the turn has ended. */
const AWAITING_PROMPT = 'rest'
const isAwaitingPromptMarker = ({ call }: Session['waiting'][number]): boolean => call === AWAITING_PROMPT

/** What a session waits for besides what its calls hold back: marks that no event takes for its own. */
export const isVerifierMarker = (one: Session['waiting'][number]): boolean =>
  isPendingCall(one) || isAwaitingPromptMarker(one)

const addMarker = (session: Session, call: string): Session => ({
  ...session,
  waiting: [...session.waiting, { call, warnings: [], moves: [] }],
})

/** That call goes on while others are made. */
export const withPendingCall = ({ waiting, ...session }: Session, at: number): Session =>
  addMarker({ ...session, waiting: waiting.filter(one => !isPendingCall(one)) }, pendingCallId(at))

/** The place of the call whose end is still to come. */
export function pendingCallIndex({ waiting }: Session): number | undefined {
  const found = waiting.find(isPendingCall)
  return found && Number(found.call.slice(pendingCallId(0).length - 1))
}

/** A prompt makes a session forget what waits. The call goes on all the same. */
export function carryPendingCall(before: Session, after: Session): Session {
  const at = pendingCallIndex(before)
  return at === undefined || pendingCallIndex(after) !== undefined ? after : withPendingCall(after, at)
}

export const isAwaitingPrompt = ({ waiting }: Session): boolean => waiting.some(isAwaitingPromptMarker)

/** The main agent waits for a prompt, or does not. */
export function setAwaitingPrompt(session: Session, rests: boolean): Session {
  if (isAwaitingPrompt(session) === rests) return session
  return rests
    ? addMarker(session, AWAITING_PROMPT)
    : { ...session, waiting: session.waiting.filter(one => !isAwaitingPromptMarker(one)) }
}
