import { readFileSync } from 'node:fs'

/** Milliseconds that this process has worked: work beside it on the machine does not count, as it does on a clock. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Linux counts a process's time in hundredths of a second. */
const TICK_MS = 10
/** Positions of `cutime` and `cstime` behind the name of the program, see proc(5). */
const [CHILD_USER, CHILD_SYSTEM] = [13, 14]

/** Milliseconds that processes started by this one have worked until they ended. Without `/proc` it is the time on the clock. */
export function childCpuMs(): number {
  if (process.platform !== 'linux') return performance.now()
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[CHILD_USER]) + Number(fields[CHILD_SYSTEM])) * TICK_MS
}
