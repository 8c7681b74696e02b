/** how much longer it may take in wall-clock time on a busy machine */
const WALL_CLOCK_FACTOR = 5

/**
 * Returns true when this process has used `ms` of CPU time. The process has low priority: on a busy machine, a second of wall-clock
 * time may be too little CPU time to find anything.
 */
export function createTimeBudget(ms: number): () => boolean {
  const [began, used] = [performance.now(), cpuTimeMs()]
  return () => {
    const past = performance.now() - began
    return past > ms && (past > WALL_CLOCK_FACTOR * ms || cpuTimeMs() - used > ms)
  }
}

function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
