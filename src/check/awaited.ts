import type { Session } from '../core/index.ts'

/** Calls that were begun, and whose end is still to come, by their place in the list of calls. */
export const pendingId = (at: number): string => `pending-${at}`
const isPending = ({ call }: Session['waiting'][number]): boolean => call.startsWith('pending-')

/** Nobody works before a prompt was let through, nor once the turn has ended. */
const REST = 'rest'
const isRest = ({ call }: Session['waiting'][number]): boolean => call === REST

/** What a session waits for besides what its calls hold back: marks that no event takes for its own. */
export const isMark = (one: Session['waiting'][number]): boolean => isPending(one) || isRest(one)

const marked = (session: Session, call: string): Session => ({
  ...session,
  waiting: [...session.waiting, { call, warnings: [], moves: [] }],
})

/** That call goes on while others are made. */
export const withPending = ({ waiting, ...session }: Session, at: number): Session =>
  marked({ ...session, waiting: waiting.filter(one => !isPending(one)) }, pendingId(at))

/** The place of the call whose end is still to come. */
export function pendingIn({ waiting }: Session): number | undefined {
  const found = waiting.find(isPending)
  return found && Number(found.call.slice(pendingId(0).length - 1))
}

/** A prompt makes a session forget what waits. The call goes on all the same. */
export function stillPending(before: Session, after: Session): Session {
  const at = pendingIn(before)
  return at === undefined || pendingIn(after) !== undefined ? after : withPending(after, at)
}

export const isResting = ({ waiting }: Session): boolean => waiting.some(isRest)

/** The main agent waits for a prompt, or does not. */
export function resting(session: Session, rests: boolean): Session {
  if (isResting(session) === rests) return session
  return rests ? marked(session, REST) : { ...session, waiting: session.waiting.filter(one => !isRest(one)) }
}
