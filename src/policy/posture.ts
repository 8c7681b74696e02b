import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Of } from '../pattern/index.ts'
import type { OnError, Policy } from './policy.ts'
import { writeAtomically } from './write.ts'

/** What to answer when nothing can be judged: `closed` as soon as one gate that blocks, or one hook, asks for it. */
export const postureOf = ({ gates, hooks, settings }: Policy): OnError =>
  settings.onError === 'closed' ||
  gates.some(gate => gate.mode === 'block' && gate.onError === 'closed') ||
  hooks.some(hook => hook.onError === 'closed')
    ? 'closed'
    : 'open'

/** One word in a file that is read when all else fails. Written only when it changes. */
export function writePosture(stateDir: string, root: string, program: Policy): void {
  const file = fileOf(stateDir, root)
  const posture = postureOf(program)
  const before = wordIn(file)
  if (before === posture || (before === null && program.gates.length === 0 && posture === 'open')) return
  writeAtomically(file, posture)
}

export function readPosture(stateDir: string, root: string): OnError | undefined {
  const word = wordIn(fileOf(stateDir, root))
  return word === 'closed' || word === 'open' ? word : undefined
}

const fileOf = (stateDir: string, root: string): string =>
  join(stateDir, 'posture', sha256Of(Buffer.from(root)).slice(0, 16))

function wordIn(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}
