/** Words for no. The native hook knows the same. */
const NO = ['off', '0', 'no', 'false']

/** Has whoever calls switched the daemon off? */
export const isOff = (env: Readonly<Record<string, string | undefined>>): boolean =>
  NO.includes((env.SIGNALBOX_DAEMON ?? '').toLowerCase())
