import type { Session } from '../../../engine/index.ts'

/** Id of a call that has begun and not ended; `at` is its index in the list of calls. */
export const pendingCallId = (at: number): string => `pending-${at}`
const isPendingCall = ({ call }: Session['waiting'][number]): boolean => call.startsWith('pending-')

/** Marker: the main agent waits for a prompt, at the start and after the end of each turn. */
const AWAITING_PROMPT = 'rest'
const isAwaitingPromptMarker = ({ call }: Session['waiting'][number]): boolean => call === AWAITING_PROMPT

/** Markers of the verifier in `Session.waiting`. No event matches them. */
export const isVerifierMarker = (one: Session['waiting'][number]): boolean =>
  isPendingCall(one) || isAwaitingPromptMarker(one)

const addMarker = (session: Session, call: string): Session => ({
  ...session,
  waiting: [...session.waiting, { call, warnings: [], moves: [] }],
})

/** Marks this call as running while others are made. */
export const withPendingCall = ({ waiting, ...session }: Session, at: number): Session =>
  addMarker({ ...session, waiting: waiting.filter(one => !isPendingCall(one)) }, pendingCallId(at))

/** The index of the pending call. */
export function pendingCallIndex({ waiting }: Session): number | undefined {
  const found = waiting.find(isPendingCall)
  return found && Number(found.call.slice(pendingCallId(0).length - 1))
}

/** A prompt clears `Session.waiting`, but the pending call keeps running. */
export function carryPendingCall(before: Session, after: Session): Session {
  const at = pendingCallIndex(before)
  return at === undefined || pendingCallIndex(after) !== undefined ? after : withPendingCall(after, at)
}

export const isAwaitingPrompt = ({ waiting }: Session): boolean => waiting.some(isAwaitingPromptMarker)

/** Sets or clears the marker for a main agent that waits for a prompt. */
export function setAwaitingPrompt(session: Session, rests: boolean): Session {
  if (isAwaitingPrompt(session) === rests) return session
  return rests
    ? addMarker(session, AWAITING_PROMPT)
    : { ...session, waiting: session.waiting.filter(one => !isAwaitingPromptMarker(one)) }
}
