/** Where callers are inferred: can a call be the main agent's, made in the same turn as the spawn of the agent in flight? */

export interface ParallelWindow {
  /** a call reported before this time can be; absent once a call has ended, or if the client reports no times */
  readonly sharedUntil?: number
}

/**
 * A client that runs the calls of a turn in parallel reports all of them, one right after the other, before the first of them runs
 * (Gemini CLI 0.61.0: up to 52 ms apart on a machine under heavy load). So no parallel call is reported once another call has ended,
 * or after a pause of this length.
 */
const PAUSE_MS = 2000

export const openParallelWindow = (at: number | undefined): ParallelWindow =>
  at === undefined ? {} : { sharedUntil: at + PAUSE_MS }

export const isInParallelWindow = (at: number | undefined, { sharedUntil = 0 }: ParallelWindow): boolean =>
  at !== undefined && at < sharedUntil

/** Another parallel call may follow this call. */
export const extendParallelWindow =
  (at: number | undefined) =>
  <T extends ParallelWindow>(spawn: T): T =>
    isInParallelWindow(at, spawn) ? { ...spawn, ...openParallelWindow(at) } : spawn

/** A call has ended, so no parallel call follows. */
export const closeParallelWindow = <T extends ParallelWindow>({
  sharedUntil: _,
  ...spawn
}: T): Omit<T, 'sharedUntil'> => spawn
