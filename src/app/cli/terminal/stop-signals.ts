const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** One Ctrl-C can arrive twice, from the terminal and from `npx`. */
const REPEAT_MS = 300

/** While a task runs: the first signal, or a closed output pipe, aborts the task. A second signal ends the process at once. */
export function listenForStop() {
  const controller = new AbortController()
  let first: { readonly signal: NodeJS.Signals; readonly at: number } | undefined
  const take = (signal: NodeJS.Signals) => {
    if (first !== undefined && Date.now() - first.at > REPEAT_MS) process.exit(130)
    first ??= { signal, at: Date.now() }
    controller.abort()
  }
  for (const signal of STOP_SIGNALS) process.on(signal, take)
  const reader = listenForClosedPipe(() => controller.abort())
  return {
    signal: controller.signal,
    /** Ends with the signal that stopped us, because a waiting shell checks for it. */
    async end(): Promise<void> {
      for (const signal of STOP_SIGNALS) process.off(signal, take)
      const code = reader.end()
      if (first === undefined && code !== undefined) process.exit(code)
      if (first === undefined) return
      process.kill(process.pid, first.signal)
      await new Promise(done => setTimeout(done, 1000))
    },
  }
}

/** `… --json | head -1`: replaces the listener that would exit at once, so that the result can still be recorded. */
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
    /** The exit code if the output pipe was closed. */
    end(): number | undefined {
      for (const [at, stream] of streams.entries()) {
        stream.off('error', gone)
        for (const listener of before[at] ?? []) stream.on('error', listener)
      }
      return code
    },
  }
}
