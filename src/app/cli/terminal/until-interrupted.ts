const INTERRUPT_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Runs work until the person presses Ctrl-C, which is not a failure. A second Ctrl-C ends the process as usual. */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ended = new AbortController()
  const end = (): void => {
    forget()
    ended.abort()
  }
  const forget = (): void => {
    for (const signal of INTERRUPT_SIGNALS) process.off(signal, end)
  }
  for (const signal of INTERRUPT_SIGNALS) process.on(signal, end)
  try {
    return await work(ended.signal)
  } finally {
    forget()
  }
}
