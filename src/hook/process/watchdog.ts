import type { ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'

/**
 * Reads which process groups begin and end, until nobody can write any more: then it ends those that are left, and on Linux
 * every process with the mark in its environment (`$0`), also one that took a session of its own. Until there is none: what is
 * being ended may have started another, or may take a moment.
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

/** It is done in a few milliseconds; nobody waits for one that is not. */
const LONGEST_MS = 500

export interface Watchdog {
  began(group: number): void
  ended(group: number): void
  /** ends what is left */
  finish(): Promise<void>
}

/**
 * Ends what sub-hooks left behind, however this process ends: a shell of its own holds the other end of a pipe, and a pipe is
 * closed even for a process that is killed outright.
 */
export function startWatchdog(mark: string, path: string | undefined): Watchdog {
  const dog = start(mark, path)
  const gone = new Promise<void>(done => {
    // without it hooks still run, and their groups still end
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

/** With a session and an environment of its own: it is none of those it looks for. */
function start(mark: string, path: string | undefined): ChildProcess | undefined {
  const { spawn }: typeof import('node:child_process') = createRequire(import.meta.url)('node:child_process')
  const env = path === undefined ? {} : { PATH: path }
  try {
    return spawn('sh', ['-c', SCRIPT, mark], { cwd: '/', env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  } catch {
    return undefined
  }
}
