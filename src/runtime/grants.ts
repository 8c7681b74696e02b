import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../pattern/index.ts'
import { writeAtomically } from '../policy/index.ts'
import type { Approval } from './approval.ts'
import { type Ancestor, bornOf } from './descent.ts'

/** A token is good as long as its grant is there: who takes the file away revokes it, at once and everywhere. */
const folderIn = (state: string): string => join(state, 'approvals')
const fileOf = (state: string, id: string): string => join(folderIn(state), `${id}.json`)

/** False when it could not be written. Nothing in it is secret, and nothing of it is believed: the token is signed. */
export const openGrant = (state: string, { id, root, pid, born, until, gates }: Approval): boolean =>
  writeAtomically(fileOf(state, id), `${JSON.stringify({ id, root, pid, born, until, gates, world: worldOf() })}\n`)

/** Numbers of processes mean something in one world only: a container has its own. */
function worldOf(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

export const closeGrant = (state: string, id: string): void => rmSync(fileOf(state, id), { force: true })

const ID = /^[0-9a-f]{16}$/

export const isGranted = (state: string, id: string): boolean => ID.test(id) && existsSync(fileOf(state, id))

/** Takes away what processes have left behind that were killed. */
export function sweepGrants(state: string, now: number): void {
  if (!existsSync(folderIn(state))) return
  for (const name of readdirSync(folderIn(state))) {
    const id = name.replace(/\.json$/, '')
    if (!ID.test(id)) continue
    const found = read(fileOf(state, id))
    const isGone = found?.world === worldOf() && bornOf(found.pid) !== found.born
    if (!found || found.until <= now || isGone) closeGrant(state, id)
  }
}

function read(file: string): (Ancestor & { readonly until: number; readonly world: unknown }) | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!isObject(value)) return undefined
    const { pid, born, until, world } = value
    return typeof pid === 'number' && typeof born === 'string' && typeof until === 'number'
      ? { pid, born, until, world }
      : undefined
  } catch {
    return undefined
  }
}
