import { writeSync } from 'node:fs'
import { foldersOf, formatAttestation, leaveAttestation, openAttestationKey, randomHex } from '../../../hook/index.ts'
import { type ProcessEnd, runForeground } from './run-foreground.ts'

/** `signalbox run -- argv`: runs the command in our place, then prints the attestation, a signed line on how it ended. */
export async function run(argv: readonly string[]): Promise<never> {
  const from = Date.now()
  const end = await runForeground(argv)
  if (end.problem) writeStderr(`signalbox run: ${end.problem}`)
  writeStderr(attestationLine(argv, end.status, from))
  return exitLike(end)
}

/** Printed on stderr: every client passes it on, and `| tail`, `| jq` or `> log` do not remove it. */
function attestationLine(argv: readonly string[], status: number, from: number): string {
  try {
    const { state } = foldersOf(process.env)
    const key = openAttestationKey(state)
    const cwd = process.cwd()
    const line = formatAttestation(
      { argv, cwd, status, from, to: Math.max(Date.now(), from), nonce: randomHex(4) },
      key,
    )
    leaveAttestation(state, { argv, cwd }, line)
    return line
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `signalbox run: exit ${status}, not signed: ${why}`
  }
}

/** Writes the whole line without a stream: a stream would change the mode of a terminal or pipe that others share. */
function writeStderr(line: string): void {
  for (let rest = Buffer.from(`${line}\n`); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(2, rest))
    } catch (error) {
      // the reader is gone
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

/** A waiting shell checks whether its command died of Ctrl-C, so we die of the same signal. Others would dump core or not end us. */
const FATAL_SIGNALS: ReadonlySet<string> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'])

function exitLike({ status, signal }: ProcessEnd): Promise<never> {
  if (!signal || !FATAL_SIGNALS.has(signal)) process.exit(status)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  return new Promise(() => setTimeout(() => process.exit(status), 1000))
}
