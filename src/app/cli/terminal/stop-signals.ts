const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** A terminal and `npx` both pass on one Ctrl-C. */
const REPEAT_MS = 300

/** While somebody works for us: a signal stops the work first, and so does a reader that went away. Who sends a second signal does not want to wait. */
export function listenForStop() {
  const controller = new AbortController()
  let came: { readonly signal: NodeJS.Signals; readonly at: number } | undefined
  const take = (signal: NodeJS.Signals) => {
    if (came !== undefined && Date.now() - came.at > REPEAT_MS) process.exit(130)
    came ??= { signal, at: Date.now() }
    controller.abort()
  }
  for (const signal of STOP_SIGNALS) process.on(signal, take)
  const reader = listenForClosedPipe(() => controller.abort())
  return {
    signal: controller.signal,
    /** Ends as the signal would have ended us: a shell that waits looks at that. */
    async end(): Promise<void> {
      for (const signal of STOP_SIGNALS) process.off(signal, take)
      const code = reader.end()
      if (came === undefined && code !== undefined) process.exit(code)
      if (came === undefined) return
      process.kill(process.pid, came.signal)
      await new Promise(done => setTimeout(done, 1000))
    },
  }
}

/** `… --json | head -1`: instead of what elsewhere ends us at once, so that there is time to write down what became of it. */
function listenForClosedPipe(stop: () => void) {
  const streams = [process.stdout, process.stderr]
  const before = streams.map(stream => stream.listeners('error') as ((error: Error) => void)[])
  let code: number | undefined
  const gone = (error: NodeJS.ErrnoException) => {
    code ??= error.code === 'EPIPE' ? 141 : 2
    stop()
  }
  for (const stream of streams) {
    stream.removeAllListeners('error')
    stream.on('error', gone)
  }
  return {
    /** The exit code, if nobody reads any more. */
    end(): number | undefined {
      for (const [at, stream] of streams.entries()) {
        stream.off('error', gone)
        for (const listener of before[at] ?? []) stream.on('error', listener)
      }
      return code
    },
  }
}
