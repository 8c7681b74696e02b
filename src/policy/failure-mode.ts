import { join } from 'node:path'
import { writeFileAtomically } from '../lib/fs/atomic-write.ts'
import { readTextIfExists } from '../lib/fs/text-file.ts'
import { sha256Of } from '../lib/sha256.ts'
import { type FailureMode, type GateExport, hasUserGates, type Policy } from './policy.ts'

/**
 * What to answer when nothing can be judged: `closed` as soon as one gate that blocks, or one hook, asks for it. Not for a built-in
 * one: those are judged even then, and refuse what they would have refused.
 */
export const failureModeOf = ({ gates, hooks, settings }: Policy): FailureMode =>
  settings.onError === 'closed' ||
  gates.some(gate => gate.layer !== 'built-in' && gate.mode === 'block' && gate.onError === 'closed') ||
  hooks.some(hook => hook.onError === 'closed')
    ? 'closed'
    : 'open'

/**
 * One word in a file that is read when all else fails, and in a second line the error logs that are kept then. Written only
 * when it changes. Gives the file as it is left: null where there is none.
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
