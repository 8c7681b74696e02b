import { join } from 'node:path'
import { writeFileAtomically } from '../lib/fs/atomic-write.ts'
import { readTextIfExists } from '../lib/fs/text-file.ts'
import { sha256Of } from '../lib/sha256.ts'
import { type FailureMode, type GateExport, hasUserGates, type Policy } from './policy.ts'

/**
 * The failure mode of a policy: `closed` if the settings, a blocking gate or a sub-hook asks for it. Built-in gates do not count: they
 * are evaluated even after a failure, and deny what they always deny.
 */
export const failureModeOf = ({ gates, hooks, settings }: Policy): FailureMode =>
  settings.onError === 'closed' ||
  gates.some(gate => gate.layer !== 'built-in' && gate.mode === 'block' && gate.onError === 'closed') ||
  hooks.some(hook => hook.onError === 'closed')
    ? 'closed'
    : 'open'

/**
 * Writes the failure mode to a file that is read when everything else fails; a second line lists the error logs to write then. Writes
 * only on change. Returns the file and its text; null if there is no file.
 */
export function writeFailureMode(
  stateDir: string,
  root: string,
  program: Policy,
  exports: readonly GateExport[],
): { readonly file: string; readonly text: string | null } {
  const file = failureModeFileOf(stateDir, root)
  const posture = failureModeOf(program)
  const logs = exports.flatMap(({ on, errors }) => (errors === undefined ? [] : [{ on, errors }]))
  const text = logs.length === 0 ? posture : `${posture}\n${JSON.stringify(logs)}`
  const before = readTextIfExists(file)?.trim() ?? null
  if (before === text || (before === null && !hasUserGates(program) && posture === 'open'))
    return { file, text: before }
  return { file, text: writeFileAtomically(file, text) ? text : before }
}

const failureModeFileOf = (stateDir: string, root: string): string =>
  join(stateDir, 'posture', sha256Of(Buffer.from(root)).slice(0, 16))
