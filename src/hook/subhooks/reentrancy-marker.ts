type Env = Readonly<Record<string, string | undefined>>

/**
 * The one variable a sub-hook finds beside the caller's own: the events it runs inside of, outermost first. It tells a hook that
 * runs itself, and whose process one is that has left its group.
 */
const NAME = 'SIGNALBOX_INSIDE'

/** A word for the sub-hooks of one event, which nothing else carries. */
export const newReentrancyMarker = (): string =>
  [process.pid, Date.now(), Math.random()].map(one => one.toString(36)).join('-')

export const reentrancyMarkersIn = (env: Env): readonly string[] => (env[NAME] ?? '').split(' ').filter(Boolean)

export const withReentrancyMarker = (env: Env, mark: string): Env => ({
  ...env,
  [NAME]: [...reentrancyMarkersIn(env), mark].join(' '),
})
