type Env = Readonly<Record<string, string | undefined>>

/**
 * The only variable that sub-hooks get in addition to the caller's environment: markers of the events they run inside, outermost first. It
 * detects a hook that runs itself, and identifies processes that left their process group.
 */
const NAME = 'SIGNALBOX_INSIDE'

/** A unique marker for the sub-hooks of one event. */
export const newReentrancyMarker = (): string =>
  [process.pid, Date.now(), Math.random()].map(n => n.toString(36)).join('-')

export const reentrancyMarkersIn = (env: Env): readonly string[] => (env[NAME] ?? '').split(' ').filter(Boolean)

export const withReentrancyMarker = (env: Env, mark: string): Env => ({
  ...env,
  [NAME]: [...reentrancyMarkersIn(env), mark].join(' '),
})
