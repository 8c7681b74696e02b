/** Milliseconds that this process has worked: work beside it on the machine does not count, as it does on a clock. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
