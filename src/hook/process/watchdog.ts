import type { ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'

/**
 * Reads which process groups begin and end, until the pipe is closed. Then it kills the remaining groups and, on Linux, every process with
 * the marker (`$0`) in its environment, even in another session. It repeats that until none is left: a process that is being killed may
 * have started another, or may take a moment.
 */
const SCRIPT = `groups=' '
while read -r what group; do
  case $what in
    began) groups="$groups-$group " ;;
    ended) groups="\${groups%% -$group *} \${groups#* -$group }" ;;
  esac
done
[ "$groups" = ' ' ] || kill -s KILL -- $groups
for round in 1 2 3 4 5 6 7 8 9; do
  files=$(grep -lsF -- "$0" /proc/[0-9]*/environ)
  [ "$files" ] || break
  for file in $files; do file=\${file#/proc/}; kill -s KILL "\${file%/environ}"; done
done`

/** The watchdog needs a few milliseconds; nothing waits longer than this. */
const LONGEST_MS = 500

export interface Watchdog {
  began(group: number): void
  ended(group: number): void
  /** kills the remaining processes */
  finish(): Promise<void>
}

/**
 * Kills what sub-hooks left behind, however this process ends. A separate shell holds the other end of a pipe, and the kernel closes the
 * pipe even if this process is killed.
 */
export function startWatchdog(mark: string, path: string | undefined): Watchdog {
  const dog = start(mark, path)
  const gone = new Promise<void>(done => {
    // without the watchdog, hooks still run and their groups still end
    if (!dog) done()
    dog?.once('error', () => done())
    dog?.once('exit', () => done())
  })
  const pipe = dog?.stdin
  pipe?.on('error', () => {})
  return {
    began: group => pipe?.write(`began ${group}\n`),
    ended: group => pipe?.write(`ended ${group}\n`),
    finish() {
      pipe?.end()
      return Promise.race([gone, new Promise<void>(done => setTimeout(done, LONGEST_MS))])
    },
  }
}

/** With its own session and environment, so that it does not match its own search. */
function start(mark: string, path: string | undefined): ChildProcess | undefined {
  const { spawn }: typeof import('node:child_process') = createRequire(import.meta.url)('node:child_process')
  const env = path === undefined ? {} : { PATH: path }
  try {
    return spawn('sh', ['-c', SCRIPT, mark], { cwd: '/', env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  } catch {
    return undefined
  }
}
