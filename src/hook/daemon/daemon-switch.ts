/** Words for no. The native hook knows the same. */
const OFF_WORDS = ['off', '0', 'no', 'false']

/** Has whoever calls switched the daemon off? */
export const isDaemonOff = (env: Readonly<Record<string, string | undefined>>): boolean =>
  OFF_WORDS.includes((env.SIGNALBOX_DAEMON ?? '').toLowerCase())
