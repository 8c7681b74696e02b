/** how much longer it may take on the wall's clock, where others have the machine */
const WALL_CLOCK_FACTOR = 5

/**
 * True when so much of our own time is over. This process works at the lowest priority: on a busy machine a second on the wall may be but
 * a moment of ours, in which nothing is found.
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
