/** Values that mean off. The native hook has the same list. */
const OFF_WORDS = ['off', '0', 'no', 'false']

/** Whether the caller's environment switches the daemon off. */
export const isDaemonOff = (env: Readonly<Record<string, string | undefined>>): boolean =>
  OFF_WORDS.includes((env.SIGNALBOX_DAEMON ?? '').toLowerCase())
