import childProcess, { ChildProcess } from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

/**
 * A test of the fast tier that starts Node fails: each start takes 100 to 300 ms, and more on a busy machine.
 * Small programs such as `sh` and `git` may run.
 */
function refuseNode(file: string, args: readonly unknown[] = []): void {
  const words = [file, ...args].join(' ')
  const isNode = /(^|[/\s'"])(node|npx?|signalbox\.cjs)(?=$|[\s'"])/.test(words)
  if (isNode) throw new Error(`\`${words}\` starts Node: name this file *.process.test.ts, or call it in this process`)
}

interface Started {
  readonly file: string
  readonly args?: readonly string[]
}
// what `spawn`, `exec`, `execFile` and `fork` come down to; the types do not have it
const inner = ChildProcess.prototype as unknown as { spawn(started: Started): unknown }
const { spawn } = inner
inner.spawn = function (started) {
  refuseNode(started.file, started.args)
  return spawn.call(this, started)
}

const { spawnSync, execFileSync, execSync } = childProcess
type Start = (file: string, ...rest: unknown[]) => unknown
const refusing =
  (start: unknown): Start =>
  (file, ...rest) => {
    refuseNode(file, Array.isArray(rest[0]) ? rest[0] : [])
    return (start as Start)(file, ...rest)
  }
Object.assign(childProcess, {
  spawnSync: refusing(spawnSync),
  execFileSync: refusing(execFileSync),
  execSync: refusing(execSync),
})
syncBuiltinESMExports()
