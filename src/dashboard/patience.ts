/** how much longer it may take on the wall's clock, where others have the machine */
const LONGER = 5

/**
 * True when so much of our own time is over. This process works at the lowest priority: on a busy machine a second on the wall may be but
 * a moment of ours, in which nothing is found.
 */
export function patience(ms: number): () => boolean {
  const [began, used] = [performance.now(), ownMs()]
  return () => {
    const past = performance.now() - began
    return past > ms && (past > LONGER * ms || ownMs() - used > ms)
  }
}

function ownMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
