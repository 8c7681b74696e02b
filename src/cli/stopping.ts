const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** While somebody works for us: a signal stops the work first. Whoever sends a second one does not want to wait. */
export function onSignals() {
  const controller = new AbortController()
  let came: NodeJS.Signals | undefined
  const take = (signal: NodeJS.Signals) => {
    if (came !== undefined) process.exit(130)
    came = signal
    controller.abort()
  }
  for (const signal of SIGNALS) process.on(signal, take)
  return {
    signal: controller.signal,
    /** Ends as the signal would have ended us: a shell that waits looks at that. */
    async end(): Promise<void> {
      for (const signal of SIGNALS) process.off(signal, take)
      if (came === undefined) return
      process.kill(process.pid, came)
      await new Promise(done => setTimeout(done, 1000))
    },
  }
}
