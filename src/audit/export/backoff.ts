const MAX_BACKOFF_MS = 30_000

/** Exponential backoff with jitter. */
export const backoffMs = (nth: number, firstMs: number): number =>
  Math.min(firstMs * 2 ** (nth - 1), MAX_BACKOFF_MS) * (0.75 + Math.random() / 2)

export const abortableSleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise(done => {
    if (signal.aborted) return done()
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      done()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
