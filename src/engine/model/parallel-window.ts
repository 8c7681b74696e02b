/** Where callers are inferred: may a call be the main agent's, made in the same turn as the spawn of the agent in flight? */

export interface ParallelWindow {
  /** a call told of before this time may be; absent once a call has ended since, or where the client tells no times */
  readonly sharedUntil?: number
}

/**
 * A client that runs the calls of a turn in parallel tells of all of them, one right after the other, before the first of them runs
 * (Gemini CLI 0.61.0: up to 52 ms apart on a machine under heavy load). So none of them comes once another call has ended, and none
 * after a pause like this.
 */
const PAUSE_MS = 2000

export const openParallelWindow = (at: number | undefined): ParallelWindow =>
  at === undefined ? {} : { sharedUntil: at + PAUSE_MS }

export const isInParallelWindow = (at: number | undefined, { sharedUntil = 0 }: ParallelWindow): boolean =>
  at !== undefined && at < sharedUntil

/** The next one may follow this one. */
export const extendParallelWindow =
  (at: number | undefined) =>
  <T extends ParallelWindow>(spawn: T): T =>
    isInParallelWindow(at, spawn) ? { ...spawn, ...openParallelWindow(at) } : spawn

/** Some call has ended. */
export const closeParallelWindow = <T extends ParallelWindow>({
  sharedUntil: _,
  ...spawn
}: T): Omit<T, 'sharedUntil'> => spawn
